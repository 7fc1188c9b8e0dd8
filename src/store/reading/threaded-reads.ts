// The reads that reader threads perform, in the form of the storage interface.
import type { CommittedReads } from '../port.ts'
import type {
  CategoryTreeReads,
  CompletenessReads,
  DraftQuery,
  GatesQuery,
  ItemReads,
  ScoreQuery,
  SearchResult,
  StoredGates,
  StoredScore,
} from '../search-port.ts'
import type { ItemTask } from './item-tasks.ts'
import type { ReaderPool } from './reader-pool.ts'
import type { ScoreItem } from './reader-messages.ts'
import type { DraftScore } from '../../core/records/rules/record-issues.ts'

export type ThreadedReads = Pick<
  CommittedReads,
  | 'search'
  | 'facets'
  | 'places'
  | 'suggest'
  | 'completeness'
  | 'items'
  | 'preview'
  | 'categoryTrees'
  | 'events'
  | 'whenSearchable'
>

export function createThreadedReads(readers: ReaderPool): ThreadedReads {
  return {
    search: (query, signal) => readers.run<'search'>({ kind: 'search', query }, { callerId: query.callerId, signal }),
    facets: async (query, signal) => {
      const { callerId } = query.search
      const { batches } = await readers.run<'facets'>({ kind: 'facets', query }, { callerId, signal })
      const [counts] = (await Array.fromAsync(batches)).flat()
      return counts!
    },
    places: async (query, signal) => {
      const { callerId } = query.search
      const { batches } = await readers.run<'places'>({ kind: 'places', query }, { callerId, signal })
      const [places] = (await Array.fromAsync(batches)).flat()
      return places!
    },
    suggest: async (query, signal) => {
      const { callerId } = query.search
      const { batches } = await readers.run<'suggest'>({ kind: 'suggest', query }, { callerId, signal })
      return (await Array.fromAsync(batches)).flat()
    },
    completeness: new ThreadedCompleteness(readers),
    items: createItemReads(readers),
    preview: async ({ callerId, ...query }, signal) => {
      const task = { kind: 'preview', query: { ...query, callerId } } as const
      const { batches } = await readers.run<'preview'>(task, { callerId, signal })
      const [effects] = (await Array.fromAsync(batches)).flat()
      return effects!
    },
    categoryTrees: threadedCategoryTrees(readers),
    events: async (query, signal) => {
      const { batches } = await readers.run<'events'>({ kind: 'events', query }, { signal })
      const [page] = (await Array.fromAsync(batches)).flat()
      return page!
    },
    whenSearchable: () => readers.whenReady(),
  }
}

function createItemReads(readers: ReaderPool): ItemReads {
  const run = (task: ItemTask, signal: AbortSignal): Promise<SearchResult> =>
    readers.run<'items'>(task, { callerId: task.callerId, signal })
  return {
    list: (query, signal) => run({ ...query, kind: 'items', of: 'list' }, signal),
    inCategory: (query, signal) => run({ ...query, kind: 'items', of: 'category' }, signal),
    get: (query, signal) => run({ ...query, kind: 'items', of: 'record' }, signal),
  }
}

function threadedCategoryTrees(readers: ReaderPool): CategoryTreeReads {
  return {
    async counts(catalogId, callerId, signal) {
      const task = { kind: 'categoryCounts', catalogId } as const
      const { batches } = await readers.run<'categoryCounts'>(task, { callerId, signal })
      return (await Array.fromAsync(batches)).flat()
    },
  }
}

class ThreadedCompleteness implements CompletenessReads {
  readonly #readers: ReaderPool

  constructor(readers: ReaderPool) {
    this.#readers = readers
  }

  async score(query: ScoreQuery, signal: AbortSignal): Promise<StoredScore> {
    const { batches } = await this.#readers.run<'score'>({ kind: 'score', query }, { callerId: query.callerId, signal })
    const first = await batches.next()
    const [score] = first.value as [Exclude<ScoreItem, string>]
    return { ...score, missingJson: batches as AsyncGenerator<string[], void> }
  }

  async gates(query: GatesQuery, signal: AbortSignal): Promise<StoredGates> {
    const { batches } = await this.#readers.run<'gates'>({ kind: 'gates', query }, { callerId: query.callerId, signal })
    const [gates] = (await Array.fromAsync(batches)).flat()
    return gates!
  }

  async draft(query: DraftQuery, signal: AbortSignal): Promise<DraftScore> {
    const { batches } = await this.#readers.run<'draft'>({ kind: 'draft', query }, { callerId: query.callerId, signal })
    const [score] = (await Array.fromAsync(batches)).flat()
    return score!
  }
}
