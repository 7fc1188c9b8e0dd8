// Names and examples of the shapes of records as lists and searches answer them.
import {
  CombinationScoreShape,
  FoundRecordPageShape,
  FoundRecordShape,
  ItemCompletenessShape,
  ReadRecordShape,
} from './item-shapes.ts'
import { component, type Components } from '../../../http/openapi/component.ts'
import { exampleRecord } from './record-examples.ts'

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
}
