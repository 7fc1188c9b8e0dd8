// Runs the tasks of reader threads, for every engine.
import { PimletError } from '../../kernel/errors.ts'
import type { Steps } from '../../kernel/worker.ts'
import type { StoredRecord } from '../record-port.ts'
import { countCategories } from './category-tasks.ts'
import { runScore, scoreGates, scoreOfDraft } from './completeness-tasks.ts'
import { readEvents } from './event-tasks.ts'
import type { Ground, World } from './search-snapshot.ts'
import { runItems } from './item-tasks.ts'
import type { ReaderPart, ReaderTask, TaskItem, TaskStep } from './reader-messages.ts'
import { previewChange } from './preview-task.ts'
import type { SearchStep } from './read-found.ts'
import { runFacets } from './run-facets.ts'
import { runPlaces } from './run-places.ts'
import { runSearch } from './run-search.ts'
import { runSuggest } from './run-suggest.ts'
import { TaskTime } from './task-time.ts'

const NO_MORE: TaskStep = { items: [], isLast: true }

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
  score: SCORE_TOO_LONG,
  gates: SCORE_TOO_LONG,
  draft: SCORE_TOO_LONG,
  items: ITEMS_TOO_LONG,
  facets: SEARCH_TOO_LONG,
  places: SEARCH_TOO_LONG,
  suggest: SEARCH_TOO_LONG,
  preview: PREVIEW_TOO_LONG,
  events: EVENTS_TOO_LONG,
  categoryCounts: COUNT_TOO_LONG,
}

export function tookTooLong(kind: ReaderTask['kind']): PimletError {
  return new PimletError('UNAVAILABLE', TOO_LONG[kind])
}

/** Returns the steps of a task, which the main thread requests one by one. */
export function stepsOfTask(
  kind: ReaderTask['kind'],
  timeout: number,
  run: (time: TaskTime) => AsyncGenerator<TaskStep, void>,
): Required<Steps<ReaderPart>> {
  const time = new TaskTime(timeout, () => tookTooLong(kind))
  const steps = run(time)
  return {
    async next() {
      const step = await time.measure(() => steps.next())
      const { items, total, next, isLast = false } = step.value ?? NO_MORE
      return { part: { items, total, next }, isLast }
    },
    stop: () => time.stop(),
    close: () => steps.return(),
  }
}

/** Tasks that use the index. */
type SearchTask = Extract<ReaderTask, { kind: 'search' | 'suggest' | 'facets' | 'places' }>

export function isSearchTask(task: ReaderTask): task is SearchTask {
  return task.kind === 'search' || task.kind === 'suggest' || task.kind === 'facets' || task.kind === 'places'
}

export function runSearchTask(task: SearchTask, ground: Ground): AsyncGenerator<TaskStep, void> {
  switch (task.kind) {
    case 'search':
      return toTaskSteps(runSearch(task.query, ground), task.query.withoutValues === true)
    case 'suggest':
      return onlyStep(runSuggest(task.query, ground))
    case 'facets':
      return onlyStep(runFacets(task.query, ground))
    case 'places':
      return onlyStep(runPlaces(task.query, ground))
  }
}

type OtherTask = Exclude<ReaderTask, SearchTask>

export function runOtherTask(task: OtherTask, world: World): AsyncGenerator<TaskStep, void> {
  switch (task.kind) {
    case 'items':
      return toTaskSteps(runItems(task, world))
    case 'score':
      return runScore(task.query, world)
    case 'gates':
      return onlyStep(scoreGates(task.query, world))
    case 'draft':
      return onlyStep(scoreOfDraft(task.query, world))
    case 'events':
      return onlyStep(readEvents(task.query, world))
    case 'preview':
      return onlyStep(previewChange(task.query, world))
    case 'categoryCounts':
      return onlyStep(countCategories(task.catalogId, world))
  }
}

async function* onlyStep(answer: Promise<TaskItem | TaskItem[]>): AsyncGenerator<TaskStep, void> {
  yield { items: [await answer].flat(), total: null, isLast: true }
}

async function* toTaskSteps(steps: AsyncGenerator<SearchStep, void>, isHead = false): AsyncGenerator<TaskStep, void> {
  for await (const { records, ...step } of steps) yield { items: isHead ? records.map(headOf) : records, ...step }
}

/** Leaves out the values, which are most of the cost of sending a record to another thread. */
function headOf(record: StoredRecord): StoredRecord {
  return { ...record, valuesJson: '{}' }
}
