// The use cases of export jobs. Interface §2.9, §3.2 and §4.4; decisions §6. Everything is checked when a job is saved.
import type * as v from 'valibot'
import { invalid, notFound, shorten } from '../domain/errors.ts'
import { findFilenameFault } from '../domain/export-filename.ts'
import {
  assertFitsModel,
  type ExportJob,
  type ExportJobInput,
  type ExportJobView,
  toJobView,
} from '../domain/export-job.ts'
import { fillPlaceholders, SECRET_PLACEHOLDER, splitSecrets } from '../domain/export-secrets.ts'
import type { Reads, Store, Transaction } from '../storage/port.ts'
import type { System } from '../system.ts'
import type { Caller } from './caller.ts'
import type { ExportEngine } from './export-engine.ts'

type Input = v.InferOutput<typeof ExportJobInput>
/** What a job's writer decides, checked as far as that goes without a transaction. */
type Draft = Omit<ExportJob, 'createdAt' | 'updatedAt' | 'createdBy' | 'handledUntil'>

export function createExportJobService(deps: { store: Store; system: System; engine: ExportEngine }) {
  const { store, system, engine } = deps

  async function view(job: ExportJob): Promise<ExportJobView> {
    const [lastRun] = await store.read.exportRuns.listOf(job.id, 1)
    return toJobView(job, engine.nextRunAt(job), lastRun)
  }

  /** @throws VALIDATION_ERROR naming the field */
  async function draft(caller: Caller, id: string, input: Input, before: ExportJob | undefined): Promise<Draft> {
    const scheduleFault = engine.findScheduleFault(input.schedule, input.timezone)
    if (scheduleFault !== undefined) throw invalid(scheduleFault)
    const nameFault = findFilenameFault(input.filenameTemplate, id)
    if (nameFault !== undefined) throw invalid(`filenameTemplate ${nameFault}`)
    const { destinationType } = input
    const secretKeys = engine.secretKeysOf(destinationType)
    const stored = before?.destinationType === destinationType ? before : undefined
    const whole = fillPlaceholders(input.destinationConfig, secretKeys, (field) => openSecret(stored, field, engine))
    const known = await engine.checkConfig(destinationType, whole)
    const { open, secrets } = splitSecrets(known, secretKeys)
    const sealed = Object.entries(secrets).map(([field, value]) => [field, engine.secrets.seal(id, field, value)])
    const { id: _id, name, description, destinationConfig: _config, ...fields } = input
    return {
      id,
      name,
      description: description ?? '',
      ...fields,
      destinationConfig: open,
      secrets: Object.fromEntries(sealed) as ExportJob['secrets'],
      roleId: caller.role.id,
    }
  }

  async function setActive(id: string, active: boolean): Promise<ExportJobView> {
    const job = await store.transaction(async (tx) => {
      const before = await findJob(tx, id)
      if (before.active === active) return before
      const now = system.now().toISOString()
      const after = { ...before, active, updatedAt: now, handledUntil: now }
      await tx.exportJobs.update(after)
      return after
    })
    engine.watch(job)
    return view(job)
  }

  return {
    /** In the order of creation. */
    async list(_caller: Caller): Promise<ExportJobView[]> {
      const [jobs, latest] = [await store.read.exportJobs.list(), await store.read.exportRuns.latest()]
      return jobs.map((job) => toJobView(job, engine.nextRunAt(job), latest.get(job.id)))
    },

    /** @throws NOT_FOUND */
    get: async (_caller: Caller, id: string): Promise<ExportJobView> => view(await findJob(store.read, id)),

    /** @throws VALIDATION_ERROR naming the field, CONFLICT for an ID that exists */
    async create(caller: Caller, input: Input): Promise<ExportJobView> {
      const fields = await draft(caller, input.id ?? system.newId('job'), input, undefined)
      const job = await store.transaction(async (tx) => {
        await assertReferences(fields, tx)
        const now = system.now().toISOString()
        const made: ExportJob = { ...fields, createdAt: now, updatedAt: now, createdBy: caller.id, handledUntil: now }
        await tx.exportJobs.insert(made)
        return made
      })
      engine.watch(job)
      return view(job)
    },

    /** The caller's role becomes the one that decides what is exported. @throws NOT_FOUND, VALIDATION_ERROR naming the field */
    async replace(caller: Caller, id: string, input: Input): Promise<ExportJobView> {
      const before = await findJob(store.read, id)
      const fields = await draft(caller, id, input, before)
      // With the new settings, what runs left at the old destination would be out of reach.
      if (isElsewhere(before, fields)) await engine.sweep(before)
      const job = await store.transaction(async (tx) => {
        const present = await findJob(tx, id)
        await assertReferences(fields, tx)
        const now = system.now().toISOString()
        const { createdAt, createdBy } = present
        const secrets = { ...fields.secrets, ...keptSecrets(input, present, engine) }
        const after: ExportJob = { ...fields, secrets, createdAt, updatedAt: now, createdBy, handledUntil: now }
        await tx.exportJobs.update(after)
        return after
      })
      engine.watch(job)
      return view(job)
    },

    /** With its history. A run that goes on is cancelled first. @throws NOT_FOUND */
    async delete(_caller: Caller, id: string): Promise<void> {
      const job = await findJob(store.read, id)
      await engine.retire(job, () =>
        store.transaction(async (tx) => {
          await findJob(tx, id)
          await tx.exportJobs.delete(id)
        }),
      )
    },

    /** @throws NOT_FOUND */
    pause: (_caller: Caller, id: string): Promise<ExportJobView> => setActive(id, false),

    /** The schedule goes on at its next match. @throws NOT_FOUND */
    resume: (_caller: Caller, id: string): Promise<ExportJobView> => setActive(id, true),
  }
}

export type ExportJobService = ReturnType<typeof createExportJobService>

/** @throws NOT_FOUND */
export async function findJob(reads: Reads, id: string): Promise<ExportJob> {
  const job = await reads.exportJobs.get(id)
  if (job === undefined) throw notFound('Export job', id)
  return job
}

async function assertReferences(fields: Draft, tx: Transaction): Promise<void> {
  const model = await tx.model()
  assertFitsModel(fields, model)
  if (!model.roles.has(fields.roleId)) throw invalid('Your role was deleted meanwhile')
  const { catalogId } = fields
  if (catalogId !== null && (await tx.catalogs.get(catalogId)) === undefined)
    throw invalid(`catalogId names the unknown catalog '${shorten(catalogId, 128)}'`)
}

/** The stored secret of a field; undefined where there is none. @throws VALIDATION_ERROR where it cannot be read any more */
function openSecret(job: ExportJob | undefined, field: string, engine: ExportEngine): unknown {
  if (job === undefined || !Object.hasOwn(job.secrets, field)) return undefined
  try {
    return engine.secrets.open(job.id, field, job.secrets[field]!)
  } catch {
    throw invalid(`destinationConfig.${field} is stored but cannot be read any more: send the secret`)
  }
}

/** As they are now, those whose placeholder was sent: somebody may have replaced them since the job was looked at. */
function keptSecrets(input: Input, present: ExportJob, engine: ExportEngine): ExportJob['secrets'] {
  if (present.destinationType !== input.destinationType) return {}
  const { secrets } = splitSecrets(input.destinationConfig, engine.secretKeysOf(input.destinationType))
  return Object.fromEntries(Object.entries(present.secrets).filter(([field]) => secrets[field] === SECRET_PLACEHOLDER))
}

function isElsewhere(before: ExportJob, after: Draft): boolean {
  return (
    before.destinationType !== after.destinationType ||
    JSON.stringify(before.destinationConfig) !== JSON.stringify(after.destinationConfig)
  )
}
