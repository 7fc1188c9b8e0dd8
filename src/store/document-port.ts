// Resources with few items, stored as documents: part of `port.ts`.
import type { ModelChange } from '../core/model/rules/model-change.ts'

export interface ReadRepository<Item> {
  get(id: string): Promise<Item | undefined>
  /** @throws NOT_FOUND */
  find(id: string): Promise<Item>
  /** In the order of creation. */
  list(): Promise<Item[]>
  /**
   * Lists the items page by page, because all together may be large. @param make makes the page's content from an item;
   * undefined: the page leaves the item out
   */
  pages<Made = Item>(make?: (item: Item) => Made | undefined): AsyncGenerator<readonly Made[], void>
  /** Returns all items as JSON, which may be made on demand. */
  texts(): Promise<Iterable<DocumentText>>
}

export interface DocumentText {
  readonly id: string
  readonly document: string
}

export interface Repository<Item> extends ReadRepository<Item> {
  /** @throws CONFLICT for an ID that exists */
  insert(item: Item): Promise<void>
  /** Replaces the item with this ID, which must exist. */
  update(item: Item): Promise<void>
  delete(id: string): Promise<void>
}

/** Pending changes of the model, which records must still follow. Writers already obey the rules of these changes. */
export interface ModelChanges extends Repository<ModelChange> {
  /** Lists changes that no living server performs. When the only server starts, these are all changes. */
  listAbandoned(): Promise<ModelChange[]>
  /**
   * Takes over an abandoned change: no other server writes this change from now on. @returns false: another server has
   * the change
   */
  adopt(id: string): Promise<boolean>
  /** Returns the place (`PlacedRecord`) up to which the present stage is done; 0: nothing is done. */
  cursorOf(id: string): Promise<number>
  advance(id: string, cursor: number): Promise<void>
}
