// A thread for long reads, because judging and rendering results would block the main thread. Each task has its own
// connection, and runs one step for each request.
import { workerData } from 'node:worker_threads'
import { failureOf, serveTasks, type Step, type Steps } from '../../kernel/worker.ts'
import { buffersOf } from '../../store/reading/given-buffers.ts'
import type {
  ReaderPart,
  ReaderQuestion,
  ReaderTask,
  ReaderThreadData,
  TaskStep,
} from '../../store/reading/reader-messages.ts'
import { isOnFacetField } from '../../core/search/rules/facets.ts'
import { isSearchTask, runOtherTask, runSearchTask, stepsOfTask, tookTooLong } from '../../store/reading/run-task.ts'
import type { TaskTime } from '../../store/reading/task-time.ts'
import { isCancelled, translateError } from '../postgres-errors.ts'
import type { Searcher } from '../search/searcher.ts'
import type { PostgresLocation } from '../location.ts'
import { IdleSearchers } from './idle-searchers.ts'

export function runPostgresReaderThread(): void {
  const { location, timeout } = workerData as PostgresReaderData
  const searchers = new IdleSearchers(location, timeout)
  serveTasks<ReaderQuestion, ReaderPart>((question) => new RunningTask(question, searchers, timeout), {
    describe: (error) => failureOf(translateError(error)),
    transfer: buffersOf,
    close: () => searchers.close(),
  })
}

export interface PostgresReaderData extends ReaderThreadData {
  readonly role: 'databaseReader'
  readonly location: PostgresLocation
}

/** One task with its own connection. While the database works, another connection can stop the task. */
class RunningTask implements Steps<ReaderPart> {
  readonly #task: ReaderTask
  readonly #callerId: string | undefined
  readonly #searchers: IdleSearchers
  readonly #steps: Required<Steps<ReaderPart>>
  #searcher: Searcher | undefined
  #cancelling: Promise<void> | undefined
  #isAsked = false

  constructor({ task, callerId }: ReaderQuestion, searchers: IdleSearchers, timeout: number) {
    this.#task = task
    this.#callerId = callerId
    this.#searchers = searchers
    this.#steps = stepsOfTask(task.kind, timeout, (time) => this.#run(time))
  }

  /** @throws UNAVAILABLE if the task exceeds its time */
  async next(): Promise<Step<ReaderPart>> {
    this.#isAsked = true
    try {
      return await this.#steps.next()
    } catch (error) {
      throw isCancelled(error) ? tookTooLong(this.#task.kind) : error
    } finally {
      this.#isAsked = false
    }
  }

  /** Ends the task, even while a step is under way. */
  async close(): Promise<void> {
    this.#steps.stop()
    if (this.#isAsked && this.#searcher !== undefined) {
      this.#cancelling = this.#searchers.cancel(this.#searcher)
      await this.#cancelling
    }
    await this.#steps.close()
  }

  async *#run(time: TaskTime): AsyncGenerator<TaskStep, void> {
    const searcher = await time.wait(this.#searchers.take(this.#callerId))
    try {
      this.#searcher = searcher
      await time.breathe()
      await searcher.begin()
      await time.breathe()
      yield* await this.#answer(searcher, time)
    } finally {
      this.#searcher = undefined
      // A cancellation that comes too late must not end a statement of the next task.
      await this.#cancelling?.catch(() => undefined)
      await this.#searchers.giveBack(searcher, this.#callerId)
    }
  }

  async #answer(searcher: Searcher, time: TaskTime): Promise<AsyncGenerator<TaskStep, void>> {
    const task = this.#task
    if (!isSearchTask(task))
      return runOtherTask(task, await searcher.worldOf(time, task.kind === 'events' && task.query.selection !== null))
    const query = task.kind === 'search' ? task.query : task.query.search
    const ofCategories =
      task.kind === 'facets' && task.query.facets.some((facet) => isOnFacetField(facet) && facet.field === 'categoryId')
    return runSearchTask(task, await searcher.groundOf(query, time, ofCategories))
  }
}
