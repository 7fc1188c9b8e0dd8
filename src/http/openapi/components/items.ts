// Names and examples of the shapes of records as lists and searches answer them.
import {
  CombinationScoreShape,
  FoundRecordPageShape,
  FoundRecordShape,
  ItemCompletenessShape,
  ReadRecordShape,
} from '../../shapes/item-shapes.ts'
import { ColumnInput } from '../../../domain/exports/columns.ts'
import { RecordExportBody, RecordExportShape } from '../../routes/records/record-export.ts'
import { component, type Components } from '../component.ts'
import { exampleRecord } from './records.ts'

const combinations = [
  { scope: { language: 'en' }, filled: 1, total: 1, percentage: 100 },
  { scope: { language: 'de' }, filled: 0, total: 1, percentage: 0 },
]
const completeness = {
  stateId: 'state-published',
  percentage: 50,
  filled: 1,
  total: 2,
  combinations,
  missing: [{ attributeAlias: 'description', scope: { language: 'de' } }],
}

const columns = [
  { header: 'SKU', attributeAlias: 'sku' },
  { header: 'Name', attributeAlias: 'name', scope: { language: 'de' } },
  { header: 'Price', attributeAlias: 'price', part: 'amount' as const },
  { header: 'Shop', constant: 'web' },
]
const found = {
  ...exampleRecord,
  version: 92_841,
  variantCount: 3,
  resolved: { name: 'Baumwollhemd' },
  completeness,
}

export const itemComponents: Components = {
  CombinationScore: component(CombinationScoreShape, combinations[1]!),
  ItemCompleteness: component(ItemCompletenessShape, completeness),
  FoundRecord: component(FoundRecordShape, found),
  RecordPage: component(FoundRecordPageShape, { items: [found], total: 1, offset: 0, limit: 50 }),
  ReadRecord: component(ReadRecordShape, exampleRecord),
  ExportColumn: component(ColumnInput, columns[1]!),
  RecordExport: component(RecordExportBody, {
    schemaId: 'sch-shirt',
    criteria: [],
    criteriaOperator: 'and',
    format: 'csv',
    columns,
    delimiter: ';',
    decimal: ',',
  }),
  ExportedRecords: component(RecordExportShape, [{ SKU: 'SH-1', Name: 'Baumwollhemd' }]),
}
