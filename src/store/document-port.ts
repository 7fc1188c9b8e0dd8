// Resources with few items, stored as documents: part of `port.ts`.
import type { ModelChange } from '../core/model/rules/model-change.ts'

export interface ReadRepository<Item> {
  get(id: string): Promise<Item | undefined>
  /** @throws NOT_FOUND */
  find(id: string): Promise<Item>
  /** In the order of creation. */
  list(): Promise<Item[]>
  /**
   * The same, some at a time, because all together may be large.
   * @param make what the page has for an item, instead of the item; undefined: nothing
   */
  pages<Made = Item>(make?: (item: Item) => Made | undefined): AsyncGenerator<readonly Made[], void>
  /** All of them, each in its JSON, which may be made on demand. */
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

/** Pending changes of the model that records have to follow. The model contains their rules for writers. */
export interface ModelChanges extends Repository<ModelChange> {
  /** Changes that no living server performs. At the start of the only server: all of them. */
  listAbandoned(): Promise<ModelChange[]>
  /**
   * This server takes over an abandoned change: no other server writes it from now on. @returns false where another
   * server has it
   */
  adopt(id: string): Promise<boolean>
  /** The place (`PlacedRecord`) up to which the present stage is done; 0: nothing yet. */
  cursorOf(id: string): Promise<number>
  advance(id: string, cursor: number): Promise<void>
}
