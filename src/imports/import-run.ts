// Imports one file as it arrives. Each line has its own transaction; several lines run at a time, so that they share
// commits. Lines that refer to missing records wait in memory until all lines are read. Contract 2 §7, 3 §4.
import type { Caller } from '../core/accounts/caller.ts'
import { Rehearsal } from '../core/records/rehearsal.ts'
import type { PimletError } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Model } from '../core/model/rules/model.ts'
import type { Store } from '../store/port.ts'
import { readHeader } from './file-header.ts'
import { type Importer, idOf, type LineOptions, prepare, writeLine, type WrittenLine } from './import-line.ts'
import { endingOf, endLine, type LineEnding, type Outcomes, ROUNDS, type Waiting } from './import-rounds.ts'
import { LineKeys } from './line-keys.ts'
import { over } from './make-all.ts'
import type { LineTransaction } from './picture-cells.ts'
import {
  type FileLine,
  type ImportError,
  type ImportLine,
  type ImportSample,
  MAX_IMPORT_ERRORS,
  MAX_IMPORT_SAMPLE,
  type RecordLine,
} from './rules/import-outcome.ts'
import type { ImportSetting } from './rules/import-setting.ts'
import { modelFor } from './rules/planned-model.ts'

/** Lines that share a commit, if other writers leave room. More lines would delay readers for little speed. */
const MAX_UNDER_WAY = 16
/** Bytes; a single line may be larger. */
const MAX_BYTES_UNDER_WAY = 1024 * 1024
/** Bytes of lines that wait for later ones; lines beyond this limit fail at once. */
const MAX_BYTES_WAITING = 8 * 1024 * 1024

export class ImportRun {
  readonly #store: Store
  readonly #rehearsal: Rehearsal | undefined
  readonly #keys: LineKeys
  readonly #outcomes: OutcomesInMemory
  #importer: Importer
  #underWay: { readonly line: FileLine; readonly ending: Promise<LineEnding> }[] = []
  #bytes = 0

  constructor(
    { store, system, maxRecords }: { store: Store; system: System; maxRecords: number },
    caller: Caller,
    setting: ImportSetting,
    isDryRun: boolean,
  ) {
    this.#store = store
    this.#keys = new LineKeys(setting)
    this.#rehearsal = isDryRun ? new Rehearsal() : undefined
    this.#outcomes = new OutcomesInMemory(isDryRun)
    // A dry run reports the number of records instead of failing at the limit.
    const most = isDryRun ? 0 : maxRecords
    const origin = { kind: 'import' } as const
    this.#importer = { system, caller, maxRecords: most, setting, origin, tellsChanges: isDryRun, header: undefined }
  }

  /** Begins to write the line, once there is room for it. */
  async take(line: ImportLine): Promise<void> {
    const most = this.#rehearsal === undefined ? MAX_UNDER_WAY : 1
    if (this.#underWay.length >= most || this.#bytes > MAX_BYTES_UNDER_WAY) await this.#endOldest()
    if (line.kind === 'header') {
      const header = await readHeader(this.#store, line, this.#importer.setting)
      this.#importer = { ...this.#importer, header }
      this.#outcomes.header = header
      return
    }
    const prepared = prepare(line, this.#importer.header)
    const ending = this.#write(prepared, await this.#model())
    // The fault is caught here, because nobody may await the line yet.
    ending.catch(() => undefined)
    this.#underWay.push({ line: prepared, ending })
    this.#bytes += line.size
  }

  async drain(): Promise<void> {
    while (this.#underWay.length > 0) await this.#endOldest()
  }

  /** Writes the lines that had to wait for the end of the file, and returns the result. */
  async finish() {
    await this.drain()
    for (const round of [ROUNDS.again, ROUNDS.without, ROUNDS.whole]) await this.#takeWaiting(round)
    return this.#outcomes.result()
  }

  /** Resolves when no line is being written any more. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#underWay.map(({ ending }) => ending))
  }

  /** Waits for the oldest line, so that outcomes are noted in the order of the file. */
  async #endOldest(): Promise<void> {
    const { line, ending } = this.#underWay.shift()!
    await endLine(this.#outcomes, ROUNDS.first, line, await ending)
    this.#bytes -= line.size
  }

  async #takeWaiting(round: number): Promise<void> {
    const { waiting, header } = this.#outcomes
    const names = round === ROUNDS.without ? [...waiting.keys()].map((line) => idOf(line, header)) : undefined
    const pending = names && new Set(names.filter((name) => name !== null))
    for (const [line, { written }] of waiting) {
      const options = { as: written?.recordId, pending }
      const ending = await this.#write(line, await this.#model(), options)
      await endLine(this.#outcomes, round, line, ending, { written })
    }
  }

  async #model(): Promise<Model> {
    return modelFor(this.#importer.setting, await this.#store.read.model())
  }

  /** @throws errors that the line does not cause */
  #write(line: FileLine, model: Model, options?: LineOptions): Promise<LineEnding> {
    const importer = this.#importer
    const error = this.#keys.refusalOf(line, importer.header, model)
    if (error !== undefined) return Promise.resolve({ error })
    const work = (tx: LineTransaction): Promise<WrittenLine> => writeLine(tx, importer, line as RecordLine, options)
    return endingOf(
      this.#rehearsal?.keepLast((branch) =>
        this.#store.snapshot((reads) => branch().attempt(over(reads, importer.setting), work)),
      ) ?? this.#store.transaction(work),
    )
  }
}

class OutcomesInMemory implements Outcomes<FileLine> {
  header: Importer['header']
  readonly waiting = new Map<FileLine, Waiting>()
  readonly #isDryRun: boolean
  #bytesWaiting = 0
  readonly #counts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  readonly #errors: ImportError[] = []
  readonly #sample: (ImportSample & Pick<WrittenLine, 'schemaId'>)[] = []
  #cleared = 0

  constructor(isDryRun: boolean) {
    this.#isDryRun = isDryRun
  }

  count(line: FileLine, { outcome, recordId: id, schemaId, changes, cleared }: WrittenLine): void {
    this.#counts[outcome] += 1
    this.#cleared += cleared
    // Waiting lines may stand before all other lines, so more samples are kept until the lines are sorted.
    const most = this.waiting.has(line) ? 2 * MAX_IMPORT_SAMPLE : MAX_IMPORT_SAMPLE
    if (outcome === 'unchanged' || !this.#isDryRun || this.#sample.length >= most) return
    this.#sample.push({ line: line.line, id, schemaId, outcome, changes })
  }

  fail(line: FileLine, { code, message }: PimletError, counted: WrittenLine['outcome'] | undefined): void {
    if (counted !== undefined) this.#counts[counted] -= 1
    this.#counts.failed += 1
    if (this.#errors.length >= 2 * MAX_IMPORT_ERRORS) return
    this.#errors.push({ line: line.line, id: idOf(line, this.header), error: code, message })
  }

  wait(line: FileLine, waiting: Waiting): boolean {
    if (!this.waiting.has(line)) {
      if (this.#bytesWaiting + line.size > MAX_BYTES_WAITING) return false
      this.#bytesWaiting += line.size
    }
    this.waiting.set(line, waiting)
    return true
  }

  endWait(line: FileLine): void {
    this.waiting.delete(line)
  }

  result() {
    this.#errors.sort((one, other) => one.line - other.line)
    this.#sample.sort((one, other) => one.line - other.line)
    const errors = this.#errors.slice(0, MAX_IMPORT_ERRORS)
    return { ...this.#counts, errors, cleared: this.#cleared, sample: this.#sample.slice(0, MAX_IMPORT_SAMPLE) }
  }
}
