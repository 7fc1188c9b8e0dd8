// Names and examples of the shapes of imports.
import {
  AttributeTarget,
  FieldTarget,
  ImportProfileInput,
  ProfileColumn,
} from '../../../domain/imports/import-profile.ts'
import { STEP_SHAPES } from '../../../domain/imports/profile-steps.ts'
import {
  ImportErrorShape,
  ImportProfileShape,
  ImportResultShape,
  ImportSampleShape,
} from '../../shapes/import-shapes.ts'
import { component, type Components } from '../component.ts'
import { EXAMPLE_IDS } from '../example-ids.ts'

const error = {
  line: 2,
  id: EXAMPLE_IDS.otherRecord,
  error: 'VALIDATION_ERROR' as const,
  message: "schemaId names the unknown schema 'sch-shrit'",
}
const sample = {
  line: 3,
  id: EXAMPLE_IDS.record,
  outcome: 'updated' as const,
  changes: [{ attributeAlias: 'name', scope: { language: 'de' }, oldValue: 'Hemd', newValue: 'Baumwollhemd' }],
}
const name = {
  header: 'Bezeichnung',
  to: { attributeAlias: 'name', scope: { language: 'de' } },
  with: ['trim' as const],
}
const columns = [
  { header: 'Artikelnummer', to: { attributeAlias: 'sku' } },
  name,
  { header: 'VK', to: { attributeAlias: 'price', scope: { market: 'eu' } }, with: ['decimalComma' as const] },
  { header: 'Währung', to: { attributeAlias: 'price', scope: { market: 'eu' }, part: 'currency' as const } },
  { header: 'Gruppe', to: { field: 'categories' as const } },
]
const mapping = { schemaId: 'sch-shirt', mode: 'upsert' as const, matchBy: 'sku', emptyCells: 'keep' as const, columns }

export const importComponents: Components = {
  ImportError: component(ImportErrorShape, error),
  ImportSample: component(ImportSampleShape, sample),
  ImportResult: component(ImportResultShape, {
    created: 1,
    updated: 0,
    unchanged: 0,
    failed: 1,
    errors: [error],
    cleared: 0,
    delimiter: ',',
    decimal: '.',
    encoding: 'utf-8',
  }),
  FieldTarget: component(FieldTarget, { field: 'categories' }),
  AttributeTarget: component(AttributeTarget, { attributeAlias: 'name', scope: { language: 'de' } }),
  DateStep: component(STEP_SHAPES.date, { date: 'dd.MM.yyyy' }),
  SplitStep: component(STEP_SHAPES.split, { split: ';' }),
  MapStep: component(STEP_SHAPES.map, { map: { rot: 'red', blau: 'blue' } }),
  DefaultStep: component(STEP_SHAPES.default, { default: 'EUR' }),
  ImportColumn: component(ProfileColumn, name),
  ImportProfileInput: component(ImportProfileInput, { name: 'Price list of the supplier', ...mapping }),
  ImportProfile: component(ImportProfileShape, {
    id: EXAMPLE_IDS.importProfile,
    name: 'Price list of the supplier',
    ...mapping,
  }),
}
