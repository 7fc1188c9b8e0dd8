// Whatever is called as a member that every JavaScript object has. One journey, from the model over records, searches and exports to
// imports, is made with such names and with plain ones: every answer is the same but for the names.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { send } from '../helpers/answers.ts'
import type { Client } from '../helpers/client.ts'
import { startServer } from '../helpers/server.ts'

/** In alphabetical order, as the plain ones are: lists that are sorted stay in order. */
const INHERITED = ['constructor', 'hasOwnProperty', 'isPrototypeOf', 'toLocaleString', 'toString', 'valueOf'] as const
const PLAIN = ['cPlain', 'hPlain', 'iPlain', 'tlPlain', 'tsPlain', 'vPlain'] as const
type Names = readonly [string, string, string, string, string, string]

interface Step {
  readonly asked: string
  readonly status: number
  readonly said: string
}

/** What differs from one server to the other in any case: moments, generated IDs, and versions, of which some are left out where lines share a commit. */
const VOLATILE =
  /\d{4}-\d\d-\d\dT[\d:.]+Z|\b(ent|aud|run|imp|bulk)-[\w-]{16,}|"(durationMs|size|bytes|cursor|etag|version)":[^,}]+|bytes=\d+/g

const everywhere = (value: unknown) => [{ scope: {}, value }]

class Journey {
  readonly #client: Client
  readonly steps: Step[] = []

  constructor(client: Client) {
    this.#client = client
  }

  async ask<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await send<Body>(this.#client, method, path, body)
    this.#note(`${method} ${path}`, answer.status, answer.text)
    return answer.body
  }

  /** A body or an answer that is no JSON. */
  async file(
    method: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    type: string,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const headers = { ...this.#client.headers, 'content-type': type }
    const answer = await fetch(this.#client.url + path, { method, headers, body })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const isText = !/spreadsheetml|zip/.test(answer.headers.get('content-type') ?? '')
    this.#note(`${method} ${path}`, answer.status, isText ? Buffer.from(bytes).toString() : '')
    return bytes
  }

  async ended(path: string): Promise<void> {
    for (;;) {
      const { body } = await send<{ status: string }>(this.#client, 'GET', `${path}?wait=5`)
      if (['queued', 'running'].includes(body.status)) continue
      this.#note(path, 200, JSON.stringify(body))
      return
    }
  }

  #note(asked: string, status: number, said: string): void {
    this.steps.push({ asked: asked.replaceAll(VOLATILE, '…'), status, said: said.replaceAll(VOLATILE, '…') })
  }
}

async function make(journey: Journey, names: Names): Promise<void> {
  const [text, choice, choices, price, number, scoped] = names
  const segments = names.map((id) => ({ id, name: id }))
  await journey.ask('POST', '/api/v1/dimensions', { id: names[0], name: 'D', segments })
  await journey.ask('POST', '/api/v1/dimensions', { id: names[5], name: 'E', segments: segments.slice(0, 2) })
  const states = names.map((id) => ({ id, name: id }))
  const transitions = [{ id: names[0], fromStateId: names[0], toStateId: names[1], name: 'T' }].map((transition) => ({
    ...transition,
    allowedRoleIds: ['role-admin'],
    requiresCompleteness: true,
  }))
  await journey.ask('POST', '/api/v1/workflows', {
    id: names[1],
    name: 'W',
    initialStateId: names[0],
    states,
    transitions,
  })
  const requiredInStateIds = [names[1]]
  const guard = { criteriaOperator: 'and', criteria: [{ attributeAlias: text, operator: 'equals', value: names[4] }] }
  const options = names.map((id) => ({ id, name: id, names: { [names[0]]: names[1] } }))
  await journey.ask('POST', '/api/v1/schemas', {
    id: names[2],
    name: 'S',
    names: { [names[0]]: names[3] },
    workflowId: names[1],
    labelAttribute: text,
    groups: [{ id: names[3], name: 'G', attributeAliases: [text, choice] }],
    attributes: [
      { alias: text, dataType: 'text', unique: true, requiredInStateIds },
      { alias: choice, dataType: 'select', options, requiredInStateIds },
      { alias: choices, dataType: 'multiSelect', options, guard },
      { alias: price, dataType: 'measurement', units: [...names] },
      { alias: number, dataType: 'number', requiredInStateIds },
      { alias: scoped, dataType: 'text', dimensionIds: [names[0], names[5]], requiredInStateIds },
    ],
  })
  await journey.ask('POST', '/api/v1/catalogs', { id: names[3], name: 'C' })
  await journey.ask('POST', `/api/v1/catalogs/${names[3]}/categories`, { id: names[4], name: names[0], parentId: null })
  await journey.ask('POST', '/api/v1/roles', {
    id: names[5],
    name: 'R',
    permissions: ['records.read'],
    defaultAttributePermission: 'none',
    attributePermissions: { [names[2]]: { [text]: 'read' } },
  })
}

async function fill(journey: Journey, names: Names): Promise<void> {
  const [text, choice, choices, price, number, scoped] = names
  const values = {
    [text]: everywhere(names[4]),
    [choice]: everywhere(names[0]),
    [choices]: everywhere([names[1], names[2]]),
    [price]: everywhere({ amount: 3, unit: names[5] }),
    [number]: everywhere(7),
    [scoped]: [
      { scope: { [names[0]]: names[1], [names[5]]: names[0] }, value: names[2] },
      { scope: { [names[5]]: names[1] }, value: 'other' },
      { scope: {}, value: names[5] },
    ],
  }
  await journey.ask('POST', '/api/v1/records', { id: names[0], schemaId: names[2], values })
  await journey.ask('POST', '/api/v1/records', { id: names[1], schemaId: names[2], values: {} })
  await journey.ask('POST', '/api/v1/records', { id: names[2], schemaId: names[2], parentId: names[0], values: {} })
  await journey.ask('PUT', `/api/v1/records/${names[0]}/categories`, [{ categoryId: names[4] }])
  await journey.ask('PATCH', `/api/v1/records/${names[1]}`, {
    values: { [number]: everywhere(1) },
    expect: [{ attributeAlias: text, scope: {}, value: null }],
  })
  await journey.ask('PATCH', `/api/v1/records/${names[1]}/values/${scoped}`, { scopedValues: everywhere(names[3]) })
  await journey.ask('POST', '/api/v1/records/validate', {
    id: names[1],
    values: { [text]: everywhere(names[4]), [choice]: everywhere('x') },
  })
  for (const path of [
    '',
    '?include=effectiveValues,completeness,categories,variantCount',
    '/completeness?by=combination',
    '/transitions',
    '/categories',
    '/exports',
    '/audit',
  ])
    for (const id of names.slice(0, 3)) await journey.ask('GET', `/api/v1/records/${id}${path}`)
  await journey.ask('POST', `/api/v1/records/${names[0]}/transition`, { transitionId: names[0] })
  await journey.ask('POST', `/api/v1/records/${names[1]}/transition`, { transitionId: names[0] })
  const { version } = await journey.ask<{ version: number }>('GET', `/api/v1/records/${names[1]}?include=version`)
  await journey.ask('PATCH', `/api/v1/records/${names[1]}`, { values: { [number]: everywhere(2) } })
  await journey.ask('POST', `/api/v1/records/${names[1]}/restore`, { version })
}

async function find(journey: Journey, names: Names): Promise<void> {
  const [text, choice, choices, price, number, scoped] = names
  for (const attributeAlias of names)
    for (const operator of ['isEmpty', 'isNotEmpty', 'equals', 'notEquals', 'in', 'contains', 'gt', 'startsWith'])
      for (const scope of [undefined, { [names[0]]: names[1] }]) {
        const value = operator === 'in' ? [...names] : operator.startsWith('is') ? undefined : names[4]
        const criteria = [{ attributeAlias, operator, value, scope }]
        await journey.ask('POST', '/api/v1/search', { schemaId: names[2], criteria, criteriaOperator: 'and' })
      }
  const all = { schemaId: names[2], criteria: [], criteriaOperator: 'and' }
  for (const attributeAlias of names)
    await journey.ask('POST', '/api/v1/search', {
      ...all,
      sort: [{ attributeAlias }],
      limit: 2,
      include: ['effectiveValues'],
      select: [attributeAlias],
    })
  await journey.ask('POST', '/api/v1/search', { ...all, sort: [{ field: 'lifecycleStateId' }] })
  for (const [field, value] of [
    ['lifecycleStateId', names[0]],
    ['categoryId', names[4]],
    ['missing', text],
    ['id', names[0]],
  ])
    await journey.ask('POST', '/api/v1/search', { ...all, criteria: [{ field, operator: 'equals', value }] })
  const facets = [
    { attributeAlias: choice },
    { attributeAlias: choices },
    { attributeAlias: number },
    { attributeAlias: price },
    { field: 'lifecycleStateId' },
    { field: 'categoryId' },
  ]
  await journey.ask('POST', '/api/v1/search/facets', { ...all, facets })
  await journey.ask('GET', `/api/v1/records/suggest?query=${names[4]}`)
  await journey.ask('GET', `/api/v1/search/text?query=${names[4]}`)
  await journey.ask('GET', `/api/v1/records?schemaId=${names[2]}&sort=${scoped}[${names[0]}=${names[1]}]&limit=9`)
  await journey.ask('POST', '/api/v1/saved-queries', {
    id: names[0],
    name: 'Q',
    ...all,
    view: { columns: [{ attributeAlias: scoped, scope: { [names[0]]: names[1] } }], scope: { [names[0]]: names[1] } },
  })
  await journey.ask('POST', `/api/v1/saved-queries/${names[0]}/execute`)
  await journey.ask('PUT', '/api/v1/me/preferences', { [names[0]]: { [names[1]]: names[2] } })
  await journey.ask('GET', '/api/v1/me/preferences')
  for (const path of [
    '/me/model',
    '/me',
    `/schemas/${names[2]}`,
    `/workflows/${names[1]}`,
    `/catalogs/${names[3]}/categories?counts=direct,total`,
    `/categories/${names[4]}/records`,
    `/roles/${names[5]}`,
    `/schemas/${names[0]}`,
    `/records/${names[4]}`,
  ])
    await journey.ask('GET', `/api/v1${path}`)
}

const TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/x-ndjson',
} as const

async function exchange(journey: Journey, names: Names): Promise<void> {
  const [text, choice, choices, , , scoped] = names
  const all = { schemaId: names[2], criteria: [], criteriaOperator: 'and' }
  const map = { [names[0]]: names[5], [names[4]]: 'mapped' }
  const columns = [
    { header: names[0], attributeAlias: text, map },
    { header: names[1], attributeAlias: choice, map },
    { header: names[2], attributeAlias: choices, map },
    { header: names[3], categoryPath: names[3] },
    { header: names[4], attributeAlias: scoped, scope: { [names[0]]: names[1] } },
    { header: names[5], constant: names[0] },
    {
      header: 'composed',
      template: `{${text}|map:{${names[0]}:${names[5]}}|default:x}{${scoped}[${names[0]}=${names[1]}]|default:""}{categoryPath:${names[3]}|default:""}`,
      map,
    },
  ]
  const xml = { root: names[0], item: names[1], attributes: { [names[2]]: names[3] } }
  for (const format of ['csv', 'json', 'jsonl', 'xml', 'xlsx']) {
    const file = await journey.file(
      'POST',
      '/api/v1/records/export',
      JSON.stringify({ ...all, format, variantValues: 'own' }),
      'application/json',
    )
    await journey.file(
      'POST',
      '/api/v1/records/export',
      JSON.stringify({ ...all, format, dimensionScope: { [names[0]]: names[1] } }),
      'application/json',
    )
    await journey.file(
      'POST',
      '/api/v1/records/export',
      JSON.stringify({ ...all, format, columns, xml: format === 'xml' ? xml : null }),
      'application/json',
    )
    if (!(format in TYPES)) continue
    const type = TYPES[format as keyof typeof TYPES]
    await journey.file('POST', '/api/v1/records/import?mode=upsert', file, type)
    await journey.file('POST', '/api/v1/records/import?mode=upsert&dryRun=true', file, type)
  }
  const csv = `${names.join(',')}\n${names[4]},${names[0]},${names[1]}|${names[2]},,,x\nnew,${names[5]},,,,\n,,,,,\n`
  await journey.file('POST', `/api/v1/records/import?schemaId=${names[2]}&matchBy=${text}`, csv, TYPES.csv)
  const none = `schemaId,${names[1]}\n${names[2]},${names[0]}\n`
  await journey.file('POST', `/api/v1/records/import?matchBy=${text}`, none, TYPES.csv)
  await journey.ask('POST', '/api/v1/import-profiles', {
    id: names[0],
    name: 'P',
    schemaId: names[2],
    mode: 'upsert',
    matchBy: text,
    emptyCells: 'keep',
    columns: [
      { header: names[1], to: { attributeAlias: text }, with: [{ map: { [names[0]]: names[1] } }, 'trim'] },
      { header: names[0], to: { attributeAlias: choice }, with: ['optionName', { default: names[3] }] },
      { header: names[2], to: { attributeAlias: scoped, scope: { [names[0]]: names[0] } } },
      { header: names[3], to: { field: 'categories' } },
    ],
  })
  const rows = `${names.join(',')}\n${names[2]},${names[0]},b,${names[4]},,\n${names[3]},${names[3]},c,${names[0]},,\n`
  await journey.file('POST', `/api/v1/records/import?profile=${names[0]}`, rows, TYPES.csv)
  const uploaded = await journey.file('POST', `/api/v1/imports?fileName=a.csv`, rows, TYPES.csv)
  const { id } = JSON.parse(Buffer.from(uploaded).toString()) as { id: string }
  await journey.ask('PUT', `/api/v1/imports/${id}/mapping`, { profileId: names[0] })
  const { id: jobId } = await journey.ask<{ id: string }>('POST', `/api/v1/imports/${id}/run`)
  await journey.ended(`/api/v1/bulk-jobs/${jobId}`)
  await journey.file('POST', `/api/v1/imports?fileName=a.${names[0]}`, rows, 'application/octet-stream')
}

async function change(journey: Journey, names: Names): Promise<void> {
  const [text, choice, , , number, scoped] = names
  const selection = { ids: names.slice(0, 3) }
  for (const action of [
    { setValues: { [number]: everywhere(9) } },
    { patchValues: { [scoped]: [{ scope: { [names[0]]: names[0] }, value: names[4] }] } },
    { copyScope: { from: { [names[0]]: names[0] }, to: { [names[0]]: names[2] }, attributeAliases: [scoped] } },
    { replaceText: { attributeAlias: scoped, find: names[4], replace: names[5] } },
    { clearValues: { attributeAliases: [choice] } },
  ]) {
    const { id } = await journey.ask<{ id: string }>('POST', '/api/v1/bulk-jobs', { selection, actions: [action] })
    await journey.ended(`/api/v1/bulk-jobs/${id}`)
  }
  const { body: schema } = {
    body: await journey.ask<{ attributes: { alias: string }[] }>('GET', `/api/v1/schemas/${names[2]}`),
  }
  const without = { ...schema, groups: [], attributes: schema.attributes.filter(({ alias }) => alias !== choice) }
  await journey.ask('POST', `/api/v1/schemas/${names[2]}/preview`, without)
  const renaming = await journey.ask<{ id: string }>('POST', `/api/v1/schemas/${names[2]}/rename-attribute`, {
    from: text,
    to: 'renamed',
  })
  await journey.ended(`/api/v1/bulk-jobs/${renaming.id}`)
  await journey.ask('GET', `/api/v1/roles/${names[5]}`)
  await journey.ask('GET', `/api/v1/records/${names[0]}`)
  await journey.ask('POST', '/api/v1/subscriptions', {
    id: names[0],
    name: 'N',
    url: 'https://shop.example/',
    events: ['record.created'],
    headers: { [names[0]]: 'a', 'x-b': 'b' },
    active: false,
  })
  await journey.ask('POST', '/api/v1/export-jobs', {
    id: names[0],
    name: 'J',
    destinationType: 'webhook',
    destinationConfig: { url: 'https://shop.example/', headers: { [names[0]]: 'a' } },
    format: 'csv',
    dimensionScope: { [names[0]]: names[1] },
    schedule: '0 0 1 1 *',
    includeVariants: true,
    compress: false,
    filenameTemplate: 'a.csv',
    active: false,
  })
  await journey.ask('POST', `/api/v1/export-jobs/${names[0]}/explain`, { entityId: names[0] })
  await journey.ask('GET', `/api/v1/changes?limit=1000`)
}

async function travel(t: TestContext, names: Names): Promise<readonly Step[]> {
  const server = await startServer()
  t.after(() => server.stop())
  const journey = new Journey(server.admin)
  await make(journey, names)
  await fill(journey, names)
  await find(journey, names)
  await exchange(journey, names)
  await change(journey, names)
  return journey.steps
}

/** With the plain names in place of the others. */
function renamed({ asked, said, ...step }: Step): Step {
  const rename = (text: string): string =>
    INHERITED.reduce((result, name, at) => result.replaceAll(name, PLAIN[at]!), text)
  return { ...step, asked: rename(asked), said: rename(said) }
}

describe('Names that every object has', () => {
  it('are names as all others: each answer is the same but for the names', async (t) => {
    const [inherited, plain] = await Promise.all([travel(t, INHERITED), travel(t, PLAIN)])
    assert.ok(inherited.length > 200)
    const isRefused = ({ status }: Step) => status >= 400
    assert.ok(plain.filter(isRefused).length < plain.length / 4, JSON.stringify(plain.filter(isRefused), null, 1))
    for (const [at, step] of plain.entries()) assert.deepEqual(renamed(inherited[at]!), step)
  })
})
