// A small workspace with every kind of row in it, made over HTTP as clients make it.
import { send } from '../helpers/answers.ts'
import { type Client, keyClient } from '../helpers/client.ts'
import { trigger, whenEnded } from '../helpers/export-jobs.ts'
import { make } from '../helpers/shirts.ts'
import type { TestServer } from '../helpers/server.ts'
import type { WebhookSink } from '../helpers/webhook-sink.ts'

const everywhere = (value: unknown) => [{ scope: {}, value }]
const inLanguages = (en: string, de: string) => [
  { scope: { language: 'en' }, value: en },
  { scope: { language: 'de' }, value: de },
]
const published = ['state-published']

const SCHEMA = {
  id: 'sch-tea',
  name: 'Tea',
  combinations: [{ market: 'eu' }, { language: 'en', market: 'us' }],
  attributes: [
    { alias: 'name', dataType: 'text', dimensionIds: ['language'], requiredInStateIds: ['state-review', ...published] },
    {
      alias: 'description',
      dataType: 'richText',
      dimensionIds: ['language', 'market'],
      requiredInStateIds: published,
      validation: { maxLength: 2000 },
    },
    { alias: 'sku', dataType: 'text', unique: true, validation: { pattern: '^[A-Z0-9-]+$', maxLength: 20 } },
    { alias: 'slug', dataType: 'text', unique: true, dimensionIds: ['language'] },
    { alias: 'website', dataType: 'url' },
    { alias: 'minutes', dataType: 'number', validation: { min: 0, max: 60, maxDecimals: 1 } },
    { alias: 'organic', dataType: 'boolean' },
    {
      alias: 'certificate',
      dataType: 'text',
      requiredInStateIds: published,
      guard: { criteriaOperator: 'and', criteria: [{ attributeAlias: 'organic', operator: 'equals', value: 'true' }] },
    },
    { alias: 'harvested', dataType: 'date' },
    { alias: 'packedAt', dataType: 'dateTime' },
    { alias: 'kind', dataType: 'select', options: [{ id: 'green' }, { id: 'black', name: 'Black tea' }] },
    { alias: 'notes', dataType: 'multiSelect', options: [{ id: 'malty' }, { id: 'floral' }, { id: 'smoky' }] },
    { alias: 'price', dataType: 'price', dimensionIds: ['market'], currencies: ['EUR', 'USD'] },
    { alias: 'weight', dataType: 'measurement', units: ['g', 'kg'] },
    { alias: 'goesWith', dataType: 'reference' },
    { alias: 'lab', dataType: 'json' },
    { alias: 'constructor', dataType: 'text' },
  ],
}

const RECORDS: readonly { id: string; parentId?: string; values: object }[] = [
  {
    id: 'tea-assam',
    values: {
      name: inLanguages('Assam', 'Assam, kräftig'),
      description: [
        { scope: { language: 'en' }, value: '<p>Malty & strong</p>' },
        { scope: { language: 'de', market: 'eu' }, value: '<p>Malzig und kräftig</p>' },
      ],
      sku: everywhere('AS-1'),
      slug: inLanguages('assam', 'assam-tee'),
      website: everywhere('https://tea.example/assam?a=1&b=2'),
      minutes: everywhere(3.5),
      organic: everywhere(true),
      certificate: everywhere('DE-ÖKO-001'),
      harvested: everywhere('2026-03-01'),
      packedAt: everywhere('2026-03-04T05:06:07.008Z'),
      kind: everywhere('black'),
      notes: everywhere(['malty', 'smoky']),
      price: [
        { scope: {}, value: { amount: 6.4, currency: 'EUR' } },
        { scope: { market: 'us' }, value: { amount: 7.5, currency: 'USD' } },
      ],
      weight: everywhere({ amount: 100, unit: 'g' }),
      lab: everywhere({ caffeine: [2.5, null, 'ß'], constructor: { deep: true } }),
      constructor: everywhere('an odd alias'),
    },
  },
  {
    id: 'tea-assam-kilo',
    parentId: 'tea-assam',
    values: { weight: everywhere({ amount: 1, unit: 'kg' }), sku: everywhere('AS-1K') },
  },
  {
    id: 'tea-jasmine',
    values: {
      name: inLanguages('Jasmine Pearls', 'Jasminperlen'),
      goesWith: everywhere('tea-assam'),
      organic: everywhere(false),
    },
  },
  { id: 'tea-empty', values: { name: [{ scope: { language: 'en' }, value: '' }], notes: everywhere([]) } },
  { id: 'tea-gone', values: { name: inLanguages('Gone', 'Fort'), sku: everywhere('GO-1') } },
]

/** @returns the key of a client with the role `role-clerk` */
export async function fillWorkspace({ admin, url }: TestServer, sink: WebhookSink): Promise<string> {
  await defineModel(admin)
  await importRecord(admin)
  for (const record of RECORDS) await make(admin, '/api/v1/records', { schemaId: 'sch-tea', ...record })
  await makeCategories(admin)
  await changeRecords(admin)
  const key = await makePeople(admin)
  await renameTea(keyClient(url, key))
  await makeJobs(admin, sink)
  return key
}

async function defineModel(admin: Client): Promise<void> {
  const segments = (...ids: string[]) => ids.map((id) => ({ id, name: id.toUpperCase() }))
  await make(admin, '/api/v1/dimensions', { id: 'language', name: 'Language', segments: segments('en', 'de') })
  await make(admin, '/api/v1/dimensions', { id: 'market', name: 'Market', segments: segments('eu', 'us') })
  await make(admin, '/api/v1/workflows', {
    id: 'wf-short',
    name: 'Short',
    initialStateId: 'new',
    states: [
      { id: 'new', name: 'New' },
      { id: 'done', name: 'Done' },
    ],
    transitions: [
      {
        id: 'finish',
        fromStateId: 'new',
        toStateId: 'done',
        name: 'Finish',
        allowedRoleIds: ['role-admin'],
        requiresCompleteness: true,
      },
    ],
  })
  await make(admin, '/api/v1/schemas', SCHEMA)
  await make(admin, '/api/v1/schemas', {
    id: 'sch-pot',
    name: 'Pot',
    workflowId: 'wf-short',
    attributes: [{ alias: 'name', dataType: 'text' }],
  })
  await make(admin, '/api/v1/records', { id: 'pot-1', schemaId: 'sch-pot', values: { name: everywhere('Tea pot') } })
}

async function importRecord(admin: Client): Promise<void> {
  const line = { id: 'tea-imported', schemaId: 'sch-tea', values: { name: inLanguages('Imported', 'Importiert') } }
  const response = await fetch(`${admin.url}/api/v1/records/import?mode=create`, {
    method: 'POST',
    headers: { ...admin.headers, 'content-type': 'application/x-ndjson' },
    body: JSON.stringify(line),
  })
  if (!response.ok) throw new Error(await response.text())
}

async function makeCategories(admin: Client): Promise<void> {
  await make(admin, '/api/v1/catalogs', { id: 'cat-shop', name: 'Shop' })
  await make(admin, '/api/v1/catalogs/cat-shop/categories', { id: 'ctg-tea', name: 'Tea', sortOrder: 1 })
  await make(admin, '/api/v1/catalogs/cat-shop/categories', {
    id: 'ctg-black',
    name: 'Black',
    parentId: 'ctg-tea',
    sortOrder: 0.5,
  })
  await ok(admin, 'PUT', '/api/v1/records/tea-assam/categories', [
    { categoryId: 'ctg-black', sortOrder: 1.5 },
    { categoryId: 'ctg-tea' },
  ])
  await ok(admin, 'PUT', '/api/v1/records/tea-jasmine/categories', [{ categoryId: 'ctg-tea', sortOrder: -1 }])
}

async function changeRecords(admin: Client): Promise<void> {
  await ok(admin, 'PUT', '/api/v1/records/tea-jasmine', { values: { minutes: everywhere(2) } })
  await ok(admin, 'PATCH', '/api/v1/records/tea-jasmine/values/minutes', { scopedValues: everywhere(2.5) })
  await ok(admin, 'POST', '/api/v1/records/tea-jasmine/transition', { transitionId: 'tr-submit' })
  await ok(admin, 'DELETE', '/api/v1/records/tea-gone')
  await ok(admin, 'POST', '/api/v1/saved-queries', {
    id: 'sq-strong',
    name: 'Strong teas',
    schemaId: 'sch-tea',
    criteria: [
      { attributeAlias: 'minutes', operator: 'gt', value: '3' },
      { attributeAlias: 'name', operator: 'contains', value: 'KRÄFTIG', scope: { language: 'de' } },
    ],
    criteriaOperator: 'and',
  })
}

async function makePeople(admin: Client): Promise<string> {
  await make(admin, '/api/v1/roles', {
    id: 'role-clerk',
    name: 'Clerk',
    permissions: ['records.read', 'records.update', 'audit.read', 'model.read'],
    defaultAttributePermission: 'read',
    attributePermissions: { 'sch-tea': { price: 'none', name: 'write' } },
  })
  await make(admin, '/api/v1/users', {
    id: 'usr-anna',
    username: 'anna',
    name: 'Anna',
    roleId: 'role-editor',
    password: 'the password of anna',
  })
  await make(admin, '/api/v1/users', {
    id: 'usr-ben',
    username: 'ben',
    name: 'Ben',
    roleId: 'role-viewer',
    password: 'the password of ben',
  })
  await ok(admin, 'PATCH', '/api/v1/users/usr-ben', { disabled: true })
  const { key } = await make<{ key: string }>(admin, '/api/v1/api-keys', {
    id: 'key-clerk',
    name: 'Clerk',
    roleId: 'role-clerk',
  })
  return key
}

async function renameTea(clerk: Client): Promise<void> {
  await ok(clerk, 'PATCH', '/api/v1/records/tea-jasmine/values/name', {
    scopedValues: inLanguages('Jasmine Pearls', 'Jasmin-Perlen'),
  })
}

async function makeJobs(admin: Client, sink: WebhookSink): Promise<void> {
  const job = {
    destinationType: 'webhook',
    destinationConfig: {
      url: `http://127.0.0.1:${sink.port}${sink.path}`,
      headers: { 'X-Token': sink.token },
      signingSecret: 'a secret of both',
    },
    format: 'csv',
    schedule: '0 3 1 1 *',
    timezone: 'Europe/Berlin',
    includeVariants: true,
    compress: false,
    filenameTemplate: 'tea-{runId}.csv',
    maxAttempts: 1,
  }
  await make(admin, '/api/v1/export-jobs', {
    ...job,
    id: 'job-shop',
    name: 'Shop',
    schemaId: 'sch-tea',
    catalogId: 'cat-shop',
    dimensionScope: { language: 'de' },
  })
  await whenEnded(admin, await trigger(admin, 'job-shop'))
  sink.behaviour = { status: 403 }
  await whenEnded(admin, await trigger(admin, 'job-shop'))
  await make(admin, '/api/v1/export-jobs', {
    ...job,
    id: 'job-paused',
    name: 'Paused',
    format: 'xml',
    active: false,
    missedRunPolicy: 'once',
  })
  await ok(admin, 'POST', '/api/v1/export-jobs/job-paused/runs', {
    id: 'run-elsewhere',
    status: 'success',
    recordCount: 3,
    fileSize: 12,
  })
}

async function ok(client: Client, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await send(client, method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
}
