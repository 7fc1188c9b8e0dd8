// Use cases of bulk jobs: creating, reading, awaiting, cancelling and undoing jobs. `bulk-runner.ts` runs the jobs.
// Contract 3 §2, 3 §10.
import type { BulkAction } from './rules/bulk-actions.ts'
import {
  type BulkJobView,
  type SampleView,
  type BulkJob,
  type BulkOutcome,
  type BulkSelection,
  hasEnded,
  MAX_BULK_ERRORS,
  MAX_SAMPLES,
  readableJob,
  SHOWN_SAMPLES,
  type ErrorView,
} from '../core/jobs/rules/bulk-job.ts'
import { hasPermission, readableChanges, type Role } from '../core/accounts/rules/permissions.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { limitPassed } from '../core/records/rules/record-limit.ts'
import type { BulkError, BulkSample } from '../store/bulk-port.ts'
import type { Reads, Store, Transaction } from '../store/port.ts'
import type { Page } from '../store/record-port.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Caller } from '../core/accounts/caller.ts'
import type { ChangeBell } from '../core/feed/change-bell.ts'
import { keepAnswer } from '../core/requests/idempotent-requests.ts'
import type { AttributeRenaming } from '../core/model/rules/attribute-renaming.ts'
import { assertCanBeUndone, assertMayAct, assertMayUndo } from './bulk-checks.ts'
import { beginDetaching } from './detaching.ts'
import type { IfMatch } from '../core/records/precondition.ts'
import type { BulkRunner } from './bulk-runner.ts'
import { maySee, maySeeMessages, takeOver } from './job-owners.ts'
import { defineJob, enqueue } from '../core/jobs/queueing.ts'
import { beginRenaming } from './renaming.ts'

/** Milliseconds before `wait` tells progress alone: clients ask again at once, and each answer takes time from the job. */
const PROGRESS = 100

const HIDDEN_MESSAGE = 'Only the owner of the job sees the message: your role may not read every attribute'

interface BulkJobInput {
  readonly id?: string | undefined
  readonly name?: string | null | undefined
  readonly selection: BulkSelection
  readonly actions: readonly BulkAction[]
  readonly dryRun: boolean
}

interface BulkJobDeps {
  readonly store: Store
  readonly system: System
  readonly bell: ChangeBell
  readonly bulkRunner: BulkRunner
  /** 0: no limit. */
  readonly maxRecords: number
}

export function createBulkJobService({ store, system, bell, bulkRunner, maxRecords }: BulkJobDeps) {
  async function view(reads: Pick<Reads, 'bulkJobs'>, { role }: Caller, job: BulkJob): Promise<BulkJobView> {
    const shown = readableJob(role, job)
    if (!job.dryRun) return shown
    const page = { offset: 0, limit: SHOWN_SAMPLES }
    const samples = await reads.bulkJobs.samplesOf(job.id, 'updated', page)
    const made = job.kind === 'import' ? await reads.bulkJobs.samplesOf(job.id, 'created', page) : []
    const all = [...made, ...samples].toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
    const sample = all.slice(0, SHOWN_SAMPLES).map((one) => readableSample(role, one))
    const limit = limitPassed(job.created + (job.pictures ?? 0), job.recordsAfter ?? 0, maxRecords)
    return { ...shown, sample, ...(limit === undefined ? {} : { limit }) }
  }

  async function look(caller: Caller, id: string): Promise<BulkJobView> {
    return store.snapshot(async (reads) => view(reads, caller, await findJob(reads, caller, id)))
  }

  return {
    /**
     * Queues a job. Its records are selected when the job begins.
     * @throws PERMISSION_DENIED if the role could act on no record
     * @throws VALIDATION_ERROR for a query that does not fit the model
     * @throws CONFLICT for an ID that is taken
     * @throws RATE_LIMITED if too many jobs of the caller wait
     */
    async create(caller: Caller, input: BulkJobInput): Promise<BulkJobView> {
      const { id, name = null, selection, actions, dryRun } = input
      assertMayAct(await store.read.model(), caller.role, selection, actions)
      const job = await store.transaction(async (tx) => {
        const queued = defineJob(system, caller, { id, name, kind: 'bulk', dryRun })
        return keepAnswer(
          tx,
          caller,
          await view(tx, caller, await enqueue(tx, queued, { kind: 'bulk', selection, actions })),
        )
      })
      bulkRunner.wake()
      return job
    },

    /** Queues a job that removes a record from all lists of references, then deletes it. Throws as `beginDetaching` does. */
    async detach(caller: Caller, id: string, ifMatch: IfMatch): Promise<BulkJobView> {
      const job = await store.transaction((tx) => beginDetaching(tx, system, caller, { id, ifMatch }))
      bulkRunner.wake()
      return job
    },

    /** Lists the caller's jobs, latest first; users who manage users get all jobs. */
    async list({ id, role }: Caller, page: Page): Promise<BulkJob[]> {
      const jobs = await store.read.bulkJobs.list(hasPermission(role, 'users.manage') ? undefined : id, page)
      return jobs.map((job) => readableJob(role, job))
    },

    /**
     * `wait`: seconds to wait for a change of a job that has not ended. Progress comes ten times a second at most, the end at once.
     * @throws NOT_FOUND, RATE_LIMITED where the caller has too many waiting requests
     */
    async get(caller: Caller, id: string, wait: number, signal: AbortSignal): Promise<BulkJobView> {
      const begun = performance.now()
      const find = (present: Caller) => findJob(store.read, present, id)
      const first = await find(caller)
      const known = JSON.stringify(first)
      const newsIn = (job: BulkJob): number => {
        if (hasEnded(job) || stageOf(job) !== stageOf(first)) return 0
        return JSON.stringify(job) === known ? Infinity : begun + PROGRESS - performance.now()
      }
      const { caller: present } = await bell.lookForNews(caller, { seconds: wait, signal }, find, newsIn)
      return look(present, id)
    },

    /** @throws NOT_FOUND */
    errors: (caller: Caller, id: string, page: Page): Promise<ErrorView[]> =>
      store.snapshot(async (reads) => {
        const isShown = maySeeMessages(caller, await findJob(reads, caller, id))
        const limit = Math.min(page.limit, MAX_BULK_ERRORS - page.offset)
        const errors = limit > 0 ? await reads.bulkJobs.errorsOf(id, { ...page, limit }) : []
        return errors.map(({ line, file, message, ...error }) => ({
          ...error,
          message: isShown ? message : HIDDEN_MESSAGE,
          ...lineOf({ line, file }),
        }))
      }),

    /** Returns fewer samples than the limit if they are large. @throws NOT_FOUND */
    samples: (caller: Caller, id: string, outcome: BulkOutcome, page: Page): Promise<SampleView[]> =>
      store.snapshot(async (reads) => {
        await findJob(reads, caller, id)
        if (outcome === 'failed') return failedSamples(reads, id, page)
        const samples = await reads.bulkJobs.samplesOf(id, outcome, page)
        return samples.map((sample) => readableSample(caller.role, sample))
      }),

    /** Stops the job; its changes so far stay. @throws NOT_FOUND, CONFLICT where the job has already ended */
    cancel: (caller: Caller, id: string): Promise<BulkJobView> =>
      store.transaction(async (tx) => {
        const job = await findJob(tx, caller, id)
        if (hasEnded(job)) throw conflict(`The bulk job '${id}' has ended already`)
        if (job.kind === 'schema') await giveUp(tx, job)
        const ended = { status: 'cancelled', pausedReason: null, completedAt: system.now().toISOString() } as const
        const cancelled: BulkJob = { ...job, ...ended }
        await tx.bulkJobs.update(cancelled)
        return keepAnswer(tx, caller, await view(tx, caller, cancelled))
      }),

    /**
     * Makes the caller the owner. A job that was paused because of its owner continues.
     * @throws NOT_FOUND, CONFLICT where the job has ended, PERMISSION_DENIED where the caller lacks a permission that
     * the job needs
     */
    async takeOver(caller: Caller, id: string): Promise<BulkJobView> {
      const job = await store.transaction(async (tx) =>
        keepAnswer(tx, caller, await view(tx, caller, await takeOver(tx, system, caller, id))),
      )
      bulkRunner.wake()
      return job
    },

    /**
     * Queues a job that gives an attribute another alias. Until the job has ended, nobody can write the attribute.
     * @throws NOT_FOUND, VALIDATION_ERROR, CONFLICT for an alias that is taken and while the schema is being changed,
     * RATE_LIMITED
     */
    async renameAttribute(caller: Caller, renaming: AttributeRenaming): Promise<BulkJobView> {
      const job = await store.transaction(async (tx) => {
        const name = `${renaming.from} → ${renaming.to}`
        const queued = defineJob(system, caller, { name, kind: 'schema', dryRun: false })
        await beginRenaming(tx, system, caller, { ...renaming, jobId: queued.id })
        return keepAnswer(tx, caller, await enqueue(tx, queued, { kind: 'rename', renaming }))
      })
      bulkRunner.wake()
      return job
    },

    /**
     * Queues a job that reverts the changes of this job.
     * @throws NOT_FOUND; CONFLICT where the job has not ended, has changed nothing permanently, is undone already, or
     * its history is not kept; PERMISSION_DENIED, RATE_LIMITED
     */
    async undo(caller: Caller, id: string): Promise<BulkJobView> {
      const undo = await store.transaction(async (tx) => {
        const job = await findJob(tx, caller, id)
        await assertCanBeUndone(tx, job)
        assertMayUndo(caller.role, await tx.bulkJobs.taskOf(id))
        const queued = { ...defineJob(system, caller, { name: job.name, kind: 'undo', dryRun: false }), undoes: id }
        await tx.bulkJobs.update({ ...job, undoneBy: queued.id })
        return keepAnswer(tx, caller, await enqueue(tx, queued, { kind: 'undo', jobId: id }))
      })
      bulkRunner.wake()
      return undo
    },
  }
}

/** @throws CONFLICT for a change of the model that has begun */
async function giveUp(tx: Transaction, { id, isSelected }: BulkJob): Promise<void> {
  if (isSelected) throw conflict(`The bulk job '${id}' changes a schema: it has begun, and cannot be ended half done`)
  const change = (await tx.modelChanges.list()).find(({ jobId }) => jobId === id)
  if (change !== undefined) await tx.modelChanges.delete(change.id)
}

/** @throws NOT_FOUND also for a job that the caller may not see */
async function findJob(reads: Pick<Reads, 'bulkJobs'>, caller: Caller, id: string): Promise<BulkJob> {
  const job = await reads.bulkJobs.get(id)
  if (job === undefined || !maySee(caller, job)) throw notFound('Bulk job', id)
  return job
}

/** Changes when the job begins, pauses or continues. */
function stageOf({ status, isSelected, pausedReason }: BulkJob): string {
  return JSON.stringify([status, isSelected, pausedReason])
}

function readableSample(role: Role, { recordId, schemaId, changes, ...where }: BulkSample): SampleView {
  return { recordId, changes: readableChanges(role, schemaId, changes), ...lineOf(where) }
}

/** The members of imports. */
function lineOf({ line, file, filePlace }: Pick<BulkSample, 'line' | 'file' | 'filePlace'>) {
  return {
    ...(line === null ? {} : { line }),
    ...(typeof file === 'string' ? { file } : {}),
    ...(typeof filePlace === 'number' ? { place: filePlace } : {}),
  }
}

/** Failed records have no changes, so their samples come from the errors. The first error may belong to the job itself. */
async function failedSamples(
  { bulkJobs }: Pick<Reads, 'bulkJobs'>,
  id: string,
  { offset, limit }: Page,
): Promise<SampleView[]> {
  const isOfJob = ({ recordId, line }: BulkError): boolean => recordId === null && line === null
  const [first] = await bulkJobs.errorsOf(id, { offset: 0, limit: 1 })
  const skipped = first !== undefined && isOfJob(first) ? 1 : 0
  const atMost = Math.min(limit, MAX_SAMPLES - offset)
  const errors = atMost > 0 ? await bulkJobs.errorsOf(id, { offset: offset + skipped, limit: atMost }) : []
  return errors.map(({ recordId, ...where }) => ({ recordId, changes: [], ...lineOf(where) }))
}
