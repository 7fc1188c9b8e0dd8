// The main thread's side of categories with all that is below them, in reader threads.
import type { CategoryTreeReads } from '../search-port.ts'
import type { ReaderPool } from './reader-pool.ts'

export function threadedCategoryTrees(readers: ReaderPool): CategoryTreeReads {
  return {
    async counts(catalogId, callerId, signal) {
      const task = { kind: 'categoryCounts', catalogId } as const
      const { batches } = await readers.run<'categoryCounts'>(task, { callerId, signal })
      return (await Array.fromAsync(batches)).flat()
    },
  }
}
