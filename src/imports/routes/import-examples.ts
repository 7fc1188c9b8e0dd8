// Names and examples of the shapes of imports.
import {
  AttributeTarget,
  FieldTarget,
  ImportProfileInput,
  MappingInput,
  ProfileColumn,
  ImportProfileShape,
} from '../rules/import-profile.ts'
import { STEP_SHAPES } from '../rules/profile-steps.ts'
import { ImportErrorShape, ImportSampleShape, ImportResultShape } from '../rules/import-outcome.ts'
import { ZipMappingInput } from '../rules/zip-mapping.ts'
import { MappingBody, MappingByProfile, UploadShape, ZipMappingShape } from './upload-shapes.ts'
import { UploadSummaryShape, SkippedShape, FileColumnShape } from '../rules/import-upload.ts'
import { KINDS, type Kind } from '../rules/proposal/kinds.ts'
import { FactsShape, ProposalShape, ProposedColumnShape } from '../rules/proposal/proposal-shapes.ts'
import { component, type Components } from '../../http/openapi/component.ts'
import { NewModelInput } from '../../core/model/rules/new-model.ts'
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts'

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

const zipMapping = {
  schemaId: 'sch-shirt',
  matchBy: 'sku',
  attributeAlias: 'pictures',
  scope: {},
  pattern: '^(?<key>.+?)[-_](?<n>\\d+)\\.jpg$',
  pictureSchemaId: null,
  mode: 'append' as const,
}

const column = {
  index: 1,
  header: 'Bezeichnung',
  samples: ['Baumwollhemd', 'Leinenhemd'],
  suggestion: name.to,
  confidence: 'low' as const,
}
const upload = {
  id: EXAMPLE_IDS.import,
  fileName: 'Preisliste.csv',
  size: 48_211,
  format: 'csv' as const,
  encoding: 'windows-1252' as const,
  delimiter: ';' as const,
  decimal: ',' as const,
  schemaId: 'sch-shirt',
  status: 'mapped' as const,
  profileId: EXAMPLE_IDS.importProfile,
  jobIds: [EXAMPLE_IDS.bulkJob],
  lastRun: null,
  createdBy: EXAMPLE_IDS.user,
  ownerId: EXAMPLE_IDS.user,
  createdAt: '2026-03-05T14:00:00.000Z',
  expiresAt: '2026-03-12T14:00:00.000Z',
}

const facts = {
  samples: ['1,5', '2'],
  filled: 500,
  fits: Object.fromEntries(KINDS.map((kind) => [kind, 500])) as Record<Kind, number>,
  options: null,
  parts: null,
  separator: null,
  separated: 0,
  datePattern: null,
  units: [],
  withUnit: 0,
  isUnique: false,
  hasLeadingZero: false,
  isLong: false,
  hasTags: false,
  currencies: 0,
  pictures: 0,
  arrows: 0,
}
const proposed = {
  index: 3,
  header: 'Gewicht (kg)',
  closed: null,
  isTaken: true,
  alias: 'gewicht',
  name: 'Gewicht',
  kind: 'measurement' as const,
  language: null,
  unit: 'kg',
  part: null,
  isUnique: false,
  isRequired: false,
  facts,
}
const newModel = {
  dimensions: [],
  workflows: [],
  schemas: [
    {
      id: 'sch-teas',
      name: 'Teas',
      workflowId: 'wf-default',
      combinations: null,
      attributes: [
        {
          alias: 'gewicht',
          name: 'Gewicht',
          description: '',
          dataType: 'measurement' as const,
          dimensionIds: [],
          unique: false,
          requiredInStateIds: [],
          guard: null,
          validation: {},
          options: [],
          units: ['kg'],
          currencies: [],
        },
      ],
    },
  ],
  catalogs: [],
}
const proposal = {
  rows: 500,
  isWhole: true,
  loneCells: { rows: 0, samples: [] },
  decimal: ',' as const,
  schemaId: 'sch-teas',
  name: 'Teas',
  workflowId: 'wf-default',
  requiredInStateIds: ['state-review', 'state-published'],
  dimension: { id: 'language', name: 'Language' },
  segments: [],
  labelAttribute: null,
  catalog: { id: 'cat-teas', name: 'Teas', isNew: true },
  columns: [proposed],
  mapping: {
    schemaId: 'sch-teas',
    mode: 'create' as const,
    matchBy: null,
    emptyCells: 'keep' as const,
    columns: [
      {
        header: 'Gewicht (kg)',
        to: { attributeAlias: 'gewicht' },
        with: ['trim' as const, 'number' as const, { unit: 'kg' }],
      },
    ],
    model: newModel,
  },
}

export const importComponents: Components = {
  FileColumn: component(FileColumnShape, column),
  ImportSummary: component(UploadSummaryShape, upload),
  Import: component(UploadShape, { ...upload, columns: [column], mapping }),
  ImportProposal: component(ProposalShape, proposal),
  ProposedColumn: component(ProposedColumnShape, proposed),
  ColumnFacts: component(FactsShape, facts),
  NewModel: component(NewModelInput, newModel),
  MappingByProfile: component(MappingByProfile, { profileId: EXAMPLE_IDS.importProfile }),
  ImportMapping: component(MappingInput, mapping),
  ZipMappingInput: component(ZipMappingInput, zipMapping),
  ZipMapping: component(ZipMappingShape, zipMapping),
  SkippedEntries: component(SkippedShape, { files: 1, samples: ['__MACOSX/._SH-1-1.jpg'] }),
  ImportMappingInput: component(MappingBody, { profileId: EXAMPLE_IDS.importProfile }),
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
  ReplaceStep: component(STEP_SHAPES.replace, { replace: { find: '^(\\d+)x(\\d+)$', by: '$1 x $2' } }),
  UnitStep: component(STEP_SHAPES.unit, { unit: 'kg' }),
  JoinStep: component(STEP_SHAPES.join, { join: { headers: ['Breite', 'Höhe'], separator: ' x ' } }),
  ImportColumn: component(ProfileColumn, name),
  ImportProfileInput: component(ImportProfileInput, { name: 'Price list of the supplier', ...mapping }),
  ImportProfile: component(ImportProfileShape, {
    id: EXAMPLE_IDS.importProfile,
    name: 'Price list of the supplier',
    ...mapping,
  }),
}
