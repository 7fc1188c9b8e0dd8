// What a reader thread runs for each task, whichever engine it reads.
import { PimletError } from '../../kernel/errors.ts'
import type { SearchPosition } from '../../core/search/rules/sorting.ts'
import { type Program, within } from '../../core/search/plan/ask.ts'
import type { StoredRecord } from '../record-port.ts'
import { runCategoryCounts } from './category-tasks.ts'
import { runDraft, runGates, runScore } from './completeness-tasks.ts'
import { runEvents } from './event-tasks.ts'
import type { Ground } from './search-snapshot.ts'
import { runItems } from './item-tasks.ts'
import type { ReaderTask, TaskItem } from './reader-messages.ts'
import { runPreview } from './preview-task.ts'
import type { SearchStep } from './read-found.ts'
import { runFacets } from './run-facets.ts'
import { runSearch } from './run-search.ts'
import { runSuggest } from './run-suggest.ts'

/** What a task gives in one go, and then waits to be asked again. */
export interface TaskStep {
  readonly items: TaskItem[]
  readonly total?: number | null
  readonly next?: SearchPosition | undefined
  readonly isLast?: boolean
}

/** Nothing: others have their turn. */
export const NO_ITEMS: TaskStep = { items: [] }

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

export function tookTooLong(kind: ReaderTask['kind']): PimletError {
  return new PimletError('UNAVAILABLE', TOO_LONG[kind])
}

/** Tasks that are done by what the index says. */
type SearchTask = Extract<ReaderTask, { kind: 'search' | 'suggest' | 'facets' }>

export function isSearchTask(task: ReaderTask): task is SearchTask {
  return task.kind === 'search' || task.kind === 'suggest' || task.kind === 'facets'
}

export function runSearchTask(task: SearchTask, ground: Ground): Program<TaskStep> {
  switch (task.kind) {
    case 'search': {
      const isHead = task.query.withoutValues === true
      return within(runSearch(task.query, ground), (step) => toTaskStep(step, isHead))
    }
    case 'suggest':
      return runSuggest(task.query, ground)
    case 'facets':
      return runFacets(task.query, ground)
  }
}

type OtherTask = Exclude<ReaderTask, SearchTask | { kind: 'list' }>

export function runOtherTask(task: OtherTask, ground: Pick<Ground, 'model' | 'categories'>): Program<TaskStep> {
  const { model } = ground
  switch (task.kind) {
    case 'items':
      return within(runItems(task, model), (step) => toTaskStep(step, false))
    case 'score':
      return runScore(task.query, model)
    case 'gates':
      return runGates(task.query, model)
    case 'draft':
      return runDraft(task.query, model)
    case 'events':
      return runEvents(task.query, ground)
    case 'preview':
      return runPreview(task.query, model)
    case 'categoryCounts':
      return runCategoryCounts(task.catalogId)
  }
}

function toTaskStep({ records, ...step }: SearchStep, isHead: boolean): TaskStep {
  return { items: isHead ? records.map(headOf) : records, ...step }
}

/** What it takes to hand a record to another thread is mostly its values. */
function headOf(record: StoredRecord): StoredRecord {
  return { ...record, valuesJson: '{}' }
}
