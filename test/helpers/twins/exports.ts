// Exports and product sheets of the limited callers of `twins.ts`, and what they ask of the administrator's jobs.
import { all, by, criterion, get, post, put } from './requests.ts'
import type { Request } from './twins.ts'
import { HIDDEN } from './workspace.ts'

const FORMATS = ['csv', 'json', 'jsonl', 'xml', 'xlsx']
const column = (attributeAlias: string, more: object = {}) => ({ header: 'x', attributeAlias, ...more })
const draft = (more: object) => ({
  name: 'D',
  destinationType: 'puppet',
  destinationConfig: { behaviour: 'deliver', directory: '$directory', token: 't' },
  schedule: '0 3 1 1 *',
  format: 'csv',
  includeVariants: true,
  compress: false,
  filenameTemplate: '{jobId}',
  schemaId: 'sch-a',
  ...more,
})
/** Jobs of the caller: their files are the same. */
const OWN_JOBS: Readonly<Record<string, object>> = {
  'own-json': { format: 'json' },
  'own-flat': { format: 'csv', dimensionScope: { language: 'de', market: 'eu' } },
  'own-all': { format: 'xml', schemaId: undefined, variantValues: 'own' },
  'own-sorted': { format: 'jsonl', sort: [{ field: 'completeness', direction: 'desc' }] },
  'own-complete': {
    format: 'jsonl',
    selection: { ...all, criteria: [{ field: 'completeness', operator: 'lt', value: 100, stateId: 'state-archived' }] },
  },
  'own-text': { format: 'jsonl', selection: { ...all, text: 'a' } },
  'own-delta': { format: 'jsonl', delta: {} },
  'own-zip': {
    format: 'csv',
    files: { attributes: ['pictures'], preset: 'thumb', name: '{name}-{n}.{ext}', as: 'zip' },
  },
  'own-beside': {
    format: 'csv',
    files: { attributes: ['file'], preset: 'original', name: '{name}-{n}.{ext}', as: 'beside' },
  },
  'own-linked': {
    format: 'csv',
    columns: [
      column('pictures', { via: 'open', part: 'fileName' }),
      { header: 'l', attributeAlias: 'friend', via: 'name' },
    ],
  },
}
const JOB_IDS = ['job-all', 'job-columns', 'job-selection', 'job-sort', 'job-delta', 'job-open']
const ASKED: readonly Request[] = [
  post('/records/export', {
    ...all,
    format: 'csv',
    columns: [column('pictures', { via: 'open', index: 1, part: 'url', preset: 'crop' })],
  }),
  ...FORMATS.flatMap((format) => [
    post('/records/export', { ...all, format }),
    post('/records/export', { ...all, format, dimensionScope: { language: 'de', market: 'eu' } }),
    post('/records/export', { ...all, format, variantValues: 'own' }),
    post('/records/export', { ...all, schemaId: undefined, format }),
    post('/records/export', {
      ...all,
      format,
      sort: [{ field: 'completeness', direction: 'desc' }],
      include: ['completeness'],
    }),
  ]),
  ...HIDDEN.flatMap((alias) => [
    post('/records/export', { ...all, format: 'csv', columns: [column(alias)] }),
    post('/records/export', {
      ...all,
      format: 'csv',
      columns: [{ header: 'x', template: `{${alias}|default:"none"}` }],
    }),
    post('/records/export', { ...all, format: 'csv', columns: [{ header: 'x', template: `{parent.${alias}}` }] }),
    post('/export-jobs/preview', draft({ columns: [column(alias)] })),
    post('/export-jobs/preview', draft({ sort: [{ attributeAlias: alias, direction: 'asc' }] })),
    post(
      '/export-jobs/check',
      draft({ files: { attributes: [alias], preset: 'thumb', name: '{name}-{n}.{ext}', as: 'zip' } }),
    ),
  ]),
  post('/records/export', {
    ...all,
    format: 'csv',
    columns: [column('pictures', { via: 'content', index: 1, part: 'url', preset: 'thumb' })],
  }),
  post('/records/export', {
    ...all,
    format: 'csv',
    columns: [column('pictures', { via: 'alt' }), column('pictures', { via: 'open', part: 'sha256' })],
  }),
  post('/records/export', { ...all, format: 'csv', columns: [column('friend', { via: 'hName' })] }),
  ...JOB_IDS.flatMap((id) => [
    post(`/export-jobs/${id}/preview`, {}),
    ...['r-0', 'r-1', 'v-6', 'b-1', 'd-20'].map((entityId) => post(`/export-jobs/${id}/explain`, { entityId })),
    post('/export-jobs/preview', {
      id,
      ...draft({ destinationConfig: { behaviour: 'deliver', directory: '$directory', token: '********' } }),
    }),
    post(`/export-jobs/${id}/trigger`, undefined, { keep: { name: 'triggered', from: 'id' } }),
    get(`/export-jobs/${id}/runs/$triggered?wait=5`),
  ]),
  ...['r-0', 'v-6', 'p-0', 's-0', 'b-1'].flatMap((id) => [
    get(`/records/${id}/sheet`),
    get(`/records/${id}/sheet?language=de`),
    get(`/records/${id}/sheet?templateId=sht-hidden`),
  ]),
  post('/records/sheets', { recordIds: ['r-0', 'r-1', 'b-0'] }),
  post('/records/sheets', { recordIds: ['r-0', 'r-1'], templateId: 'sht-hidden', scope: { language: 'de' } }),
  post('/records/sheets', { query: by(criterion('hColor', 'isEmpty')) }),
  post('/sheet-links', { recordIds: ['r-0', 'r-1'], templateId: 'sht-hidden' }),
  post(
    '/sheet-links',
    { recordIds: ['r-0', 'r-1'], templateId: 'sht-hidden', name: 'L' },
    { keep: { name: 'address', from: 'url' } },
  ),
  { method: 'GET', path: '$address' },
  post('/sheet-links', { recordIds: ['b-0', 'p-0'] }, { keep: { name: 'address', from: 'url' } }),
  { method: 'GET', path: '$address' },
  ...Object.entries(OWN_JOBS).flatMap(([id, more]) => [
    post('/export-jobs', { ...draft({}), id, ...more }),
    post(`/export-jobs/${id}/trigger`, undefined, { keep: { name: 'ownexport', from: 'id' } }),
    get(`/export-jobs/${id}/runs/$ownexport`),
    post(`/export-jobs/${id}/preview`, { limit: 5 }),
    post(`/export-jobs/${id}/explain`, { entityId: 'r-1' }),
  ]),
]

/** Jobs that the caller changes: whatever of them is hidden stays so. */
const JOBS: readonly Request[] = JOB_IDS.flatMap((id) => [
  { ...get(`/export-jobs/${id}`), keep: { name: 'job', from: 'body' } },
  post(`/export-jobs/${id}/take-over`),
  post(`/export-jobs/${id}/check`),
  post(`/export-jobs/${id}/pause`),
  post(`/export-jobs/${id}/resume`),
])
const selected = (criteria: unknown[]) =>
  draft({
    destinationConfig: { behaviour: 'deliver', directory: '$directory', token: 't' },
    selection: { criteria, criteriaOperator: 'and', schemaId: 'sch-a' },
  })
const PLACEHOLDERS: readonly Request[] = [
  put('/export-jobs/job-selection', selected(['********'])),
  put('/export-jobs/job-selection', selected(['********', { field: 'id', operator: 'equals', value: 'r-0' }])),
  post('/export-jobs/preview', {
    id: 'job-selection',
    ...selected(['********', { field: 'id', operator: 'equals', value: 'r-0' }]),
  }),
  post('/export-jobs/check', {
    id: 'job-selection',
    ...selected(['********', { field: 'id', operator: 'equals', value: 'r-0' }]),
  }),
  put(
    '/export-jobs/job-columns',
    draft({
      columns: [column('name', { header: 'name' }), { ...column('hName', { map: '********' }), header: 'hName' }],
    }),
  ),
  post('/export-jobs/preview', { id: 'job-columns', ...draft({ columns: [{ header: 'T', template: '********' }] }) }),
]

export const EXPORTS: readonly Request[] = [...ASKED, ...JOBS, ...PLACEHOLDERS]
