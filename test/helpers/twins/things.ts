// What the administrator of `twins.ts` has made and run with hidden values: jobs, imports, exports, queries, comments and templates.
import { sessionOf } from '../people.ts'
import { ADMIN_PASSWORD } from '../server.ts'
import { everywhere } from '../shirts.ts'
import { SCHEMA } from './workspace.ts'
import { bothAdmins, type Request, type Side, tell, type Twins, untilQuiet } from './twins.ts'

const post = (path: string, body?: unknown, more: object = {}): Request => ({ method: 'POST', path, body, ...more })
const put = (path: string, body?: unknown): Request => ({ method: 'PUT', path, body })
const CSV = { 'content-type': 'text/csv' }
const equals = (attributeAlias: string, value: string) => ({ attributeAlias, operator: 'equals', value })
/** A criterion that other records match at each side. */
const BY_HIDDEN = { schemaId: 'sch-a', criteria: [equals('hColor', 'red')], criteriaOperator: 'and' }
const BY_VISIBLE = { schemaId: 'sch-a', criteria: [equals('color', 'red')], criteriaOperator: 'and' }

const exportJob = (id: string, directory: string, more: object) =>
  post('/api/v1/export-jobs', {
    id,
    name: id,
    destinationType: 'puppet',
    destinationConfig: { behaviour: 'deliver', directory, token: 't' },
    format: 'jsonl',
    schedule: '0 3 1 1 *',
    includeVariants: true,
    compress: false,
    filenameTemplate: '{jobId}-{runId}.{format}',
    ...more,
  })

const column = (attributeAlias: string, more: object = {}) => ({ header: attributeAlias, attributeAlias, ...more })
const EXPORTS: Readonly<Record<string, object>> = {
  'job-all': { schemaId: 'sch-a' },
  'job-columns': {
    schemaId: 'sch-a',
    format: 'csv',
    columns: [column('name'), column('hName', { map: { x: 'y' } }), { header: 'T', template: '{hTitle} {name}' }],
  },
  'job-selection': { schemaId: 'sch-a', selection: BY_HIDDEN },
  'job-sort': { schemaId: 'sch-a', sort: [{ attributeAlias: 'hCount', direction: 'asc' }] },
  'job-delta': { schemaId: 'sch-a', delta: {} },
  'job-open': { schemaId: 'sch-b', format: 'csv', columns: [column('name'), column('pictures')] },
}

const profile = (id: string, more: object) =>
  post('/api/v1/import-profiles', {
    id,
    name: id,
    schemaId: 'sch-a',
    mode: 'update',
    emptyCells: 'keep',
    columns: [
      { header: 'id', to: { field: 'id' } },
      { header: 'hName', to: { attributeAlias: 'hName' } },
      { header: 'title', to: { attributeAlias: 'title', scope: { language: 'en' } } },
    ],
    ...more,
  })

/** A file in which the same row fails at each side, by another cell. */
const csv = (side: Side): string =>
  ['id,hName,hCount[market=eu],title[language=en]', ...[0, 1, 2].map((n) => row(side, n))]
    .map((line) => `${line}\r\n`)
    .join('')
const row = (side: Side, n: number): string =>
  `r-${n},imported ${side} ${n},${n === 1 ? ['much', 'lots'][side]! : 7 + side},imported ${n}`

const MAPPING = {
  schemaId: 'sch-a',
  mode: 'update',
  columns: [
    { header: 'id', to: { field: 'id' } },
    { header: 'hName', to: { attributeAlias: 'hName' } },
    { header: 'hCount[market=eu]', to: { attributeAlias: 'hCount', scope: { market: 'eu' } } },
    { header: 'title[language=en]', to: { attributeAlias: 'title', scope: { language: 'en' } } },
  ],
}

const JOBS: readonly ((side: Side) => Request)[] = [
  (side) =>
    post('/api/v1/bulk-jobs', {
      id: 'bulk-values',
      name: 'B',
      selection: { query: { criteria: [], criteriaOperator: 'and', schemaId: 'sch-a' } },
      actions: [{ patchValues: { hGuarded: everywhere(`by job ${side}`) } }],
    }),
  (side) =>
    post('/api/v1/bulk-jobs', {
      id: 'bulk-dry',
      selection: { ids: ['r-0', 'r-1'] },
      dryRun: true,
      actions: [{ patchValues: { hGuarded: everywhere(`dry ${side}`), title: everywhere('dry') } }],
    }),
  (side) =>
    post('/api/v1/bulk-jobs', {
      id: 'bulk-fails',
      selection: { ids: ['r-2', 'r-3'] },
      actions: [{ patchValues: { hCount: everywhere(side === 0 ? -1 : -2) } }],
    }),
  (side) =>
    post('/api/v1/bulk-jobs', {
      id: 'bulk-expects',
      selection: { ids: ['r-4', 'r-5'] },
      actions: [
        {
          patchValues: { title: everywhere('x') },
          expect: [{ attributeAlias: 'hName', scope: {}, value: `never ${side}` }],
        },
      ],
    }),
  () => post('/api/v1/bulk-jobs/bulk-values/undo', undefined, { keep: { name: 'undo', from: 'id' } }),
]

const IMPORT: readonly ((side: Side) => Request)[] = [
  (side) =>
    post('/api/v1/imports?fileName=hidden.csv', csv(side), { headers: CSV, keep: { name: 'upload', from: 'id' } }),
  () => put('/api/v1/imports/$upload/mapping', { schemaId: 'sch-a', mode: 'update', columns: null }),
  () => post('/api/v1/imports/$upload/dry-run', {}, { keep: { name: 'dry', from: 'id' } }),
  () => post('/api/v1/imports/$upload/run', {}, { keep: { name: 'import', from: 'id' } }),
  (side) =>
    post('/api/v1/imports?fileName=mapped.csv', csv(side), {
      headers: CSV,
      keep: { name: 'mappedUpload', from: 'id' },
    }),
  () => put('/api/v1/imports/$mappedUpload/mapping', MAPPING),
  () => post('/api/v1/imports/$mappedUpload/run', {}, { keep: { name: 'mappedImport', from: 'id' } }),
]

const QUERIES: readonly ((side: Side) => Request)[] = [
  () => post('/api/v1/saved-queries', { id: 'q-hidden', name: 'H', ...BY_HIDDEN }),
  () => post('/api/v1/saved-queries', { id: 'q-open', name: 'O', ...BY_VISIBLE }),
  () =>
    post('/api/v1/saved-queries', {
      id: 'q-sort',
      name: 'S',
      ...BY_VISIBLE,
      sort: [{ attributeAlias: 'hCount', direction: 'asc' }],
    }),
  () => post('/api/v1/saved-queries', { id: 'q-text', name: 'T', criteria: [], criteriaOperator: 'and', text: 'a' }),
  () =>
    post('/api/v1/subscriptions', {
      id: 'sub-hidden',
      name: 'S',
      url: 'https://shop.example/',
      events: ['record.updated'],
      active: false,
      selection: { criteria: BY_HIDDEN.criteria, criteriaOperator: 'and' },
    }),
  () => profile('ip-hidden', {}),
  () => profile('ip-match', { matchBy: 'hName' }),
  () =>
    post('/api/v1/sheet-templates', {
      id: 'sht-hidden',
      name: 'T',
      schemaId: 'sch-a',
      sections: [{ heading: 'S', attributeAliases: ['name', 'hTitle', 'hFriends', 'hColor'] }],
      pictures: ['hFile', 'hPictures'],
    }),
]

const TALK: readonly ((side: Side) => Request)[] = [
  () =>
    post(
      '/api/v1/assignments',
      { recordIds: ['r-0', 'r-1'], assigneeId: 'usr-limited', note: 'N' },
      { keep: { name: 'assignment', from: 'ids.0' } },
    ),
  () =>
    post(
      '/api/v1/records/r-0/comments',
      { text: 'open', attributeAlias: 'title' },
      { keep: { name: 'comment', from: 'id' } },
    ),
  (side) =>
    post(
      '/api/v1/records/r-0/comments',
      { text: `hidden ${side}`, attributeAlias: 'hName' },
      { keep: { name: 'hiddenComment', from: 'id' } },
    ),
  (side) =>
    post('/api/v1/records/r-0/comments', {
      text: 'more',
      ...(side === 0 ? { attributeAlias: 'hColor' } : { threadId: '$hiddenComment' }),
    }),
]

/** Makes all of it, and waits for its end. */
export async function furnish(twins: Twins, jobs: readonly string[] = Object.keys(EXPORTS)): Promise<void> {
  for (const twin of twins) {
    const person = await sessionOf(twin.server, 'admin', ADMIN_PASSWORD)
    await tell(
      twin,
      person,
      put('/api/v1/presence', { recordId: 'r-0', attributeAlias: ['hName', 'hTitle'][twin.side] }),
    )
  }
  for (const request of [...QUERIES, ...TALK]) await bothAdmins(twins, request)
  for (const request of [...JOBS.slice(0, 4), ...IMPORT, ...JOBS.slice(4)]) {
    await bothAdmins(twins, request)
    await untilQuiet(twins)
  }
  for (const [id, more] of Object.entries(EXPORTS)) {
    await bothAdmins(twins, (_side, directory) => exportJob(id, directory, more))
    if (!jobs.includes(id)) continue
    await bothAdmins(twins, () =>
      post(`/api/v1/export-jobs/${id}/trigger`, undefined, { keep: { name: `run${id.slice(4)}`, from: 'id' } }),
    )
    await untilQuiet(twins)
  }
}

/** Rules of hidden attributes that other stored values break at each side. */
const RULES: Readonly<Record<string, object>> = {
  hCount: { min: 0, max: 50 },
  hTitle: { pattern: '^A' },
  hName: { maxLength: 10 },
  hNote: { maxLength: 100 },
  hTags: { maxItems: 1 },
  hFriends: { maxCount: 1 },
  hFile: { mediaTypes: ['image/*'] },
}

export async function tighten(twins: Twins): Promise<void> {
  const attributes = SCHEMA.attributes.map((attribute) => {
    const rule = Object.entries(RULES).find(([alias]) => alias === attribute.alias)
    return rule === undefined ? attribute : { ...attribute, validation: rule[1] }
  })
  await bothAdmins(twins, () => put('/api/v1/schemas/sch-a', { ...SCHEMA, attributes }))
  await untilQuiet(twins)
}
