// Use case of importing records from a file as it arrives. Contract 2 §7, 3 §4.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller } from '../core/accounts/caller.ts'
import { assertPermission, readableChanges } from '../core/accounts/rules/permissions.ts'
import { invalid, shorten } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Store } from '../store/port.ts'
import { settleArriving } from './file-decimal.ts'
import type { ImportFiles } from './import-file-store.ts'
import { namedProfile } from './import-profiles.ts'
import { ImportRun } from './import-run.ts'
import { assertRoomFor, limitAfter, roomOf } from './room.ts'
import type {
  ArrivingFile,
  ImportLine,
  ImportQuestion,
  ImportResult,
  ImportSource,
  ToldDialect,
} from './rules/import-outcome.ts'
import { assertMayMatch, type ImportSetting, settingOf } from './rules/import-setting.ts'

/** Bytes. A larger line is written before the next is read, because its memory is reserved until then. */
const LARGE_LINE = 64 * 1024
/** Milliseconds of reading before the event loop gets a turn: faulty lines never wait for a commit. */
const MAX_TURN = 2

interface ImportDeps {
  readonly store: Store
  readonly system: System
  readonly maxRecords: number
  readonly importFiles: ImportFiles
}

export function createImportService(deps: ImportDeps) {
  const { store, importFiles } = deps
  return {
    /**
     * Imports the file. Each line stands alone, and its error is part of the result. Lines before a fault that ends the
     * import stay written; the import can be run again.
     * @throws PERMISSION_DENIED; LIMIT_EXCEEDED where the file would make too many records; VALIDATION_ERROR for an
     * unknown schema, profile or column; UNAVAILABLE; errors of `file`
     */
    async run(
      caller: Caller,
      file: ArrivingFile<Buffer>,
      question: ImportQuestion,
      signal: AbortSignal,
    ): Promise<ImportResult> {
      const { profile } = question
      const mapping = profile === undefined ? undefined : await namedProfile(store.read, 'query.profile', profile)
      const model = await store.read.model()
      const setting = settingOf(question, mapping, model)
      assertMayMatch(caller.role, setting, model)
      if (setting.mode !== 'create') assertPermission(caller.role, 'records.update')
      if (setting.schemaId !== undefined && !model.schemas.has(setting.schemaId))
        throw invalid(`query.schemaId names the unknown schema '${shorten(setting.schemaId, 128)}'`)
      const settled = await settleArriving({ store, files: importFiles }, file, question, { setting, signal })
      try {
        const source = importFiles.readBody(settled.file, { ...question, decimal: settled.decimal }, signal)
        return await take(deps, { caller, setting, dryRun: question.dryRun }, source)
      } finally {
        await settled.end()
      }
    },
  }
}

interface Asked {
  readonly caller: Caller
  readonly setting: ImportSetting
  readonly dryRun: boolean
}

async function take(deps: ImportDeps, { caller, setting, dryRun }: Asked, source: ImportSource): Promise<ImportResult> {
  const run = new ImportRun(deps, caller, setting, dryRun)
  try {
    const room = dryRun ? MAX_HELD : await roomOf(deps)
    const check: RoomCheck = async (lines, isWhole) => {
      if (lines.length > room) await assertRoomFor(deps, { caller, setting, read: () => lines, isWhole })
    }
    const held = new HeldLines(run, check)
    // More room than can be held tells nothing, and no line waits.
    if (room >= MAX_HELD) await held.release(false)
    await takeAll(run, held, source)
    const found = await run.finish()
    const limit = dryRun ? await limitAfter(deps, found.created) : undefined
    const result = resultOf(found, source.dialect(), caller, dryRun)
    return limit === undefined ? result : { ...result, limit }
  } finally {
    await run.settle()
  }
}

export type ImportService = ReturnType<typeof createImportService>

async function takeAll(run: ImportRun, held: HeldLines, source: ImportSource): Promise<void> {
  let turn = performance.now()
  for await (const some of source.lines)
    for (const line of some) {
      await held.take(line)
      if (line.size > LARGE_LINE) await held.release(false)
      if (line.size > LARGE_LINE) await run.drain()
      if (performance.now() - turn < MAX_TURN) continue
      await nextTurn()
      turn = performance.now()
    }
  await held.release(true)
}

function resultOf(
  { cleared, sample, ...counts }: Awaited<ReturnType<ImportRun['finish']>>,
  dialect: ToldDialect | undefined,
  { role }: Caller,
  isDryRun: boolean,
): ImportResult {
  const told = sample.map(({ schemaId, changes, ...line }) => ({
    ...line,
    changes: readableChanges(role, schemaId, changes),
  }))
  return {
    ...counts,
    ...(dialect === undefined ? {} : { cleared, ...dialect }),
    ...(isDryRun ? { sample: told } : {}),
  }
}

/** Lines, and their bytes, that are held back. */
const MAX_HELD = 10_000
const MAX_BYTES_HELD = 1024 * 1024

/** Looks at the lines, `isWhole` where they are all of the file, and throws where there is no room. */
type RoomCheck = (lines: readonly ImportLine[], isWhole: boolean) => Promise<void>

class HeldLines {
  readonly #run: ImportRun
  readonly #check: RoomCheck
  #lines: ImportLine[] | undefined = []
  #bytes = 0

  constructor(run: ImportRun, check: RoomCheck) {
    this.#run = run
    this.#check = check
  }

  async take(line: ImportLine): Promise<void> {
    if (this.#lines === undefined) return this.#run.take(line)
    this.#lines.push(line)
    this.#bytes += line.size
    if (this.#lines.length >= MAX_HELD || this.#bytes > MAX_BYTES_HELD) await this.release(false)
  }

  /** @throws what the check throws */
  async release(isWhole: boolean): Promise<void> {
    const lines = this.#lines
    if (lines === undefined) return
    this.#lines = undefined
    await this.#check(lines, isWhole)
    for (const line of lines) await this.#run.take(line)
  }
}
