// Resources of which a workspace has few, kept as documents: part of `port.ts`.

export interface ReadRepository<Item> {
  get(id: string): Promise<Item | undefined>
  /** In the order of creation. */
  list(): Promise<Item[]>
}

export interface Repository<Item> extends ReadRepository<Item> {
  /** @throws CONFLICT for an ID that exists */
  insert(item: Item): Promise<void>
  /** Replaces the item with this ID, which must exist. */
  update(item: Item): Promise<void>
  delete(id: string): Promise<void>
}
