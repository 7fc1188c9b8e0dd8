// The use case of importing records: lines in order, each in a transaction of its own, and so many under way at a time
// that they share commits. Contract 2 §7.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CsvHeader, readCsvHeader } from '../../domain/csv/csv-header.ts'
import { invalid, PimletError, shorten } from '../../domain/errors.ts'
import {
  type ArrivingFile,
  type ImportError,
  type ImportLine,
  type ImportQuestion,
  type ImportOptions,
  type ImportOutcome,
  type ImportResult,
  MAX_IMPORT_ERRORS,
} from '../../domain/records/import.ts'
import { assertPermission } from '../../domain/accounts/permissions.ts'
import type { RecordTransaction, Store } from '../../storage/port.ts'
import type { System } from '../../machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import type { ImportFiles } from './import-files.ts'
import { idOf, type Importer, type RecordLine, writeLine } from './import-line.ts'
import { DryRun } from './dry-run.ts'

/** Lines that share a commit, if other writers leave room. More would make readers wait longer for little speed. */
const MAX_UNDER_WAY = 16
/** Bytes; a single line may be larger. */
const MAX_BYTES_UNDER_WAY = 1024 * 1024
/** Bytes of a line that is written before another one is read: whoever reads it holds the room that it takes until then. */
const LARGE_LINE = 64 * 1024
/** Milliseconds of reading lines without a turn for others: lines that are no records wait for no commit. */
const MAX_TURN = 2

export function createImportService(deps: {
  store: Store
  system: System
  maxRecords: number
  importFiles: ImportFiles
}) {
  return {
    /**
     * Each line stands alone: what is wrong with one is told in the result. Lines before a fault that ends the import
     * stay written; it can be run again.
     * @throws PERMISSION_DENIED; VALIDATION_ERROR for an unknown schema or column; UNAVAILABLE; what
     * `file` throws
     */
    async run(caller: Caller, file: ArrivingFile, options: ImportQuestion, signal: AbortSignal): Promise<ImportResult> {
      if (options.mode === 'upsert') assertPermission(caller.role, 'records.update')
      await assertSchema(deps.store, options.schemaId)
      const run = new ImportRun(deps, caller, options)
      const source = deps.importFiles.readBody(file, options, signal)
      try {
        let turn = performance.now()
        for await (const some of source.lines) {
          for (const line of some) {
            if (run.isFull) await run.makeRoom()
            await run.take(line)
            if (line.size > LARGE_LINE) await run.drain()
            if (performance.now() - turn < MAX_TURN) continue
            await nextTurn()
            turn = performance.now()
          }
        }
        return { ...(await run.finish()), ...source.dialect() }
      } finally {
        await run.settle()
      }
    },
  }
}

export type ImportService = ReturnType<typeof createImportService>

type Ending = ImportOutcome | { readonly kind: 'fault'; readonly error: unknown }

class ImportRun {
  readonly #store: Store
  readonly #dryRun: DryRun | undefined
  #importer: Importer
  #underWay: { readonly size: number; readonly ending: Promise<Ending> }[] = []
  #bytes = 0
  readonly #counts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  readonly #errors: ImportError[] = []

  constructor(deps: { store: Store; system: System; maxRecords: number }, caller: Caller, options: ImportOptions) {
    this.#store = deps.store
    this.#dryRun = options.dryRun ? new DryRun() : undefined
    this.#importer = { system: deps.system, maxRecords: deps.maxRecords, caller, options, header: undefined }
  }

  get isFull(): boolean {
    const most = this.#dryRun === undefined ? MAX_UNDER_WAY : 1
    return this.#underWay.length >= most || this.#bytes > MAX_BYTES_UNDER_WAY
  }

  async take(line: ImportLine): Promise<void> {
    if (line.kind === 'header') {
      this.#importer = { ...this.#importer, header: await readHeader(this.#store, line, this.#importer.options) }
      return
    }
    const { header } = this.#importer
    const ending: Promise<Ending> =
      line.kind === 'fault'
        ? Promise.resolve(describe(line.error, line, header))
        : this.#write(line).then(
            (kind) => ({ kind }),
            (error: unknown) => describe(error, line, header),
          )
    this.#underWay.push({ size: line.size, ending })
    this.#bytes += line.size
  }

  /** Waits for the oldest line, so that outcomes are taken down in the order of the file. */
  async makeRoom(): Promise<void> {
    const oldest = this.#underWay.shift()!
    const ending = await oldest.ending
    this.#bytes -= oldest.size
    if (ending.kind === 'fault') throw ending.error
    this.#counts[ending.kind] += 1
    if (ending.kind !== 'failed' || this.#errors.length >= MAX_IMPORT_ERRORS) return
    const { line, id, code, message } = ending
    this.#errors.push({ line, id, error: code, message })
  }

  /** Waits for all lines. */
  async drain(): Promise<void> {
    while (this.#underWay.length > 0) await this.makeRoom()
  }

  async finish(): Promise<ImportResult> {
    await this.drain()
    return { ...this.#counts, errors: this.#errors }
  }

  /** Resolves when nothing is being written any more. */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay.map(({ ending }) => ending))
  }

  #write(line: RecordLine): Promise<'created' | 'updated' | 'unchanged'> {
    const work = (tx: RecordTransaction) => writeLine(tx, this.#importer, line)
    return this.#dryRun === undefined ? this.#store.transaction(work) : this.#dryRun.run(this.#store, work)
  }
}

/** What is wrong with the line, or a fault that other lines would meet, too. */
function describe(error: unknown, line: ImportLine, header: CsvHeader | undefined): Ending {
  if (!(error instanceof PimletError) || error.code === 'UNAVAILABLE' || error.code === 'INTERNAL_ERROR')
    return { kind: 'fault', error }
  return { kind: 'failed', line: line.line, id: idOf(line, header), code: error.code, message: error.message }
}

async function assertSchema({ read }: Store, schemaId: string | undefined): Promise<void> {
  if (schemaId !== undefined && !(await read.model()).schemas.has(schemaId))
    throw invalid(`query.schemaId names the unknown schema '${shorten(schemaId, 128)}'`)
}

async function readHeader(
  { read }: Store,
  { names, style }: Extract<ImportLine, { kind: 'header' }>,
  { schemaId }: ImportOptions,
): Promise<CsvHeader> {
  const model = await read.model()
  const schema = schemaId === undefined || names.includes('schemaId') ? undefined : model.schemas.get(schemaId)
  const header = readCsvHeader(names, schema === undefined ? [...model.schemas.values()] : [schema], model, style)
  if (schemaId === undefined && !header.fixed.has('schemaId'))
    throw invalid('The file has no column schemaId, and the query names no schemaId')
  return header
}
