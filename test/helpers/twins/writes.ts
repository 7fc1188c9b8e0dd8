// Writes of the limited callers of `twins.ts`, and reads of earlier versions.
import { everywhere } from '../shirts.ts'
import { get, line, NDJSON, patch, post, put, remove, value } from './requests.ts'
import type { Request } from './twins.ts'
import { HIDDEN } from './workspace.ts'

const restored = (id: string, back = 0): Request[] => [
  { ...get(`/records/${id}/audit?action=create`), keep: { name: 'created', from: '0.version' } },
  { ...get(`/records/${id}/audit?limit=100`), keep: { name: 'latest', from: `${back}.version` } },
  post(`/records/${id}/restore`, { version: back === 0 ? '$created' : '$latest' }),
  post(`/records/${id}/restore`, { version: '$latest', scopes: [{}] }),
]
/** Earlier versions of records, with what they hide. */
const VERSIONS: readonly Request[] = [
  ...['r-0', 'r-4', 'v-6', 'd-20', 's-0'].flatMap((id) =>
    [0, 1, 2, 3, 4].flatMap((back) => [
      { ...get(`/records/${id}/audit?limit=100`), keep: { name: 'version', from: `${back}.version` } },
      get(`/records/${id}?version=$version`),
      get(`/records/${id}?version=$version&include=completeness,effectiveValues,image`),
    ]),
  ),
  { ...get('/records/r-0/audit?action=create'), keep: { name: 'first', from: '0.version' } },
]

export const WRITES: readonly Request[] = [
  ...VERSIONS,
  ...HIDDEN.flatMap((alias) => [
    put('/records/r-0', { values: { [alias]: value(alias) } }),
    patch('/records/r-0', { values: { [alias]: value(alias) } }),
    patch('/records/r-0', { values: { [alias]: everywhere(null) } }),
    patch('/records/r-0', { values: { [alias]: everywhere(['nonsense']) } }),
    patch('/records/r-0', { values: {}, expect: [{ attributeAlias: alias, scope: {}, value: null }] }),
    patch(`/records/r-0/values/${alias}`, { scopedValues: value(alias) }),
    patch(`/records/r-0/values/${alias}`, { scopedValues: [] }),
    post('/records', { id: 'new', schemaId: 'sch-a', values: { [alias]: value(alias) } }),
    post('/records/validate', { id: 'r-0', values: { [alias]: value(alias) } }),
    post('/records/validate', { id: 'r-0', mode: 'put', stateId: 'state-archived', values: { [alias]: value(alias) } }),
    post('/records/validate', { schemaId: 'sch-a', parentId: 'r-0', values: { [alias]: everywhere('x') } }),
    post('/records/batch', {
      atomic: false,
      operations: [
        { op: 'patch', id: 'r-1', values: { [alias]: value(alias) } },
        { op: 'update', id: 'r-1', values: { [alias]: [] } },
      ],
    }),
    post('/bulk-jobs', {
      selection: { ids: ['r-0'] },
      dryRun: true,
      actions: [{ patchValues: {}, expect: value(alias).map((scoped) => ({ attributeAlias: alias, ...scoped })) }],
    }),
    patch('/records/r-0', { values: {}, expect: value(alias).map((scoped) => ({ attributeAlias: alias, ...scoped })) }),
    post(`/records/import?mode=update`, line({ id: 'r-0', values: { [alias]: value(alias) } }), { headers: NDJSON }),
    post(`/records/import?mode=upsert`, line({ id: 'r-0', schemaId: 'sch-a', values: { [alias]: value(alias) } }), {
      headers: NDJSON,
    }),
    post(`/records/import?mode=update&dryRun=true`, line({ id: 'r-0', values: { [alias]: value(alias) } }), {
      headers: NDJSON,
    }),
    post('/records/r-0/restore', { version: '$first', attributeAliases: [alias] }),
  ]),
  ...['state-draft', 'state-review', 'state-archived'].map((stateId) =>
    post('/records/validate', { id: 'r-0', stateId, values: {} }),
  ),
  post('/records/validate', { id: 'v-6', values: { title: everywhere('x') }, stateId: 'state-review' }),
  post('/records/validate', { id: 'r-1', values: { name: everywhere('open 0'), friend: everywhere('d-20') } }),
  ...['$file0', '$file1', '$picture0', '$picture1', '$picture2'].flatMap((sha256) => [
    patch('/records/r-0', { values: { file: everywhere({ sha256, fileName: 'a.txt' }) } }),
    post('/records/validate', { id: 'r-0', values: { file: everywhere({ sha256, fileName: 'a.txt' }) } }),
    { method: 'HEAD', path: `/api/v1/files/${sha256}` },
    { method: 'HEAD', path: `/api/v1/records/p-0/files/${sha256}` },
  ]),
  post('/records', { id: 'n-1', schemaId: 'sch-a', values: { name: everywhere('new 1'), title: everywhere('x') } }),
  post(
    '/records',
    { id: 'n-2', schemaId: 'sch-a', parentId: 'r-1', values: { name: everywhere('new 2') } },
    { headers: { 'idempotency-key': 'key-of-n-2' } },
  ),
  post(
    '/records',
    { id: 'n-2', schemaId: 'sch-a', parentId: 'r-1', values: { name: everywhere('new 2') } },
    { headers: { 'idempotency-key': 'key-of-n-2' } },
  ),
  get('/records/n-2?include=effectiveValues,completeness,image,variants'),
  put('/records/r-1', { values: { title: everywhere('put') } }),
  patch('/records/r-2', {
    values: { title: everywhere('patched') },
    expect: [{ attributeAlias: 'flag', scope: {}, value: true }],
  }),
  patch('/records/r-2', {
    values: { flag: everywhere(true) },
    expect: [{ attributeAlias: 'flag', scope: {}, value: false }],
  }),
  get('/records/r-1/transitions'),
  get('/records/r-4?include=transitions,completeness'),
  ...['r-1', 'r-4', 'v-7'].map((id) => get(`/records/${id}/completeness?stateId=state-published&by=combination`)),
  post('/records/r-3/transition', { transitionId: 'tr-in' }),
  get('/records/r-3/transitions'),
  post('/records/r-3/transition', { transitionId: 'tr-out' }),
  ...restored('r-4'),
  ...restored('d-20', 1),
  ...restored('v-6'),
  get('/records/d-20?include=completeness,effectiveValues'),
  get('/records/d-20/audit'),
  put('/records/r-4/categories', [{ categoryId: 'c-0' }, { categoryId: 'c-1' }]),
  remove('/records/s-1'),
  ...restored('s-1', 1),
  remove('/records/r-0'),
  remove('/records/p-0'),
  remove('/records/p-2?detach=true'),
  remove('/records/d-20'),
  put('/records/s-0', { values: {} }),
  remove('/records/s-2/history'),
  get('/records/s-2/audit'),
]
