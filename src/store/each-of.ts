// Reads all documents of one kind, where they may be too large to be in memory together.
import type { ReadRepository } from './document-port.ts'

/** Yields all items in the order of creation. One page of them is in memory at a time. */
export async function* eachOf<Item>(repository: ReadRepository<Item>): AsyncGenerator<Item, void> {
  for await (const page of repository.pages()) yield* page
}
