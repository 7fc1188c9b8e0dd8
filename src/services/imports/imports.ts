// The use case of importing records from a file as it arrives. Contract 2 §7, 3 §4.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalid, shorten } from '../../domain/errors.ts'
import { assertMayMatch, settingOf } from '../../domain/imports/import-setting.ts'
import type {
  ArrivingFile,
  ImportQuestion,
  ImportResult,
  ImportSource,
  ToldDialect,
} from '../../domain/records/import.ts'
import { assertPermission, readableChanges } from '../../domain/accounts/permissions.ts'
import type { Store } from '../../storage/port.ts'
import type { System } from '../../machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import type { ImportFiles } from './import-files.ts'
import { namedProfile } from './import-profiles.ts'
import { ImportRun } from './import-run.ts'

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
  const { store, importFiles } = deps
  return {
    /**
     * Each line stands alone: what is wrong with one is told in the result. Lines before a fault that ends the import
     * stay written; it can be run again.
     * @throws PERMISSION_DENIED; VALIDATION_ERROR for an unknown schema, profile or column; UNAVAILABLE; what `file` throws
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
      const run = new ImportRun(deps, caller, setting, question.dryRun)
      const source = importFiles.readBody(file, question, signal)
      try {
        await takeAll(run, source)
        const found = await run.finish()
        const told = source.dialect()
        const isCsv = told !== undefined && told.decimal !== null
        const dialect = isCsv ? { ...told, decimal: run.decimal ?? told.decimal } : told
        return resultOf(found, dialect, caller, question.dryRun)
      } finally {
        await run.settle()
      }
    },
  }
}

export type ImportService = ReturnType<typeof createImportService>

async function takeAll(run: ImportRun, source: ImportSource): Promise<void> {
  let turn = performance.now()
  for await (const some of source.lines)
    for (const line of some) {
      if (run.isFull) await run.makeRoom()
      await run.take(line)
      if (line.size > LARGE_LINE) await run.drain()
      if (performance.now() - turn < MAX_TURN) continue
      await nextTurn()
      turn = performance.now()
    }
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
