// Use cases of imports as a resource: a file is uploaded, mapped, tried and imported by jobs. Contract 3 §4, 3 §11.
import type { BulkRunner } from '../bulk/bulk-runner.ts'
import type { Caller } from '../core/accounts/caller.ts'
import { hasPermission } from '../core/accounts/rules/permissions.ts'
import { PLAIN_CELLS } from '../core/csv/csv-header.ts'
import type { Decimal } from '../core/csv/source-dialect.ts'
import { type ChangeBell, newsNow } from '../core/feed/change-bell.ts'
import { defineJob, enqueue } from '../core/jobs/queueing.ts'
import type { BulkJob, BulkTask } from '../core/jobs/rules/bulk-job.ts'
import type { Model } from '../core/model/rules/model.ts'
import { keepAnswer } from '../core/requests/idempotent-requests.ts'
import { conflict, invalid, notFound, PimletError, shorten } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Reads, Store } from '../store/port.ts'
import type { Page } from '../store/record-port.ts'
import { failedRows } from './failed-rows.ts'
import { decimalOf } from './file-decimal.ts'
import { headerOf } from './file-header.ts'
import type { ImportFiles } from './readers/import-files.ts'
import { assertCatalogs, namedProfile } from './import-profiles.ts'
import { type FileToInspect, inspectFile, NO_COLUMNS } from './inspecting.ts'
import type { Duplicates, ImportQuestion, ReadOptions } from './rules/import-outcome.ts'
import type { ImportPlan } from './rules/import-profile.ts'
import { assertMayImport, assertMayMap, assertMayWriteRecords } from './rules/import-rights.ts'
import { settingOf } from './rules/import-setting.ts'
import {
  type ImportDetails,
  type ImportUpload,
  KEEP_IMPORT_DAYS,
  MAX_IMPORTS,
  type UploadedFile,
  type UploadFormat,
} from './rules/import-upload.ts'
import { withParts } from './rules/planned-model.ts'
import { isZipMapping, targetOf, type UploadPlan } from './rules/zip-mapping.ts'
import {
  assertMaySeeRows,
  assertRests,
  findRows,
  findUpload,
  jobsOf,
  summaryOf,
  type UploadSummary,
  type UploadView,
  viewOf,
} from './upload-views.ts'
import { inspectZip } from './zip/zip-files.ts'

const DAY = 86_400_000
/** Jobs of one import that stay listed. */
const MAX_JOBS = 50

interface UploadInput extends ReadOptions {
  readonly fileName: string
  readonly schemaId?: string | undefined
}

/** Parameters of a request that begins a job. */
interface Beginning {
  readonly decimal?: Decimal | undefined
  readonly duplicates?: Duplicates | undefined
}

interface UploadDeps {
  readonly store: Store
  readonly system: System
  readonly bell: ChangeBell
  readonly bulkRunner: BulkRunner
  readonly importFiles: ImportFiles
}

export function createUploadService(deps: UploadDeps) {
  const { store, system, bell, bulkRunner, importFiles } = deps

  async function look(caller: Caller, id: string): Promise<UploadView> {
    return store.snapshot(async (reads) => viewOf(reads, caller, await findUpload(reads, caller, id)))
  }

  /** Finds an import that is ready for a job. */
  async function findReady(reads: Pick<Reads, 'imports' | 'bulkJobs' | 'model'>, caller: Caller, id: string) {
    const upload = await findUpload(reads, caller, id)
    const { mapping } = await reads.imports.detailsOf(id)
    if (mapping === null) throw conflict(`The import '${id}' has no mapping yet: PUT /api/v1/imports/${id}/mapping`)
    await assertRests(reads, upload)
    assertMayImport(caller.role, mapping, await reads.model())
    return { upload, mapping }
  }

  async function decimalFor(upload: ImportUpload, mapping: UploadPlan, signal: AbortSignal) {
    return isZipMapping(mapping) ? null : decimalOf({ store, files: importFiles }, upload, mapping, signal)
  }

  async function queue(
    caller: Caller,
    id: string,
    { dryRun, decimal: said, duplicates }: Beginning & { readonly dryRun: boolean },
    signal: AbortSignal,
  ): Promise<BulkJob> {
    assertMayWriteRecords(caller.role)
    const found = await store.snapshot((reads) => findReady(reads, caller, id))
    if (!(await importFiles.has(id))) throw notFound('The file of the import', id)
    const decimal = said ?? (await decimalFor(found.upload, found.mapping, signal))
    const job = await store.transaction(async (tx) => {
      const { upload, mapping } = await findReady(tx, caller, id)
      if (JSON.stringify(mapping) !== JSON.stringify(found.mapping))
        throw conflict(`The mapping of the import '${id}' has changed since`)
      const queued = { ...defineJob(system, caller, { name: upload.fileName, kind: 'import', dryRun }), importId: id }
      const task: BulkTask = { kind: 'import', importId: id, mapping, duplicates }
      const jobIds = [...upload.jobIds, queued.id].slice(-MAX_JOBS)
      const isDecimalSaid = said !== undefined || upload.isDecimalSaid === true
      await tx.imports.update({ ...upload, jobIds, ...(upload.format === 'csv' ? { decimal, isDecimalSaid } : {}) })
      return keepAnswer(tx, caller, await enqueue(tx, queued, task))
    })
    bulkRunner.wake()
    return job
  }

  async function inspect(
    { format, ...file }: Omit<FileToInspect, 'format'> & { readonly format: UploadFormat },
    view: Parameters<typeof inspectFile>[2],
    signal: AbortSignal,
  ) {
    if (format !== 'zip')
      return { ...(await inspectFile(importFiles, { ...file, format }, view, signal)), zip: undefined }
    return { ...NO_COLUMNS, schemaId: file.schemaId ?? null, zip: await importFiles.withFile(file.name, inspectZip) }
  }

  return {
    /**
     * Keeps the file, and inspects it.
     * @throws VALIDATION_ERROR for an unreadable file or an unknown schema, PAYLOAD_TOO_LARGE, LIMIT_EXCEEDED,
     * UNAVAILABLE
     */
    async create(caller: Caller, file: UploadedFile, input: UploadInput, signal: AbortSignal): Promise<UploadView> {
      assertMayWriteRecords(caller.role)
      const { fileName, schemaId, ...how } = input
      const model = await store.read.model()
      if (schemaId !== undefined && !model.schemas.has(schemaId))
        throw invalid(`query.schemaId names the unknown schema '${shorten(schemaId, 128)}'`)
      await assertRoom(store.read)
      const id = system.newId('imp')
      const size = await importFiles.keep(id, file.chunks)
      try {
        const { format } = file
        const view = { model, role: caller.role }
        const { columns, zip, ...found } = await inspect({ name: id, format, how, schemaId }, view, signal)
        const upload = {
          id,
          fileName,
          size,
          format,
          ...found,
          profileId: null,
          isDecimalSaid: how.decimal !== undefined,
          isMapped: false,
          jobIds: [],
          ...dates(caller),
        }
        return await store.transaction(async (tx) => {
          await assertRoom(tx)
          await tx.imports.insert(upload, { columns, mapping: null, zip })
          return keepAnswer(tx, caller, await viewOf(tx, caller, upload))
        })
      } catch (error) {
        await importFiles.remove(id)
        throw error
      }
    },

    /** Lists the caller's imports, latest first; users who manage users get all imports. */
    list: ({ id, role }: Caller, page: Page): Promise<UploadSummary[]> =>
      store.snapshot(async (reads) => {
        const uploads = await reads.imports.list(hasPermission(role, 'users.manage') ? undefined : id, page)
        return Promise.all(uploads.map((upload) => summaryOf(reads, upload)))
      }),

    /**
     * `wait`: seconds to wait for a change.
     * @throws NOT_FOUND, RATE_LIMITED where the caller has too many waiting requests
     */
    async get(caller: Caller, id: string, wait: number, signal: AbortSignal): Promise<UploadView> {
      const lookAs = (present: Caller) => look(present, id)
      const first = JSON.stringify(await lookAs(caller))
      const newsIn = (view: UploadView): number => newsNow(JSON.stringify(view) !== first)
      return (await bell.lookForNews(caller, { seconds: wait, signal }, lookAs, newsIn)).seen
    },

    /**
     * @throws NOT_FOUND
     * @throws VALIDATION_ERROR if the mapping does not fit the model or the file
     * @throws CONFLICT while a job is under way
     * @throws PERMISSION_DENIED if `matchBy` is hidden from the caller, or the present mapping of another owner names a
     * hidden attribute
     */
    map: (caller: Caller, id: string, choice: MappingChoice): Promise<UploadView> =>
      store.transaction(async (tx) => {
        assertMayWriteRecords(caller.role)
        const upload = await findRows(tx, caller, id)
        await assertRests(tx, upload)
        const details = await tx.imports.detailsOf(id)
        const profileId = 'profileId' in choice ? choice.profileId : null
        const [mapping, model] = [await planOf(tx, choice), await tx.model()]
        assertMayMap(caller.role, mapping, model)
        assertFits(mapping, upload, details, model)
        if ('columns' in mapping && mapping.columns !== null) await assertCatalogs(tx, mapping)
        const after = { ...upload, profileId, isMapped: true }
        await tx.imports.update(after, { ...details, mapping })
        return viewOf(tx, caller, after)
      }),

    /** The caller becomes the owner. @throws NOT_FOUND, CONFLICT while a job is under way, PERMISSION_DENIED */
    takeOver: (caller: Caller, id: string): Promise<UploadView> =>
      store.transaction(async (tx) => {
        assertMayWriteRecords(caller.role)
        const upload = await findUpload(tx, caller, id)
        await assertRests(tx, upload)
        const details = await tx.imports.detailsOf(id)
        const { mapping } = details
        assertMaySeeRows(caller, upload, details, await tx.model())
        if (mapping !== null) assertMayMap(caller.role, mapping, await tx.model())
        const after = { ...upload, ownerId: caller.id }
        await tx.imports.update(after)
        return keepAnswer(tx, caller, await viewOf(tx, caller, after))
      }),

    /**
     * @throws NOT_FOUND, CONFLICT without a mapping and while a job is under way, PERMISSION_DENIED, RATE_LIMITED;
     * VALIDATION_ERROR where the decimal sign is ambiguous
     */
    dryRun: (caller: Caller, id: string, said: Beginning, signal: AbortSignal): Promise<BulkJob> =>
      queue(caller, id, { ...said, dryRun: true }, signal),
    run: (caller: Caller, id: string, said: Beginning, signal: AbortSignal): Promise<BulkJob> =>
      queue(caller, id, { ...said, dryRun: false }, signal),

    /** Streams the failed rows of the last job that wrote, or else of the last job. @throws NOT_FOUND, PERMISSION_DENIED */
    async failed(caller: Caller, id: string, signal: AbortSignal) {
      const upload = await findRows(store.read, caller, id)
      if (!(await importFiles.has(id))) throw notFound('The file of the import', id)
      const jobs = await jobsOf(store.read, upload)
      const job = jobs.findLast(({ dryRun }) => !dryRun) ?? jobs.at(-1)
      return { upload, chunks: failedRows({ store, files: importFiles }, { upload, jobId: job?.id }, signal) }
    },

    /** @throws NOT_FOUND, CONFLICT while a job is under way */
    async delete(caller: Caller, id: string): Promise<void> {
      await store.transaction(async (tx) => {
        const upload = await findUpload(tx, caller, id)
        await assertRests(tx, upload)
        await tx.imports.delete(id)
      })
      await importFiles.remove(id)
    },
  }

  function dates({ id }: Caller): Pick<ImportUpload, 'createdBy' | 'ownerId' | 'createdAt' | 'expiresAt'> {
    const now = system.now()
    const expiresAt = new Date(now.getTime() + KEEP_IMPORT_DAYS * DAY).toISOString()
    return { createdBy: id, ownerId: id, createdAt: now.toISOString(), expiresAt }
  }
}

/** @throws LIMIT_EXCEEDED */
async function assertRoom({ imports }: Pick<Reads, 'imports'>): Promise<void> {
  if ((await imports.count()) < MAX_IMPORTS) return
  throw new PimletError('LIMIT_EXCEEDED', `The workspace keeps ${MAX_IMPORTS} imports at most: delete some`)
}

type MappingChoice =
  | ({ readonly profileId: string } & Pick<ImportQuestion, 'mode' | 'matchBy' | 'emptyCells'>)
  | UploadPlan

/** @throws VALIDATION_ERROR for an unknown profile */
async function planOf(reads: Parameters<typeof namedProfile>[0], choice: MappingChoice): Promise<UploadPlan> {
  if (!('profileId' in choice)) return isZipMapping(choice) ? choice : withoutName(choice)
  const { profileId, mode, matchBy, emptyCells } = choice
  const profile = withoutName(await namedProfile(reads, 'profileId', profileId))
  const said = Object.entries({ mode, matchBy, emptyCells }).filter(([, value]) => value !== undefined)
  return { ...profile, ...Object.fromEntries(said) }
}

function withoutName({ schemaId, mode, matchBy, emptyCells, columns, model }: ImportPlan): ImportPlan {
  return { schemaId, mode, matchBy, emptyCells, columns, ...(model === undefined ? {} : { model }) } as ImportPlan
}

/** @throws VALIDATION_ERROR */
function assertFits(plan: UploadPlan, { format }: ImportUpload, { columns }: ImportDetails, base: Model): void {
  if (isZipMapping(plan)) {
    if (format !== 'zip') throw invalid('attributeAlias is for a zip of files: name it in a column')
    targetOf(plan, base)
    return
  }
  const model = withParts(base, plan.model)
  if (format === 'zip') throw invalid('attributeAlias is required: the file is a zip of files, and has no columns')
  const names = columns.map(({ header }) => header)
  if (plan.columns !== null && format !== 'ndjson' && plan.columns.length === 0)
    throw invalid('columns must name a column')
  if (plan.schemaId !== null && !model.schemas.has(plan.schemaId))
    throw invalid(`schemaId names the unknown schema '${shorten(plan.schemaId, 128)}'`)
  const setting = settingOf({}, plan, model)
  if (format !== 'ndjson') headerOf({ names, style: PLAIN_CELLS }, setting, model)
}
