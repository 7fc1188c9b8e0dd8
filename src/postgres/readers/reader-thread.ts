// A thread for long reads: judging and rendering results would block the main thread. Each task has a connection of its
// own, and does a step when it is asked for one.
import { workerData } from 'node:worker_threads'
import { failureOf, serveTasks } from '../../kernel/worker.ts'
import { buffersOf } from '../../store/reading/given-buffers.ts'
import type { ReaderPart, ReaderQuestion, ReaderTask, ReaderThreadData } from '../../store/reading/reader-messages.ts'
import { isCancelled, translateError } from '../postgres-errors.ts'
import { IdleSearchers } from './idle-searchers.ts'
import type { PostgresLocation } from '../location.ts'
import { PimletError } from '../../kernel/errors.ts'
import { isOnFacetField } from '../../core/search/rules/facets.ts'
import {
  isSearchTask,
  NO_ITEMS,
  runOtherTask,
  runSearchTask,
  type TaskStep,
  tookTooLong,
} from '../../store/reading/run-task.ts'
import { followProgram } from '../search/answer-plan.ts'
import type { Searcher } from '../search/searcher.ts'

export function runPostgresReaderThread(): void {
  const { location, timeout } = workerData as PostgresReaderData
  const searchers = new IdleSearchers(location, timeout)
  serveTasks<ReaderQuestion, ReaderPart>(
    (question) => {
      const task = new RunningTask(question, searchers, timeout)
      const next = async () => {
        const { items, total, next: position, isLast = false } = await task.next()
        return { part: { items, total, next: position }, isLast }
      }
      return { next, close: () => task.stop() }
    },
    {
      describe: (error) => failureOf(translateError(error)),
      transfer: buffersOf,
      close: () => searchers.close(),
    },
  )
}

export interface PostgresReaderData extends ReaderThreadData {
  readonly role: 'databaseReader'
  readonly location: PostgresLocation
}

class RunningTask {
  readonly #task: ReaderTask
  readonly #callerId: string | undefined
  readonly #searchers: IdleSearchers
  readonly #timeout: number
  readonly #steps: AsyncGenerator<TaskStep, void>
  #searcher: Searcher | undefined
  #cancelling: Promise<void> | undefined
  #isAsked = false
  #isStopped = false
  #spent = 0
  #begin = 0

  constructor({ task, callerId }: ReaderQuestion, searchers: IdleSearchers, timeout: number) {
    this.#task = task
    this.#callerId = callerId
    this.#searchers = searchers
    this.#timeout = timeout
    this.#steps = this.#run()
  }

  /** @throws UNAVAILABLE where it takes longer than it may */
  async next(): Promise<TaskStep> {
    this.#isAsked = true
    this.#begin = performance.now()
    try {
      const step = await this.#steps.next()
      this.#spent += performance.now() - this.#begin
      return step.value ?? { ...NO_ITEMS, isLast: true }
    } catch (error) {
      throw isCancelled(error) ? tookTooLong(this.#task.kind) : error
    } finally {
      this.#isAsked = false
    }
  }

  /** Ends it, also while a step is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#isAsked && this.#searcher !== undefined) {
      this.#cancelling = this.#searchers.cancel(this.#searcher)
      await this.#cancelling
    }
    await this.#steps.return()
  }

  async *#run(): AsyncGenerator<TaskStep, void> {
    const searcher = await this.#searchers.take(this.#callerId)
    try {
      this.#searcher = searcher
      this.#check()
      yield* this.#answer(searcher)
    } finally {
      this.#searcher = undefined
      // A late cancellation must not end the next task of the same backend process.
      await this.#cancelling?.catch(() => undefined)
      await this.#searchers.giveBack(searcher, this.#callerId)
    }
  }

  async *#answer(searcher: Searcher): AsyncGenerator<TaskStep, void> {
    const task = this.#task
    const model = await searcher.begin()
    this.#check()
    const check = (): void => this.#check()
    if (isSearchTask(task)) {
      const query = task.kind === 'search' ? task.query : task.query.search
      const ofCategories =
        task.kind === 'facets' &&
        task.query.facets.some((facet) => isOnFacetField(facet) && facet.field === 'categoryId')
      const ground = await searcher.groundOf(query, ofCategories)
      yield* followProgram(runSearchTask(task, ground), searcher, check)
      return
    }
    if (task.kind !== 'list') {
      const world = await searcher.worldOf(task.kind === 'events' && task.query.selection !== null)
      yield* followProgram(runOtherTask(task, { ...world, model }), searcher, check)
      return
    }
    throw new Error('Long lists are read elsewhere')
  }

  #check(): void {
    if (this.#isStopped) throw new PimletError('UNAVAILABLE', 'The search was stopped')
    if (this.#spent + performance.now() - this.#begin > this.#timeout) throw tookTooLong(this.#task.kind)
  }
}
