// Explains the first row of a file, with or without a mapping. Contract 2 §7, 3 §4.
import { type CsvHeader, readCsvHeader } from '../core/csv/csv-header.ts'
import { invalid } from '../kernel/errors.ts'
import type { ImportSetting } from './rules/import-setting.ts'
import { mapHeader } from './rules/mapped-header.ts'
import { modelFor } from './rules/planned-model.ts'
import type { Model, Schema } from '../core/model/rules/model.ts'
import type { FileHeader } from './rules/import-outcome.ts'
import type { Store } from '../store/port.ts'

/** Reads the header by the current model. @throws as `headerOf` does */
export async function readHeader(
  { read }: Pick<Store, 'read'>,
  file: Pick<FileHeader, 'names' | 'style'>,
  setting: Pick<ImportSetting, 'schemaId' | 'mapping' | 'making' | 'newModel'>,
): Promise<CsvHeader> {
  return headerOf(file, setting, modelFor(setting, await read.model()))
}

/** @throws VALIDATION_ERROR naming the first column that is unknown, missing or given twice */
export function headerOf(
  { names, style }: Pick<FileHeader, 'names' | 'style'>,
  { schemaId, mapping }: Pick<ImportSetting, 'schemaId' | 'mapping'>,
  model: Model,
): CsvHeader {
  const schemas = schemasOf(names, { schemaId, mapping }, model)
  const header =
    mapping === undefined ? readCsvHeader(names, schemas, model, style) : mapHeader(names, mapping, schemas[0]!, style)
  if (mapping === undefined && schemaId === undefined && !header.fixed.has('schemaId'))
    throw invalid('The file has no column schemaId, and the query names no schemaId')
  return header
}

/** The schemas that records of the file may have. */
export function schemasOf(
  names: readonly string[],
  { schemaId, mapping }: Pick<ImportSetting, 'schemaId' | 'mapping'>,
  { schemas }: Model,
): readonly Schema[] {
  if (mapping !== undefined) return [schemas.get(mapping.schemaId)!]
  const schema = schemaId === undefined || names.includes('schemaId') ? undefined : schemas.get(schemaId)
  return schema === undefined ? [...schemas.values()] : [schema]
}
