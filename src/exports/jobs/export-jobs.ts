// The use cases of export jobs. Contract 1 §2.9, 1 §3.2, 1 §4.4, 2 §6. Everything is checked when a job is saved.
import type * as v from 'valibot'
import { asOwnerOf, isOwner, OwnerFault } from '../../core/accounts/rules/owner.ts'
import { ADMIN_ROLE_ID } from '../../core/accounts/rules/permissions.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import { findFilenameFault } from '../rules/export-filename.ts'
import { type ExportJob, type ExportJobInput, type ExportJobView, toJobView } from '../rules/export-job.ts'
import { type ExportRun, type ExportRunView, toRunView } from '../rules/export-run.ts'
import { keepColumns, keepFiles, showContent } from '../rules/hidden-texts.ts'
import { defineSelection } from '../rules/job-selection.ts'
import { findJobRole } from '../../store/owners.ts'
import type { Reads, Store, Transaction } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../../core/accounts/caller.ts'
import { keepAnswer } from '../../core/requests/idempotent-requests.ts'
import type { ExportEngine } from './export-engine.ts'
import { assertContent } from './job-content.ts'
import { noteJobChange } from '../../core/model/model-entries.ts'
import { haveSameContent, ownerAfter, resumed, takenOver, type Unowned } from './export-job-owners.ts'
import { haveSameSettings, prepareSettings, withoutSettings } from './job-settings.ts'

type Input = v.InferOutput<typeof ExportJobInput>
/** The fields of a job that its writer decides, checked as far as possible without a transaction. */
type Draft = Omit<Unowned, 'createdAt' | 'updatedAt' | 'createdBy' | 'handledUntil'>

/** Attempts to store a job while others change its settings. */
const MAX_ATTEMPTS = 8

interface SchedulePreview {
  readonly schedule: string
  readonly timezone: string
  readonly count: number
}

export function createExportJobService(deps: { store: Store; system: System; engine: ExportEngine }) {
  const { store, system, engine } = deps

  const viewOf = (run: ExportRun): ExportRunView => toRunView(run, engine.progressOf(run.id))

  async function view({ role }: Caller, job: ExportJob, reads: Reads = store.read): Promise<ExportJobView> {
    const [lastRun] = await reads.exportRuns.listOf(job.id, 1)
    const content = showContent(job, await reads.model(), role)
    return toJobView(job, { nextRunAt: engine.nextRunAt(job), lastRun: lastRun && viewOf(lastRun), ...content })
  }

  /** @throws VALIDATION_ERROR naming the field */
  async function draft(
    id: string,
    input: Input,
    before: ExportJob | undefined,
    prepare = prepareSettings,
  ): Promise<Draft> {
    const scheduleFault = engine.findScheduleFault(input.schedule, input.timezone)
    if (scheduleFault !== undefined) throw invalid(scheduleFault)
    const fullFault = input.delta?.fullEvery && engine.findScheduleFault(input.delta.fullEvery, input.timezone)
    if (fullFault) throw invalid(fullFault.replace(/^schedule/, 'delta.fullEvery'))
    const nameFault = findFilenameFault(input.filenameTemplate, id)
    if (nameFault !== undefined) throw invalid(`filenameTemplate ${nameFault}`)
    const { id: _id, name, description, destinationConfig: config, ...fields } = input
    const settings = await prepare(engine, { jobId: id, type: input.destinationType, config }, before)
    return {
      id,
      name,
      description: description ?? '',
      ...fields,
      ...settings,
      ...defineContent(input, before),
      pausedReason: null,
      resumesWithOwner: false,
    }
  }

  /** Undefined if the settings changed meanwhile: the secrets may belong to another address now. */
  async function tryReplace(caller: Caller, before: ExportJob, input: Input): Promise<ExportJob | undefined> {
    const fields = await draft(before.id, input, before)
    // The new settings could not remove leftovers at the old destination.
    if (isElsewhere(before, fields)) await engine.sweep(before)
    return store.transaction(async (tx) => {
      const present = await tx.exportJobs.find(before.id)
      if (!haveSameSettings(before, present)) return undefined
      const now = system.now().toISOString()
      const { createdAt, createdBy } = present
      // Texts that are hidden from the writer keep their present content: another request may have changed them.
      const content = defineContent(input, present)
      const unowned = { ...fields, ...content, createdAt, updatedAt: now, createdBy, handledUntil: now }
      const owned = { ...unowned, ...ownerAfter(caller, present, unowned, engine) }
      const after = stillPaused(owned, present)
      await assertContent(after, input.selection, await judgeOf(caller, present, after, tx), tx, present.selection)
      await tx.exportJobs.update(after)
      noteJobChange(tx, system, caller, present, after)
      return after
    })
  }

  async function setActive(caller: Caller, id: string, active: boolean): Promise<ExportJobView> {
    const [job, shown] = await store.transaction(async (tx) => {
      const before = await tx.exportJobs.find(id)
      if (before.active === active)
        return [before, await keepAnswer(tx, caller, await view(caller, before, tx))] as const
      if (active) await assertOwnerMay(tx, before)
      const after = resumed(before, active, system.now().toISOString())
      await tx.exportJobs.update(after)
      noteJobChange(tx, system, caller, before, after)
      return [after, await keepAnswer(tx, caller, await view(caller, after, tx))] as const
    })
    engine.watch(job)
    return shown
  }

  /** A job that was paused for its owner resumes only when the owner may run it. @throws CONFLICT */
  async function assertOwnerMay(tx: Transaction, job: ExportJob): Promise<void> {
    if (job.pausedReason?.code !== 'OWNER') return
    await findJobRole(tx, system.now(), job).catch((error: unknown) => {
      throw error instanceof OwnerFault ? conflict(`${error.message}: take the export job '${job.id}' over`) : error
    })
  }

  return {
    /** In the order of creation. */
    async *list({ role }: Caller): AsyncGenerator<readonly ExportJobView[], void> {
      const [latest, model] = await store.snapshot(
        async (reads) => [await reads.exportRuns.latest(), await reads.model()] as const,
      )
      yield* store.read.exportJobs.pages((job) => {
        const content = showContent(job, model, role)
        const lastRun = latest.get(job.id)
        return toJobView(job, { nextRunAt: engine.nextRunAt(job), lastRun: lastRun && viewOf(lastRun), ...content })
      })
    },

    /** The next matches of a schedule. @throws VALIDATION_ERROR for an invalid schedule, or one without matches */
    async previewSchedule(
      _caller: Caller,
      { schedule, timezone, count }: SchedulePreview,
    ): Promise<{ next: string[] }> {
      const fault = engine.findScheduleFault(schedule, timezone)
      if (fault !== undefined) throw invalid(fault)
      return { next: engine.nextMatches(schedule, timezone, count).map((match) => match.toISOString()) }
    },

    /**
     * The job that a create or PUT would store. With the ID of a stored job, placeholders keep the secrets of that job.
     * `isForFile`: the settings of the destination are neither checked nor kept.
     * @throws VALIDATION_ERROR naming the field, PERMISSION_DENIED
     */
    async draft(caller: Caller, input: Input, { isForFile = false } = {}): Promise<ExportJob> {
      const before = input.id === undefined ? undefined : await store.read.exportJobs.get(input.id)
      const prepare = isForFile ? withoutSettings : prepareSettings
      const fields = await draft(input.id ?? system.newId('job'), input, before, prepare)
      await assertContent(fields, input.selection, caller, store.read, before?.selection)
      const now = system.now().toISOString()
      return {
        ...fields,
        ...asOwnerOf(caller),
        createdAt: now,
        updatedAt: now,
        createdBy: caller.id,
        handledUntil: now,
      }
    },

    /** @throws NOT_FOUND */
    get: async (caller: Caller, id: string): Promise<ExportJobView> =>
      view(caller, await store.read.exportJobs.find(id)),

    /** @throws VALIDATION_ERROR naming the field, CONFLICT for an ID that exists */
    async create(caller: Caller, input: Input): Promise<ExportJobView> {
      const fields = await draft(input.id ?? system.newId('job'), input, undefined)
      const [job, shown] = await store.transaction(async (tx) => {
        await assertContent(fields, input.selection, caller, tx)
        const now = system.now().toISOString()
        const times = { createdAt: now, updatedAt: now, handledUntil: now }
        const made: ExportJob = { ...fields, ...asOwnerOf(caller), ...times, createdBy: caller.id }
        await tx.exportJobs.insert(made)
        noteJobChange(tx, system, caller, undefined, made)
        return [made, await keepAnswer(tx, caller, await view(caller, made, tx))] as const
      })
      engine.watch(job)
      return shown
    },

    /**
     * A caller who changes the content or the address of the job becomes its owner.
     * @throws NOT_FOUND, VALIDATION_ERROR naming the field, CONFLICT if others keep changing the destination
     */
    async replace(caller: Caller, id: string, input: Input): Promise<ExportJobView> {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const job = await tryReplace(caller, await store.read.exportJobs.find(id), input)
        if (job === undefined) continue
        engine.watch(job)
        return view(caller, job)
      }
      throw conflict(`The destination of the export job '${id}' is being changed by another request: try again`)
    },

    /** Deletes the job with its history; a running run is cancelled first. @throws NOT_FOUND */
    async delete(caller: Caller, id: string): Promise<void> {
      const job = await store.read.exportJobs.find(id)
      await engine.retire(job, () =>
        store.transaction(async (tx) => {
          const present = await tx.exportJobs.find(id)
          await tx.exportJobs.delete(id)
          noteJobChange(tx, system, caller, present, undefined)
        }),
      )
    },

    /** @throws NOT_FOUND */
    pause: (caller: Caller, id: string): Promise<ExportJobView> => setActive(caller, id, false),

    /** The schedule continues at its next match. @throws NOT_FOUND, CONFLICT if the owner may not run the job */
    resume: (caller: Caller, id: string): Promise<ExportJobView> => setActive(caller, id, true),

    /** The caller becomes the owner. @throws NOT_FOUND, PERMISSION_DENIED where the caller may not do all that the job does */
    async takeOver(caller: Caller, id: string): Promise<ExportJobView> {
      const [job, shown] = await store.transaction(async (tx) => {
        const before = await tx.exportJobs.find(id)
        const after = await takenOver(caller, before, tx, system.now().toISOString())
        await tx.exportJobs.update(after)
        noteJobChange(tx, system, caller, before, after)
        return [after, await keepAnswer(tx, caller, await view(caller, after, tx))] as const
      })
      engine.watch(job)
      return shown
    },
  }
}

export type ExportJobService = ReturnType<typeof createExportJobService>

/** With the stored data that placeholders stand for. @throws VALIDATION_ERROR */
function defineContent(input: Input, before: ExportJob | undefined) {
  return {
    selection: defineSelection(input.selection, before?.selection),
    columns: keepColumns(input, before),
    files: keepFiles(input, before),
  }
}

/** A caller who leaves content and owner as they are writes nothing that the role may not read. */
async function judgeOf(caller: Caller, before: ExportJob, after: ExportJob, tx: Transaction): Promise<Caller> {
  const admin = (await tx.model()).roles.get(ADMIN_ROLE_ID)
  const isKept = isOwner({ id: after.ownerId, kind: after.ownerKind }, before) && haveSameContent(before, after)
  return admin !== undefined && isKept ? { ...caller, role: admin } : caller
}

/** A job that stays inactive keeps the server's reason, unless the reason was about another owner. */
function stillPaused(after: ExportJob, { pausedReason, resumesWithOwner, ownerId, ownerKind }: ExportJob): ExportJob {
  const isOther = after.ownerId !== ownerId || after.ownerKind !== ownerKind
  if (after.active || (pausedReason?.code === 'OWNER' && isOther)) return after
  return { ...after, pausedReason, resumesWithOwner }
}

function isElsewhere(before: ExportJob, after: Draft): boolean {
  return (
    before.destinationType !== after.destinationType ||
    JSON.stringify(before.destinationConfig) !== JSON.stringify(after.destinationConfig)
  )
}
