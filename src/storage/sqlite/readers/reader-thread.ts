// A thread for reads that may be long. Each task has a connection of its own, so its own snapshot, and runs in short
// steps when the main thread asks for them: tasks take turns, and a stopped one ends at its next step.
import { parentPort, workerData } from 'node:worker_threads'
import { PimletError } from '../../../domain/errors.ts'
import { isDamage, shareCache, translateError } from '../connection.ts'
import { SnapshotMissed } from '../search/pending.ts'
import { runSearch } from '../search/run-search.ts'
import { runSuggest } from '../search/run-suggest.ts'
import { runFacets } from '../search/run-facets.ts'
import { beginSnapshot, endSnapshot, openSearcher, type Searcher, type SearchSnapshot } from '../search/searcher.ts'
import { runCategoryCounts } from './category-tasks.ts'
import { runDraft, runGates, runScore } from './completeness-tasks.ts'
import { runEvents } from './event-tasks.ts'
import { runItems } from './item-tasks.ts'
import { runPreview } from './preview-task.ts'
import type { FromReaderThread, ReaderTask, ReaderThreadData, TaskItem, ToReaderThread } from './messages.ts'
import type { StoredRecord } from '../../record-port.ts'
import type { SearchQuery } from '../../search-port.ts'
import type { SearchPosition } from '../../../domain/search/sorting.ts'

/** Connections that are kept open for the next task. */
const KEPT_CONNECTIONS = 4

const SEARCH_TOO_LONG =
  'The search took too long. Narrow it: name a schema, ask for a page by limit, use equals or a longer text, or drop a scope.'
const SCORE_TOO_LONG =
  'The completeness took too long to score (--query-timeout). Have fewer criteria in the guards of the schema, or shorter texts.'
const ITEMS_TOO_LONG =
  'The list took too long (--query-timeout). Narrow it: ask for fewer records by limit, or include less of each.'
const PREVIEW_TOO_LONG = 'Looking at the records took too long (--query-timeout): there are too many for a preview.'
const EVENTS_TOO_LONG = 'Reading the events took too long (--query-timeout).'
const COUNT_TOO_LONG = 'Looking through the categories took too long (--query-timeout).'
const TOO_LONG: Record<ReaderTask['kind'], string> = {
  search: SEARCH_TOO_LONG,
  list: SEARCH_TOO_LONG,
  score: SCORE_TOO_LONG,
  gates: SCORE_TOO_LONG,
  draft: SCORE_TOO_LONG,
  items: ITEMS_TOO_LONG,
  facets: SEARCH_TOO_LONG,
  suggest: SEARCH_TOO_LONG,
  preview: PREVIEW_TOO_LONG,
  events: EVENTS_TOO_LONG,
  categoryCounts: COUNT_TOO_LONG,
}

const DAMAGED = 'The search index could not be read. Where it is damaged, it is made anew now: try again in a moment.'

/** What a task gives in one go, and then waits to be asked again. */
interface TaskStep {
  readonly items: TaskItem[]
  readonly total?: number | null
  readonly next?: SearchPosition | undefined
  readonly isLast?: boolean
}

interface RunningTask {
  readonly reader: Searcher
  readonly kind: ReaderTask['kind']
  readonly steps: Iterator<TaskStep, void>
  /** Milliseconds. */
  spent: number
}

const NO_MORE: TaskStep = { items: [], isLast: true }

export function runReaderThread(): void {
  const data = workerData as ReaderThreadData
  const port = parentPort!
  const idle: Searcher[] = []
  const running = new Map<number, RunningTask>()

  const post = (message: FromReaderThread): void => port.postMessage(message)

  const end = (id: number): void => {
    const task = running.get(id)
    if (task === undefined) return
    running.delete(id)
    task.steps.return?.()
    endSnapshot(task.reader)
    if (idle.length < KEPT_CONNECTIONS) idle.push(task.reader)
    else task.reader.db.close()
  }

  const advance = (id: number): void => {
    const task = running.get(id)
    if (task === undefined) {
      post({ kind: 'failed', id, code: 'UNAVAILABLE', message: 'The search was stopped' })
      return
    }
    const begin = performance.now()
    try {
      const step = task.steps.next()
      task.spent += performance.now() - begin
      if (task.spent > data.timeout) throw new PimletError('UNAVAILABLE', TOO_LONG[task.kind])
      const { items, total, next, isLast = false } = step.value ?? NO_MORE
      if (isLast) end(id)
      post({ kind: 'step', id, items, total, next, isLast })
    } catch (error) {
      end(id)
      const { code, message } = asPimletError(error)
      post({ kind: 'failed', id, code, message, isDamage: isDamage(error) })
    }
  }

  port.on('message', (message: ToReaderThread) => {
    if (message.kind === 'close') {
      for (const id of running.keys()) end(id)
      for (const reader of idle) reader.db.close()
      port.close()
    } else if (message.kind === 'stop') {
      end(message.id)
    } else {
      if (message.kind === 'start') {
        const reader = idle.pop() ?? openSearcher(data)
        shareCache(reader.db, running.size + 1)
        const { task } = message
        running.set(message.id, { kind: task.kind, reader, steps: runTask(task, reader), spent: 0 })
      }
      advance(message.id)
    }
  })
}

function* runTask(task: ReaderTask, reader: Searcher): Generator<TaskStep, void> {
  if (task.kind === 'list') {
    const { items, total } = reader.records.listNow(task.filter, task.page)
    yield { items, total, isLast: true }
    return
  }
  if (task.kind === 'search') {
    const { query } = task
    yield* onFreshSnapshot(reader, (snapshot) => runSearchTask(query, reader, snapshot))
    return
  }
  if (task.kind === 'suggest') {
    yield* onFreshSnapshot(reader, (snapshot) => runSuggest(task.query, reader, snapshot))
    return
  }
  if (task.kind === 'facets') {
    yield* onFreshSnapshot(reader, (snapshot) => runFacets(task.query, reader, snapshot))
    return
  }
  beginSnapshot(reader)
  if (task.kind === 'items') {
    for (const { records, ...step } of runItems(task, reader)) yield { items: records, ...step }
    return
  }
  yield* runOnSnapshot(task, reader)
}

function runOnSnapshot(
  task: Exclude<ReaderTask, { kind: 'list' | 'search' | 'suggest' | 'facets' | 'items' }>,
  reader: Searcher,
): Generator<TaskStep, void> {
  switch (task.kind) {
    case 'score':
      return runScore(task.query, reader)
    case 'gates':
      return runGates(task.query, reader)
    case 'draft':
      return runDraft(task.query, reader)
    case 'events':
      return runEvents(task.query, reader)
    case 'preview':
      return runPreview(task.query, reader)
    case 'categoryCounts':
      return runCategoryCounts(task.catalogId, reader)
  }
}

/** Again, where the index has moved on between its snapshot and that of the records: that shows before anything is found. */
function* onFreshSnapshot(
  reader: Searcher,
  steps: (snapshot: SearchSnapshot) => Generator<TaskStep, void>,
): Generator<TaskStep, void> {
  for (;;) {
    const snapshot = beginSnapshot(reader)
    try {
      yield* steps(snapshot)
      return
    } catch (error) {
      if (!(error instanceof SnapshotMissed)) throw error
      endSnapshot(reader)
    }
  }
}

function* runSearchTask(query: SearchQuery, reader: Searcher, snapshot: SearchSnapshot): Generator<TaskStep, void> {
  for (const { records, ...step } of runSearch(query, reader.sql, snapshot))
    yield { items: query.withoutValues === true ? records.map(headOf) : records, ...step }
}

/** What it takes to hand a record to another thread is mostly its values. */
function headOf(record: StoredRecord): StoredRecord {
  return { ...record, valuesJson: '{}' }
}

function asPimletError(error: unknown): PimletError {
  if (isDamage(error)) return new PimletError('UNAVAILABLE', DAMAGED)
  const translated = translateError(error)
  if (translated instanceof PimletError) return translated
  return new PimletError('INTERNAL_ERROR', error instanceof Error ? (error.stack ?? error.message) : String(error))
}
