// One run of an export job, from the records to the destination: render to the spool, deliver, and say how it ended.
// Contract 1 §2.10, 1 §3.3, 2 §6, 3 §5.
import { rm } from 'node:fs/promises'
import { OwnerFault, type PausedReason } from '../../core/accounts/rules/owner.ts'
import type { Role } from '../../core/accounts/rules/permissions.ts'
import { readsAllOf } from '../../core/accounts/rules/role-excess.ts'
import { conflict, PimletError } from '../../kernel/errors.ts'
import { exportFilename, zipNames } from '../rules/export-filename.ts'
import { contentTypeOf } from '../rules/export-format.ts'
import { type ExportJob, findBrokenGuard } from '../rules/export-job.ts'
import type { RenderedFile, RunFiles, RunProgress } from '../rules/export-run.ts'
import type { FeedResult, FeedRun } from '../rules/feed-state.ts'
import type { Log } from '../../kernel/observing/log.ts'
import { findJobRole } from '../../store/owners.ts'
import type { Store } from '../../store/port.ts'
import { type Delivery, DeliveryFailed } from './delivery.ts'
import { type Destinations, type Target, UnusableDestination } from '../destinations/destinations.ts'
import type { FeedOrder, FileOrder } from '../rendering/render-messages.ts'
import type { FileBook } from '../rendering/row-files.ts'
import { areNamed } from '../rules/job-files.ts'
import { type FileMaker, RunFilesDelivery, targetOfFiles } from './run-files.ts'
import { storeMembers } from '../rendering/feed-members.ts'
import type { AddressSource } from '../rendering/file-addresses.ts'
import { selectionOf } from '../rendering/job-rendering.ts'
import { assertMayGo } from './kept-files.ts'
import type { Renderer } from '../rendering/render-client.ts'
import { asksToPause } from './retry.ts'
import { nextMatch } from '../schedule/scheduler.ts'
import { UnreadableSecret } from '../../kernel/secrets/secret-box.ts'
import { ZipFile } from './zip-file.ts'
import { asExportFile, CHECKSUM_ENDING, makeChecksumFile, type Spool } from './spool.ts'

export type Outcome =
  | {
      readonly status: 'success'
      readonly file: RenderedFile
      readonly destinationPath: string
      readonly files?: RunFiles | undefined
      /** The new starting point of a job that makes deltas. */
      readonly feed?: FeedResult | undefined
    }
  | {
      readonly status: 'failed'
      readonly error: string
      /** Why the failure pauses the job; null: the job continues. */
      readonly pauses: PausedReason | null
      /** The rendered file, which stays in the spool for another delivery. */
      readonly file?: RenderedFile | undefined
      readonly files?: RunFiles | undefined
    }

interface RunOrder {
  readonly job: ExportJob
  readonly runId: string
  /** The moment for `{date}` and `{time}` in the file name: the scheduled match, or the trigger. */
  readonly at: Date
  /** For a job that makes deltas. */
  readonly feed: FeedRun | undefined
  /** The run whose file is delivered again, in place of a new one. */
  readonly redelivers: string | null
  readonly progress: ProgressTracker
  readonly signal: AbortSignal
}

export interface RunDeps {
  readonly now: () => Date
  readonly store: Store
  readonly destinations: Destinations
  readonly addresses: AddressSource
  readonly fileMaker: FileMaker
  readonly renderer: Renderer
  readonly delivery: Delivery
  readonly spool: Spool
  readonly log: Log
  /** Milliseconds for the whole run. */
  readonly runTime: number
}

/** Why a run was ended from outside: its message becomes the run's error. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped'
  /** Whether a caller cancelled the run; then its file is not kept. */
  readonly isWanted: boolean

  constructor(message: string, { isWanted = false } = {}) {
    super(message)
    this.isWanted = isWanted
  }
}

/** The file was not as the job's guards ask. */
class GuardBroken extends Error {
  override readonly name = 'GuardBroken'
}

export const INTERRUPTED = 'interrupted: the server stopped during this run'

/** Never rejects. */
export async function performRun(order: RunOrder, deps: RunDeps): Promise<Outcome> {
  const own = new AbortController()
  const minutes = Math.round(deps.runTime / 60_000)
  const timer = setTimeout(() => own.abort(new RunStopped(`the run took longer than ${minutes} minutes`)), deps.runTime)
  const limited = AbortSignal.any([order.signal, own.signal])
  const run = new Run({ ...order, signal: limited }, deps)
  let outcome: Outcome
  try {
    outcome = await run.perform()
  } catch (error) {
    const { file } = run
    const isStopped = limited.aborted && limited.reason instanceof RunStopped
    const fault = isStopped ? failed(limited.reason.message) : failure(error, order, deps)
    const isUnwanted = isStopped && limited.reason.isWanted
    outcome = { ...fault, file: isUnwanted ? undefined : file, files: run.files }
  } finally {
    clearTimeout(timer)
  }
  if (outcome.status === 'success' || outcome.file === undefined) await emptySpool(order, deps)
  return outcome
}

async function emptySpool({ job, runId }: RunOrder, { spool, log }: RunDeps): Promise<void> {
  await spool.remove(runId).catch((error: unknown) => {
    log.warn({ err: error, jobId: job.id, runId }, 'a spool file could not be removed')
  })
}

class Run {
  /** The rendered file; set as soon as the file may be delivered. */
  file: RenderedFile | undefined
  #feed: FeedResult | undefined
  #files: RunFilesDelivery | undefined
  #zipName = ''
  readonly #order: RunOrder
  readonly #deps: RunDeps

  constructor(order: RunOrder, deps: RunDeps) {
    this.#order = order
    this.#deps = deps
  }

  /** The counts and errors of the files that go with the feed, so far. */
  get files(): RunFiles | undefined {
    return this.#files?.report.facts
  }

  async perform(): Promise<Outcome> {
    const { job, runId, signal, redelivers } = this.#order
    const { destinations, delivery, store, now } = this.#deps
    const begin = now()
    const role = await this.#judge()
    const target = await destinations.targetOf(job)
    await delivery.sweep(target, runId, signal)
    const file = redelivers === null ? await this.#make(role, target, begin) : await this.#take(redelivers, role)
    if (job.files?.as === 'zip' && redelivers === null) return this.#deliverZip(target, file, begin)
    // A server that dies from now on leaves a file that can be delivered again.
    await store.transaction((tx) => tx.exportRuns.noteFile(runId, file))
    this.file = file
    const destinationPath = await this.#deliver(target, file, begin)
    return { status: 'success', file, destinationPath, feed: this.#feed, files: this.files }
  }

  /** The current role of the owner. @throws OwnerFault */
  #judge(): Promise<Role> {
    const { store, now } = this.#deps
    return store.snapshot((reads) => findJobRole(reads, now(), this.#order.job))
  }

  /** Makes the feed, after its files. */
  async #make(role: Role, target: Target, begin: Date): Promise<RenderedFile> {
    const { job, runId } = this.#order
    const file = await this.#render(role)
    const files = this.#files
    if (job.files === null || files === undefined) return file
    await files.tellUnnamed()
    if (job.files.as === 'zip') return file
    await this.#deliverFiles(target, files, { file, begin })
    if (files.report.givenUp === 0 || !areNamed(job.files, job.columns)) return file
    // The feed must not name a missing file.
    const knownFile = await files.writeKnown()
    await rm(this.#deps.spool.fileOf(runId))
    const again = await this.#render(role, knownFile)
    await files.tellLate()
    return again
  }

  /** A zip is not kept for another delivery: the disk never has the whole zip. */
  async #deliverZip(target: Target, feed: RenderedFile, begin: Date): Promise<Outcome> {
    const { runId, at, signal, progress } = this.#order
    const { spool, delivery } = this.#deps
    progress.change({ phase: 'files', files: 0 })
    const path = spool.fileOf(runId)
    const order = { files: this.#files!, entryFile: spool.entryFileOf(runId), at, signal }
    const zip = await new ZipFile({ ...order, feed: { name: feed.name, path } }).pack(this.#zipName)
    const file = { ...feed, name: zip.name, size: zip.size, sha256: zip.sha256, contentType: zip.contentType }
    const checksum = file.hasChecksum ? [await makeChecksumFile(path, file)] : []
    try {
      const destinationPath = await delivery.deliver(target, [zip, ...checksum], this.#deliveryOf(file, begin))
      return { status: 'success', file, destinationPath, feed: this.#feed, files: this.files }
    } finally {
      // A reader that went away may have left a part.
      await this.#files?.drop()
    }
  }

  async #deliverFiles(
    target: Target,
    files: RunFilesDelivery,
    { file, begin }: { readonly file: RenderedFile; readonly begin: Date },
  ): Promise<void> {
    const { progress } = this.#order
    progress.change({ phase: 'files', files: 0 })
    await this.#deps.delivery.deliverAll(target, files, {
      ...this.#deliveryOf(file, begin),
      onAttempt: (attempt) => progress.change({ phase: 'files', attempt }),
    })
  }

  /** A run may wait long for others. An attribute that is renamed meanwhile does not fail the run. */
  async #render(role: Role, knownFile?: string): Promise<RenderedFile> {
    const { job } = this.#order
    try {
      return await this.#renderAs(job, role, knownFile)
    } catch (error) {
      if (!(error instanceof PimletError) || error.code !== 'VALIDATION_ERROR') throw error
      const present = await this.#deps.store.read.exportJobs.get(job.id)
      // A change by a person counts from the next run on.
      if (present?.updatedAt !== job.updatedAt) throw error
      return this.#renderAs(present, role, knownFile)
    }
  }

  async #renderAs(job: ExportJob, role: Role, knownFile: string | undefined): Promise<RenderedFile> {
    const { runId, at, signal, progress, feed } = this.#order
    const { store, renderer, spool, destinations, addresses } = this.#deps
    progress.change({ phase: 'rendering' })
    const selection = await selectionOf(job, role, { read: store.read, addresses })
    const { fullCount } = await store.read.exportFeeds.get(job.id)
    signal.throwIfAborted()
    const order = feed && { since: sinceOf(feed), memberFile: spool.memberFileOf(runId) }
    const { filenameTemplate, timezone, format, compress: isCompressed, id: jobId } = job
    const whole = exportFilename(filenameTemplate, { at, timezone, jobId, runId, format, isCompressed })
    const names = zipNames(whole, format)
    this.#zipName = names.zip
    const name = job.files?.as === 'zip' ? names.feed : whole
    const address = await destinations.addressOf(job)
    const fileOrder = selection.files && this.#orderFiles(selection.files, { name, address, knownFile })
    const spoolFile = spool.fileOf(runId)
    const request = { ...selection, compress: isCompressed, spoolFile, feed: order, fileOrder: fileOrder ?? undefined }
    const rendered = await renderer.render(request, signal, (done) => progress.change(done))
    const { recordCount, size, sha256 } = rendered
    progress.change({ records: recordCount, bytes: size })
    const isGuarded = job.guards !== null && feed?.kind !== 'delta'
    const broken = isGuarded ? findBrokenGuard(job.guards, recordCount, fullCount ?? undefined) : undefined
    if (broken !== undefined) throw new GuardBroken(broken)
    if (feed !== undefined) await storeMembers(store, feed.state, spool.memberFileOf(runId), signal)
    this.#feed = rendered.feed
    const contentType = contentTypeOf(format, isCompressed)
    const hasChecksum = job.checksum !== null
    return { name, contentType, size, sha256, recordCount, hasChecksum, address, role }
  }

  #orderFiles(
    { preset }: FileBook,
    {
      name,
      address,
      knownFile,
    }: { readonly name: string; readonly address: string; readonly knownFile?: string | undefined },
  ): FileOrder {
    const { job, runId, signal, progress } = this.#order
    const { store, spool, fileMaker: maker } = this.#deps
    const onProgress = (files: number): void => progress.change({ files })
    const order = { job, runId, preset, target: targetOfFiles(job, address), signal }
    this.#files ??= new RunFilesDelivery(order, { store, spool, maker, onProgress })
    return { listFile: spool.listFileOf(runId), reserved: [name, `${name}${CHECKSUM_ENDING}`], knownFile }
  }

  async #take(from: string, role: Role): Promise<RenderedFile> {
    const { job, runId, progress } = this.#order
    const { store, spool, destinations } = this.#deps
    const file = await store.read.exportRuns.fileOf(from)
    if (file === undefined || !(await spool.has(from, file.size)))
      throw new PimletError('NOT_FOUND', `The file of the run '${from}' no longer exists`)
    assertMayGo(file, { address: await destinations.addressOf(job), role })
    await spool.share(from, runId)
    progress.change({ records: file.recordCount, bytes: file.size })
    return file
  }

  async #deliver(target: Target, file: RenderedFile, begin: Date): Promise<string> {
    const { runId } = this.#order
    const { spool, delivery } = this.#deps
    const spoolFile = spool.fileOf(runId)
    const { name, size, sha256, contentType } = file
    const files = [asExportFile(spoolFile, { name, size, sha256, contentType })]
    if (file.hasChecksum) files.push(await makeChecksumFile(spoolFile, file))
    return delivery.deliver(target, files, this.#deliveryOf(file, begin))
  }

  #deliveryOf(file: RenderedFile, begin: Date) {
    const { job, runId, signal, progress } = this.#order
    return {
      runId,
      maxAttempts: job.maxAttempts,
      retryUntil: lastRetry(job, begin, this.#deps.runTime),
      signal,
      beforeAttempt: async () => assertStill(await this.#judge(), file),
      onAttempt: (attempt: number) => progress.change({ phase: 'delivering', attempt }),
      onWait: (until: Date) => progress.change({ phase: 'waiting', nextAttemptAt: until.toISOString() }),
    }
  }
}

/** The file was made with rights that were taken meanwhile. @throws CONFLICT */
function assertStill(role: Role, file: RenderedFile): void {
  if (file.role === undefined || readsAllOf(role, file.role)) return
  throw conflict("The file may hold what the job's owner may not read any more: its rights were changed during the run")
}

/** The state that the destination has; empty for a full file. */
function sinceOf({ kind, state }: FeedRun): NonNullable<FeedOrder['since']> | undefined {
  const { position, basis, feed, base, done } = state
  return kind === 'full' ? undefined : { position, basis, feed, base, done }
}

/** No retry begins after the whole run's time or past the next match, which has a run of its own. */
function lastRetry({ active, schedule, timezone }: ExportJob, begin: Date, runTime: number): number {
  const end = begin.getTime() + runTime
  const next = active ? nextMatch(schedule, timezone, begin) : undefined
  return next === undefined ? end : Math.min(end, next.getTime())
}

export function failed(error: string, pauses: PausedReason | null = null): Extract<Outcome, { status: 'failed' }> {
  return { status: 'failed', error, pauses }
}

function failure(error: unknown, { job, runId }: RunOrder, { log }: RunDeps): Extract<Outcome, { status: 'failed' }> {
  const ids = { jobId: job.id, runId }
  if (error instanceof DeliveryFailed) {
    log.warn(ids, `an export could not be delivered: ${error.message}`)
    return failed(error.message, asksToPause(error.cause) ? { code: 'RECEIVER', message: error.message } : null)
  }
  const isTold =
    (error instanceof PimletError && error.code !== 'INTERNAL_ERROR') ||
    error instanceof GuardBroken ||
    error instanceof UnusableDestination ||
    error instanceof UnreadableSecret
  if (isTold) {
    log.warn(ids, `an export failed: ${error.message}`)
    return failed(error.message, error instanceof OwnerFault ? error.pausedReason : null)
  }
  log.error({ err: error, ...ids }, 'an export failed unexpectedly')
  return failed('an unexpected fault of the server; its log has the cause')
}

const NOTHING: RunProgress = {
  phase: 'waiting',
  records: 0,
  total: null,
  bytes: 0,
  attempt: 0,
  nextAttemptAt: null,
  files: null,
}

export class ProgressTracker {
  readonly #onChange: () => void
  #present = NOTHING

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  get present(): RunProgress {
    return this.#present
  }

  change(what: Partial<RunProgress>): void {
    this.#present = { ...this.#present, nextAttemptAt: null, ...what }
    this.#onChange()
  }
}
