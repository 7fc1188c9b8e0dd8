// What the first row of a file means, with or without a mapping. Contract 2 §7, 3 §4.
import { type CsvHeader, readCsvHeader } from '../../domain/csv/csv-header.ts'
import { invalid } from '../../domain/errors.ts'
import type { ImportSetting } from '../../domain/imports/import-setting.ts'
import { mapHeader } from '../../domain/imports/mapped-header.ts'
import type { ImportLine } from '../../domain/records/import.ts'
import type { Store } from '../../storage/port.ts'

/** @throws VALIDATION_ERROR naming the first column that is unknown, missing or given twice */
export async function readHeader(
  { read }: Pick<Store, 'read'>,
  { names, style }: Pick<Extract<ImportLine, { kind: 'header' }>, 'names' | 'style'>,
  { schemaId, mapping }: Pick<ImportSetting, 'schemaId' | 'mapping'>,
): Promise<CsvHeader> {
  const model = await read.model()
  if (mapping !== undefined) return mapHeader(names, mapping, model.schemas.get(mapping.schemaId)!, style)
  const schema = schemaId === undefined || names.includes('schemaId') ? undefined : model.schemas.get(schemaId)
  const header = readCsvHeader(names, schema === undefined ? [...model.schemas.values()] : [schema], model, style)
  if (schemaId === undefined && !header.fixed.has('schemaId'))
    throw invalid('The file has no column schemaId, and the query names no schemaId')
  return header
}
