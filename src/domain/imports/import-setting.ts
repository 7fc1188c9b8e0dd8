// How an import goes about its lines: what the client says, and where it says nothing, its profile. Contract 2 §7, 3 §4.
import type { Model } from '../model/model.ts'
import type { EmptyCells, ImportMode, ImportQuestion } from '../records/import.ts'
import { assertMapping, assertMatchBy, type ImportMapping } from './import-profile.ts'

export interface ImportSetting {
  readonly mode: ImportMode
  /** Of lines that name none. */
  readonly schemaId: string | undefined
  /** A unique attribute by which records are found, in place of their ID. */
  readonly matchBy: string | undefined
  readonly emptyCells: EmptyCells
  readonly mapping: ImportMapping | undefined
}

type Asked = Pick<ImportQuestion, 'mode' | 'schemaId' | 'matchBy' | 'emptyCells'>

/** @throws VALIDATION_ERROR for a mapping that does not fit the model (any more) */
export function settingOf(asked: Asked, mapping: ImportMapping | undefined, model: Model): ImportSetting {
  if (mapping !== undefined) assertMapping(mapping, model)
  const setting: ImportSetting = {
    mode: asked.mode ?? mapping?.mode ?? 'create',
    schemaId: mapping?.schemaId ?? asked.schemaId,
    matchBy: asked.matchBy ?? mapping?.matchBy ?? undefined,
    // An empty cell of the columns of an export is no value.
    emptyCells: asked.emptyCells ?? mapping?.emptyCells ?? 'clear',
    mapping,
  }
  const schema = setting.schemaId === undefined ? undefined : model.schemas.get(setting.schemaId)
  if (schema !== undefined && setting.matchBy !== undefined) assertMatchBy(schema, setting.matchBy)
  return setting
}
