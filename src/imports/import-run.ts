// Imports one file as it arrives. Each line has its own transaction; several lines run at a time, so that they share
// commits. Lines that refer to missing records wait until all lines are read. Contract 2 §7, 3 §4.
import { MissingRecord, PimletError } from '../kernel/errors.ts'
import type { ImportSetting } from './rules/import-setting.ts'
import { type ImportError, type ImportLine, MAX_IMPORT_ERRORS, MAX_IMPORT_SAMPLE } from './rules/import-outcome.ts'
import type { Change } from '../core/records/rules/changes.ts'
import type { Store } from '../store/port.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Caller } from '../core/accounts/caller.ts'
import type { AssigningTransaction } from '../core/records/record-categories.ts'
import { Rehearsal } from '../core/records/rehearsal.ts'
import { readHeader } from './file-header.ts'
import { type KeyContext, LineKeys } from './line-keys.ts'
import { type Importer, idOf, type LineOptions, type RecordLine, writeLine, type WrittenLine } from './import-line.ts'

/** Lines that share a commit, if other writers leave room. More lines would delay readers for little speed. */
const MAX_UNDER_WAY = 16
/** Bytes; a single line may be larger. */
const MAX_BYTES_UNDER_WAY = 1024 * 1024
/** Bytes of lines that wait for later ones; lines beyond this limit fail at once. */
const MAX_BYTES_WAITING = 8 * 1024 * 1024

type Ending =
  | { readonly kind: 'written'; readonly written: WrittenLine }
  | { readonly kind: 'failed'; readonly error: PimletError }
  | { readonly kind: 'fault'; readonly error: unknown }

interface RunSample {
  readonly line: number
  readonly id: string
  readonly schemaId: string
  readonly outcome: 'created' | 'updated'
  readonly changes: readonly Change[]
}

export class ImportRun {
  readonly #store: Store
  readonly #rehearsal: Rehearsal | undefined
  readonly #keys: LineKeys
  #importer: Importer
  #underWay: { readonly line: ImportLine; readonly ending: Promise<Ending> }[] = []
  #bytes = 0
  #waiting: RecordLine[] = []
  #bytesWaiting = 0
  readonly #counts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  readonly #errors: ImportError[] = []
  readonly #sample: RunSample[] = []
  #mostSamples = MAX_IMPORT_SAMPLE
  #cleared = 0

  constructor(
    { store, system, maxRecords }: { store: Store; system: System; maxRecords: number },
    caller: Caller,
    setting: ImportSetting,
    isDryRun: boolean,
  ) {
    this.#store = store
    this.#keys = new LineKeys(setting)
    this.#rehearsal = isDryRun ? new Rehearsal() : undefined
    // A dry run reports the number of records instead of failing at the limit.
    const common = {
      system,
      maxRecords: isDryRun ? 0 : maxRecords,
      caller,
      setting,
      origin: { kind: 'import' } as const,
    }
    this.#importer = { ...common, tellsChanges: isDryRun, header: undefined }
  }

  get isFull(): boolean {
    const most = this.#rehearsal === undefined ? MAX_UNDER_WAY : 1
    return this.#underWay.length >= most || this.#bytes > MAX_BYTES_UNDER_WAY
  }

  async take(line: ImportLine): Promise<void> {
    if (line.kind === 'header') {
      this.#importer = { ...this.#importer, header: await readHeader(this.#store, line, this.#importer.setting) }
      return
    }
    const error = line.kind === 'fault' ? line.error : this.#keys.take(line, await this.#keyContext())
    const failed = error && Promise.resolve({ kind: 'failed', error } as const)
    const ending = failed ?? this.#write(line as RecordLine)
    this.#underWay.push({ line, ending })
    this.#bytes += line.size
  }

  /** Waits for the oldest line, so that outcomes are noted in the order of the file. */
  async makeRoom(): Promise<void> {
    const { line, ending: expected } = this.#underWay.shift()!
    const ending = await expected
    this.#bytes -= line.size
    if (ending.kind === 'fault') throw ending.error
    if (ending.kind === 'written') this.#count(line, ending.written)
    else if (!this.#mayWait(line, ending.error)) this.#fail(line, ending.error)
  }

  async drain(): Promise<void> {
    while (this.#underWay.length > 0) await this.makeRoom()
  }

  /** Writes the lines that had to wait for the end of the file, and returns the result. */
  async finish() {
    await this.drain()
    // Waiting lines may stand before all other lines, so more samples are kept until the lines are sorted.
    this.#mostSamples = 2 * MAX_IMPORT_SAMPLE
    await this.#takeWaiting()
    this.#errors.sort((one, other) => one.line - other.line)
    this.#sample.sort((one, other) => one.line - other.line)
    const errors = this.#errors.slice(0, MAX_IMPORT_ERRORS)
    return { ...this.#counts, errors, cleared: this.#cleared, sample: this.#sample.slice(0, MAX_IMPORT_SAMPLE) }
  }

  /** Resolves when no line is being written any more. */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay.map(({ ending }) => ending))
  }

  #mayWait(line: ImportLine, error: PimletError): boolean {
    if (!(error instanceof MissingRecord) || (line.kind !== 'body' && line.kind !== 'row')) return false
    if (this.#bytesWaiting + line.size > MAX_BYTES_WAITING) return false
    this.#bytesWaiting += line.size
    this.#waiting.push(line)
    return true
  }

  /**
   * Writes waiting lines whose records exist by now. Lines that refer to each other are written first without their
   * references, then with them.
   */
  async #takeWaiting(): Promise<void> {
    const waiting = this.#waiting
    const missing = await this.#takeEach(waiting, {})
    const ids = missing.map(([line]) => idOf(line, this.#importer.header)).filter((id) => id !== null)
    const partial: [RecordLine, WrittenLine][] = []
    const failed = await this.#takeEach(
      missing.map(([line]) => line),
      { pending: new Set(ids) },
      (line, written) => partial.push([line, written]),
    )
    for (const [line, error] of failed) this.#fail(line, error)
    for (const [line, { recordId, outcome }] of partial) {
      const ending = await this.#write(line, { as: recordId })
      if (ending.kind === 'fault') throw ending.error
      if (ending.kind === 'written') continue
      this.#counts[outcome] -= 1
      this.#fail(line, ending.error)
    }
  }

  /** Resolves to the lines that still miss a record. */
  async #takeEach(
    lines: readonly RecordLine[],
    options: LineOptions,
    onPartial?: (line: RecordLine, written: WrittenLine) => void,
  ): Promise<[RecordLine, PimletError][]> {
    const missing: [RecordLine, PimletError][] = []
    for (const line of lines) {
      const error = this.#keys.takeAgain(line, await this.#keyContext())
      const ending: Ending = error === undefined ? await this.#write(line, options) : { kind: 'failed', error }
      if (ending.kind === 'fault') throw ending.error
      if (ending.kind === 'written') {
        this.#count(line, ending.written)
        if (ending.written.isPartial) onPartial?.(line, ending.written)
      } else if (ending.error instanceof MissingRecord) missing.push([line, ending.error])
      else this.#fail(line, ending.error)
    }
    return missing
  }

  async #keyContext(): Promise<KeyContext> {
    return { header: this.#importer.header, model: await this.#store.read.model() }
  }

  #count({ line }: ImportLine, { outcome, recordId: id, schemaId, changes, cleared }: WrittenLine): void {
    this.#counts[outcome] += 1
    this.#cleared += cleared
    if (outcome === 'unchanged' || this.#rehearsal === undefined || this.#sample.length >= this.#mostSamples) return
    this.#sample.push({ line, id, schemaId, outcome, changes })
  }

  #fail(line: ImportLine, { code, message }: PimletError): void {
    this.#counts.failed += 1
    if (this.#errors.length >= 2 * MAX_IMPORT_ERRORS) return
    this.#errors.push({ line: line.line, id: idOf(line, this.#importer.header), error: code, message })
  }

  async #write(line: RecordLine, options?: LineOptions): Promise<Ending> {
    const importer = this.#importer
    const work = (tx: AssigningTransaction): Promise<WrittenLine> => writeLine(tx, importer, line, options)
    try {
      const written = await (this.#rehearsal === undefined
        ? this.#store.transaction(work)
        : this.#rehearse(this.#rehearsal, work))
      return { kind: 'written', written }
    } catch (error) {
      return isOfLine(error) ? { kind: 'failed', error } : { kind: 'fault', error }
    }
  }

  /** The snapshot may run the work several times; only the last run is kept. */
  async #rehearse(
    rehearsal: Rehearsal,
    work: (tx: AssigningTransaction) => Promise<WrittenLine>,
  ): Promise<WrittenLine> {
    let branch = rehearsal.branch()
    const written = await this.#store.snapshot((reads) => {
      branch = rehearsal.branch()
      return branch.attempt(reads, work)
    })
    rehearsal.keep(branch)
    return written
  }
}

/** Whether the line causes the error. Other errors would hit other lines, too. */
export function isOfLine(error: unknown): error is PimletError {
  return error instanceof PimletError && error.code !== 'UNAVAILABLE' && error.code !== 'INTERNAL_ERROR'
}
