// The files of one run, such as pictures: made one at a time, and handed to the destination if it has not had them yet. Contract 4 §4.
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { ExportFile } from '../../kernel/destination.ts'
import { PimletError } from '../../kernel/errors.ts'
import type { Store } from '../../store/port.ts'
import type { Focus, Preset } from '../../files/rules/presets.ts'
import { FileListWriter, readFileList } from '../rendering/file-list.ts'
import type { WantedFile } from '../rendering/row-files.ts'
import type { ExportJob } from '../rules/export-job.ts'
import { asExportFile, type Spool } from './spool.ts'
import { type FileError, MAX_FILE_ERRORS, type RunFiles } from '../rules/export-run.ts'

/** Makes files; `src/files/file-maker.ts` implements it. */
export interface FileMaker {
  /**
   * Puts a file at `path`, where none is.
   * @throws NOT_FOUND, NOT_RENDERABLE for a file that cannot be had; UNAVAILABLE
   */
  make(
    file: { readonly sha256: string; readonly preset: Preset; readonly focus?: Focus | undefined },
    path: string,
    signal: AbortSignal,
  ): Promise<Pick<ExportFile, 'size' | 'sha256' | 'contentType'>>
}

/** A file while it is needed. */
interface MadeFile {
  readonly name: string
  readonly path: string
  readonly wanted: WantedFile
  readonly drop: () => Promise<void>
}

/** Files that one query of the store looks up. */
const AT_ONCE = 200
const FORGOTTEN_AT_ONCE = 1000

interface RunFilesDeps {
  readonly store: Store
  readonly spool: Spool
  readonly maker: FileMaker
  readonly onProgress: (done: number) => void
}

interface RunFilesOrder {
  readonly job: ExportJob
  readonly runId: string
  readonly preset: Preset
  /** Print of the place of the job's files. */
  readonly target: string
  readonly signal: AbortSignal
}

/** Print of the place where a job's files go. A place with another print has none of the files. */
export function targetOfFiles({ createdAt }: ExportJob, address: string): string {
  return createHash('sha256').update(`${createdAt}\n${address}`).digest('base64url')
}

export class RunFilesDelivery {
  readonly report = new FileReport()
  readonly #order: RunFilesOrder
  readonly #deps: RunFilesDeps
  /** Made and not delivered yet. */
  readonly #made = new Map<ExportFile, WantedFile>()
  #count = 0

  constructor(order: RunFilesOrder, deps: RunFilesDeps) {
    this.#order = order
    this.#deps = deps
  }

  get listFile(): string {
    return this.#deps.spool.listFileOf(this.#order.runId)
  }

  /** Tells of files that have no name of their own. */
  async tellUnnamed(): Promise<void> {
    for await (const file of readFileList(this.listFile)) if ('message' in file) this.report.tell(file)
  }

  /** The files that the destination does not have, each time from the first on. */
  async *pending(): AsyncGenerator<ExportFile, void> {
    const { job, target, signal } = this.#order
    // Files that an earlier attempt of this run has sent are met again.
    const before = this.report.sent
    let met = 0
    for await (const page of this.#pages()) {
      signal.throwIfAborted()
      const names = page.map(keyOf)
      const known = await this.#deps.store.read.exportFiles.digestsOf(job.id, target, names)
      for (const file of page) {
        const isThere = known.get(keyOf(file)) === file.digest
        if (isThere) met += 1
        this.report.unchanged = Math.max(0, met - before)
        if (isThere || this.report.isGivenUp(file.name)) continue
        const made = await this.#make(file)
        if (made !== undefined) yield made
      }
    }
  }

  /** The destination has confirmed the file. */
  async delivered(file: ExportFile): Promise<void> {
    const { job, target } = this.#order
    const wanted = this.#made.get(file)
    if (wanted === undefined) throw new TypeError('delivered() was called with a file that was not taken, or twice')
    await this.#deps.store.transaction((tx) =>
      tx.exportFiles.note(job.id, target, { name: keyOf(wanted), digest: wanted.digest }),
    )
    this.#made.delete(file)
    await rm(file.path, { force: true })
    this.report.sent += 1
    this.#deps.onProgress(this.report.sent)
  }

  /** All files, for a zip. Each stays until it is dropped. */
  async *made(): AsyncGenerator<MadeFile, void> {
    for await (const page of this.#pages())
      for (const wanted of page) {
        const file = await this.#make(wanted)
        if (file !== undefined) yield this.#handOver(file, wanted)
      }
  }

  /** A file that was made before. @throws as `FileMaker.make` does */
  async makeAgain(wanted: WantedFile): Promise<MadeFile> {
    const made = await this.#makeOrThrow(wanted).catch((error: unknown) => {
      throw this.#named(error, wanted)
    })
    return this.#handOver(made, wanted)
  }

  /** A file is in the zip. */
  packed(): void {
    this.report.sent += 1
    this.#deps.onProgress(this.report.sent)
  }

  #handOver(file: ExportFile, wanted: WantedFile): MadeFile {
    const { name, path } = file
    const drop = async (): Promise<void> => {
      this.#made.delete(file)
      await rm(path, { force: true })
    }
    return { name, path, wanted, drop }
  }

  /** Removes files that were made and not delivered. */
  async drop(): Promise<void> {
    for (const { path } of this.#made.keys()) await rm(path, { force: true })
    this.#made.clear()
  }

  /** Writes the list of the files that the destination has. @returns its path */
  async writeKnown(): Promise<string> {
    const path = this.#deps.spool.knownFileOf(this.#order.runId)
    const known = await FileListWriter.begin<readonly [string, string]>(path)
    for await (const page of this.#pages()) {
      const there = page.filter(({ name }) => !this.report.isGivenUp(name))
      await known.add(there.map(({ name, digest }) => [name, digest] as const))
    }
    await known.close()
    return path
  }

  /** Reports late files: the feed, which was made again, does not name them. */
  async tellLate(): Promise<void> {
    for await (const file of readFileList(this.listFile))
      if ('message' in file && file.isLate && !this.report.isGivenUp(file.name!)) this.report.tell(file)
  }

  async *#pages(): AsyncGenerator<WantedFile[], void> {
    let page: WantedFile[] = []
    for await (const file of readFileList(this.listFile)) {
      if ('message' in file) continue
      page.push(file)
      if (page.length < AT_ONCE) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  }

  /** Undefined: the file is missing, and the run reports an error. */
  async #make(file: WantedFile): Promise<ExportFile | undefined> {
    try {
      return await this.#makeOrThrow(file)
    } catch (error) {
      if (!isOfFile(error)) throw this.#named(error, file)
      const { recordId, n, name } = file
      // The message of a missing file names its hash, which is a part of a value.
      const message = error.code === 'NOT_FOUND' ? 'the bytes of the file are missing' : error.message
      this.report.giveUp(name, { recordId, n, message })
      return undefined
    }
  }

  /** The fault, named by the file's record: the name of a file is made of values, which a fault must not show. */
  #named(error: unknown, { recordId, n }: WantedFile): unknown {
    if (this.#order.signal.aborted || !(error instanceof Error)) return error
    const what = `file ${n} of the record '${recordId}' could not be made`
    if (!(error instanceof PimletError)) return new Error(what, { cause: error })
    const { code, message, retryAfter } = error
    return new PimletError(code, `${what}: ${message}`, { cause: error, ...(retryAfter && { retryAfter }) })
  }

  async #makeOrThrow(file: WantedFile): Promise<ExportFile> {
    const { runId, preset, signal } = this.#order
    const { spool, maker } = this.#deps
    this.#count += 1
    const path = spool.partFileOf(runId, this.#count)
    const { sha256, focus, name } = file
    const facts = await maker.make({ sha256, preset, focus }, path, signal)
    const made = asExportFile(path, { name, ...facts, isBeside: true })
    this.#made.set(made, file)
    return made
  }
}

/** A file name contains values, whose history may be erased. So only the hash of the name is stored. */
function keyOf({ name }: WantedFile): string {
  return createHash('sha256').update(name).digest('base64url')
}

/** Whether the file itself is at fault, so that no retry can help. */
function isOfFile(error: unknown): error is PimletError {
  return error instanceof PimletError && (error.code === 'NOT_FOUND' || error.code === 'NOT_RENDERABLE')
}

/** Forgets the files of deleted jobs. */
export async function forgetFiles(store: Store, signal: AbortSignal): Promise<void> {
  for (;;) {
    const jobId = await store.read.exportFiles.findOrphan()
    if (jobId === undefined) return
    while ((await store.transaction((tx) => tx.exportFiles.remove(jobId, FORGOTTEN_AT_ONCE))) > 0)
      signal.throwIfAborted()
  }
}

/** Counts the files of a run that were sent, were there before, or failed. Contract 4 §4. */
class FileReport {
  sent = 0
  unchanged = 0
  /** Names of files that could not be made. */
  readonly #unmade = new Set<string>()
  readonly #errors: FileError[] = []
  #others = 0

  /** Reports a file that the feed names, but that has no own name or came too late. */
  tell(error: FileError): void {
    this.#others += 1
    this.#note(error)
  }

  /** A file cannot be made. */
  giveUp(name: string, error: FileError): void {
    this.#unmade.add(name)
    this.#note(error)
  }

  isGivenUp(name: string): boolean {
    return this.#unmade.has(name)
  }

  get givenUp(): number {
    return this.#unmade.size
  }

  get facts(): RunFiles {
    const { sent, unchanged, givenUp } = this
    return { sent, unchanged, failed: givenUp + this.#others, errors: this.#errors }
  }

  #note({ recordId, n, message }: FileError): void {
    if (this.#errors.length < MAX_FILE_ERRORS) this.#errors.push({ recordId, n, message })
  }
}
