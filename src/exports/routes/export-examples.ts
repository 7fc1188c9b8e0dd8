// Names and examples of the shapes of export jobs and runs, and examples of the settings of the built-in destinations.
import { ColumnInput } from '../rules/export-columns.ts'
import { RecordExportShape } from './record-export-routes.ts'
import { RecordExportBody, ExportJobInput, GuardsInput } from '../rules/export-job.ts'
import { JobFilesInput } from '../rules/job-files.ts'
import { ExportRunShape, RunEntryInput, RunFilesShape, RunProgressShape } from '../rules/export-run.ts'
import { SECRET_PLACEHOLDER } from '../../kernel/secrets/secret-fields.ts'
import { DeltaInput } from '../rules/feed-state.ts'
import { XmlInput } from '../rules/xml-document.ts'
import { CheckShape, ExportedRecordShape, ExportJobShape } from './export-shapes.ts'
import { ExportDestinationShape, SchedulePreviewBody, SchedulePreviewShape } from './export-overview-routes.ts'
import { ExplainBody } from './inclusion-routes.ts'
import { JobInclusionShape, InclusionShape, InclusionReasonShape } from '../rules/inclusion.ts'
import { DraftPreviewInput } from './export-job-routes.ts'
import { EXPORTED_RECORD, PreviewInput } from './preview-routes.ts'
import { component, type Components } from '../../http/openapi/component.ts'
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts'

const s3 = {
  bucket: 'acme-feeds',
  path: 'catalogue',
  region: 'eu-central-1',
  accessKeyId: 'AKIAEXAMPLE',
  secretAccessKey: 'the-secret-of-the-key',
}

/** By type: one example of each kind of credentials. */
export const DESTINATION_EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  s3,
  'azure-blob': {
    container: 'feeds',
    path: 'catalogue',
    accountName: 'acmefeeds',
    accountKey: 'dGhlIGtleSBvZiB0aGUgYWNjb3VudA==',
  },
  sftp: {
    host: 'sftp.example.com',
    username: 'acme',
    path: 'incoming',
    password: 'the password of acme',
    hostKeySha256: 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU',
  },
  webhook: {
    url: 'https://example.com/feeds',
    headers: { Authorization: 'Bearer the-token-of-the-shop' },
    signingSecret: 'whsec_dGhlIHNlY3JldCBvZiB0aGUgd2ViaG9vaw==',
  },
}

const nightly = {
  name: 'Nightly catalogue',
  description: 'For the web shop',
  destinationType: 's3',
  format: 'csv' as const,
  schemaId: 'sch-shirt',
  catalogId: 'cat-web',
  dimensionScope: { language: 'de', market: 'eu' },
  includeLifecycleStateIds: ['state-published'],
  schedule: '0 2 * * *',
  timezone: 'Europe/Vienna',
  includeVariants: true,
  compress: true,
  filenameTemplate: 'products-{date}.csv',
}
const defaults = {
  missedRunPolicy: 'skip' as const,
  variantValues: 'effective' as const,
  selection: { criteria: [], criteriaOperator: 'and' as const, text: 'cotton' },
  sort: [],
  columns: null,
  spreadsheetSafe: false,
  delimiter: ',' as const,
  decimal: '.' as const,
  bom: false,
  separator: '|',
  sheet: null,
  files: null,
  xml: null,
  delta: { fullEvery: '0 2 * * 0' },
  guards: { minRecords: 100, maxDropPercent: 20 },
  checksum: 'sha256' as const,
  maxAttempts: 5,
  active: true,
}
const fileError = { recordId: EXAMPLE_IDS.record, n: 1, message: 'The file cannot be rendered' }
const run = {
  id: EXAMPLE_IDS.exportRun,
  jobId: EXAMPLE_IDS.exportJob,
  status: 'success' as const,
  startedAt: '2026-03-05T01:00:00.000Z',
  completedAt: '2026-03-05T01:00:04.210Z',
  recordCount: 412,
  fileSize: 48_213,
  destinationPath: 's3://acme-feeds/catalogue/products-2026-03-05.csv.gz',
  error: null,
  kind: 'full' as const,
  durationMs: 4210,
  attempts: 1,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  redelivers: null,
  keptUntil: null,
  files: { sent: 3, unchanged: 820, failed: 1, errors: [fileError] },
  progress: null,
}
const reasons = [
  { rule: 'schema' as const, met: true, expected: 'sch-shirt', actual: 'sch-shirt' },
  { rule: 'state' as const, met: false, expected: ['state-published'], actual: 'state-draft' },
]
const { status, startedAt, completedAt, recordCount, fileSize, destinationPath, error } = run
const runEntry = { status, startedAt, completedAt, recordCount, fileSize, destinationPath, error }

const columns = [
  { header: 'SKU', attributeAlias: 'sku' },
  { header: 'Name', attributeAlias: 'name', scope: { language: 'de' } },
  { header: 'Price', attributeAlias: 'price', part: 'amount' as const },
  { header: 'Shop', constant: 'web' },
  { header: 'Title', template: '{name|cut:150}' },
]

const jobFiles = {
  attributes: ['pictures'],
  preset: 'square',
  name: '{sku}-{n}.{ext}',
  as: 'beside' as const,
  publicBase: 'https://shop.example.com/pictures',
}

export const exportComponents: Components = {
  ExportFiles: component(JobFilesInput, jobFiles),
  ExportRunFiles: component(RunFilesShape, run.files),
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
  ExportRun: component(ExportRunShape, run),
  ExportRunProgress: component(RunProgressShape, {
    phase: 'delivering',
    records: 412,
    total: 412,
    bytes: 48_213,
    attempt: 1,
    nextAttemptAt: null,
    files: 3,
  }),
  ExportXml: component(XmlInput, {
    root: 'rss/channel',
    item: 'item',
    namespaces: { g: 'http://base.google.com/ns/1.0' },
    attributes: { version: '2.0' },
    before: [{ element: 'title', text: 'Shop' }],
  }),
  ExportDelta: component(DeltaInput, { fullEvery: '0 2 * * 0' }),
  ExportRunGuards: component(GuardsInput, { minRecords: 100, maxDropPercent: 20 }),
  ExportRunEntry: component(RunEntryInput, runEntry),
  ExportJob: component(ExportJobShape, {
    id: EXAMPLE_IDS.exportJob,
    ...nightly,
    destinationConfig: { ...s3, secretAccessKey: SECRET_PLACEHOLDER },
    ...defaults,
    createdAt: '2026-03-01T08:00:00.000Z',
    updatedAt: '2026-03-01T08:00:00.000Z',
    createdBy: EXAMPLE_IDS.user,
    ownerId: EXAMPLE_IDS.user,
    pausedReason: null,
    nextRunAt: '2026-03-06T01:00:00.000Z',
    lastRun: run,
  }),
  ExportJobInput: {
    ...component(ExportJobInput, { ...nightly, destinationConfig: s3 }),
    variants: Object.fromEntries(
      Object.entries(DESTINATION_EXAMPLES).map(([type, destinationConfig]) => [
        type,
        { ...nightly, destinationType: type, destinationConfig },
      ]),
    ),
  },
  ExportCheck: component(CheckShape, { ok: true, message: 'The destination can be written' }),
  ExportedRecord: component(ExportedRecordShape, EXPORTED_RECORD),
  ExportDestination: component(ExportDestinationShape, {
    type: 'webhook',
    title: 'Webhook',
    configSchema: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
    secrets: ['headers.*', 'signingSecret'],
    source: 'built-in',
  }),
  SchedulePreviewRequest: component(SchedulePreviewBody, {
    schedule: '0 2 * * *',
    timezone: 'Europe/Vienna',
    count: 2,
  }),
  SchedulePreview: component(SchedulePreviewShape, { next: ['2026-03-06T01:00:00.000Z', '2026-03-07T01:00:00.000Z'] }),
  ExplainRequest: component(ExplainBody, { entityId: EXAMPLE_IDS.record }),
  InclusionReason: component(InclusionReasonShape, reasons[1]!),
  Inclusion: component(InclusionShape, { included: false, reasons }),
  JobInclusion: component(JobInclusionShape, {
    jobId: EXAMPLE_IDS.exportJob,
    name: nightly.name,
    included: false,
    reasons,
  }),
  ExportPreviewRequest: component(PreviewInput, { limit: 5 }),
  ExportDraftPreviewRequest: component(DraftPreviewInput, { ...nightly, destinationConfig: s3, limit: 5 }),
}
