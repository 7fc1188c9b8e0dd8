// Use case of importing records from a file as it arrives. Contract 2 §7, 3 §4.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller } from '../core/accounts/caller.ts'
import { assertPermission, readableChanges } from '../core/accounts/rules/permissions.ts'
import { invalid, shorten } from '../kernel/errors.ts'
import { settleArriving } from './file-decimal.ts'
import type { ImportFiles } from './readers/import-files.ts'
import { namedProfile } from './import-profiles.ts'
import { ImportRun } from './import-run.ts'
import { makeAll } from './make-all.ts'
import { mayCreate, planMaking } from './planning.ts'
import { assertRoomFor, limitAfter, type RoomDeps, roomOf } from './room.ts'
import type {
  ArrivingFile,
  ImportLine,
  ImportQuestion,
  ImportResult,
  ImportSource,
  ToldDialect,
} from './rules/import-outcome.ts'
import type { ImportMapping } from './rules/import-profile.ts'
import { FILE_STEPS } from './rules/profile-steps.ts'
import { assertMayCreate } from './rules/import-rights.ts'
import { assertMayMatch, type ImportSetting, settingOf } from './rules/import-setting.ts'

/** Bytes. A larger line is written before the next is read, because its memory is reserved until then. */
const LARGE_LINE = 64 * 1024
/** Lines, and their bytes, that are held back. */
const MAX_HELD = 10_000
const MAX_BYTES_HELD = 1024 * 1024
/** Milliseconds of reading before the event loop gets a turn: faulty lines never wait for a commit. */
const MAX_TURN = 2

interface ImportDeps extends RoomDeps {
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
      if (mapping !== undefined) assertMayCreate(caller.role, mapping)
      if (mapping !== undefined) assertNoFiles(mapping)
      const settled = await settleArriving({ store, files: importFiles }, file, question, { setting, signal })
      try {
        const read = (held: ArrivingFile<Buffer>): ImportSource =>
          importFiles.readBody(held, { ...question, decimal: settled.decimal }, signal)
        const asked = { caller, setting, dryRun: question.dryRun }
        if (!mayCreate(mapping)) return await take(deps, asked, read(settled.file))
        const held = await importFiles.hold(settled.file)
        try {
          return await takeMaking(deps, asked, () => read(held.file))
        } finally {
          await held.remove()
        }
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
    await takeAll(run, source, room, (lines, isWhole) =>
      assertRoomFor(deps, { caller, setting, read: () => lines, isWhole }),
    )
    const found = await run.finish()
    const limit = dryRun ? await limitAfter(deps, found.created) : undefined
    const result = resultOf(found, source.dialect(), caller, dryRun)
    return limit === undefined ? result : { ...result, limit }
  } finally {
    await run.settle()
  }
}

/** Reads the file twice: first for the options and categories that it needs. */
async function takeMaking(deps: ImportDeps, asked: Asked, read: () => ImportSource): Promise<ImportResult> {
  const making = await planMaking(deps, asked.setting, linesOf(read()))
  if (making === undefined) return take(deps, asked, read())
  const { store, system } = deps
  const note = async (): Promise<void> => undefined
  const callerIn = async (): Promise<Caller> => asked.caller
  if (!asked.dryRun) await makeAll({ store, system, origin: { kind: 'import' }, callerIn, note }, making)
  const setting = { ...asked.setting, making: asked.dryRun ? making : making.made() }
  return { ...(await take(deps, { ...asked, setting }, read())), making: making.list() }
}

/** Files take longer to fetch than a request may take. @throws VALIDATION_ERROR */
function assertNoFiles({ columns }: ImportMapping): void {
  const named = columns.find(({ with: steps }) => FILE_STEPS.some((name) => steps?.includes(name)))
  if (named === undefined) return
  throw invalid(
    `query.profile: the column '${shorten(named.header)}' names files: upload the file of records instead (POST /api/v1/imports)`,
  )
}

async function* linesOf({ lines }: ImportSource): AsyncGenerator<ImportLine, void> {
  for await (const some of lines) yield* some
}

/**
 * Holds the first lines back until they show whether the records may fit.
 * @param assertRoom looks at more lines than there is room for; `isWhole`: the lines are all of the file
 */
async function takeAll(
  run: ImportRun,
  source: ImportSource,
  room: number,
  assertRoom: (lines: readonly ImportLine[], isWhole: boolean) => Promise<void>,
): Promise<void> {
  // More room than can be held tells nothing, and no line waits.
  let held: ImportLine[] | undefined = room >= MAX_HELD ? undefined : []
  let bytes = 0
  const release = async (isWhole: boolean): Promise<void> => {
    const lines = held
    held = undefined
    if (lines !== undefined && lines.length > room) await assertRoom(lines, isWhole)
    for (const line of lines ?? []) await run.take(line)
  }
  let turn = performance.now()
  for await (const some of source.lines)
    for (const line of some) {
      const isLarge = line.size > LARGE_LINE
      bytes += line.size
      if (held === undefined) await run.take(line)
      else if (held.push(line) >= MAX_HELD || bytes > MAX_BYTES_HELD || isLarge) await release(false)
      if (isLarge) await run.drain()
      if (performance.now() - turn < MAX_TURN) continue
      await nextTurn()
      turn = performance.now()
    }
  await release(true)
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
