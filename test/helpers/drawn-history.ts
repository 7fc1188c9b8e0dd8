// Drawn histories of a few records: every way to write them, for tests of what others then see.
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { send } from './answers.ts'
import { byIds, byQuery, runJob, untilEnded } from './bulk-jobs.ts'
import { hashOf, uploaded } from './files.ts'
import { NDJSON, sendImport } from './importing.ts'
import { english, everywhere, german, make, readAudit, type Workspace } from './shirts.ts'

const SCHEMA = 'sch-drawn'
const IDS = ['r-0', 'r-1', 'r-2', 'r-3', 'r-4', 'r-5']
/** Parents of variants. */
const PARENTS = new Map([
  ['r-1', 'r-0'],
  ['r-3', 'r-0'],
  ['r-5', 'r-2'],
])
/** Stands for the attribute that histories rename. */
const RENAMED = '$renamed'

/** One write. `$renamed` in it stands for the present alias. */
export type Step =
  | { readonly method: string; readonly path: string; readonly body?: unknown }
  | { readonly imported: readonly object[] }
  | { readonly restored: string; readonly back: number }
  | { readonly isUndo: true }
  | { readonly isRename: true }

/** The content is the name. */
const FILES = ['a.txt', 'b.txt'].map((fileName) => ({ sha256: hashOf(fileName), fileName }))

const anyId = fc.constantFrom(...IDS)
const anyIds = fc.shuffledSubarray(IDS, { minLength: 1, maxLength: 4 })
const anyValues = fc.record(
  {
    [RENAMED]: fc.constantFrom([english('a')], [german('b a'), english('')], [english('c'), german('a')], []),
    weight: fc.constantFrom(everywhere(1), [{ scope: { market: 'eu' }, value: 2 }], []),
    color: fc.constantFrom(everywhere('red'), everywhere('red'), everywhere('blue'), []),
    friend: fc.constantFrom(everywhere('r-4'), [], []),
    friends: fc.constantFrom([english(['r-4'])], [english(['r-2', 'r-4'])], [], [], []),
    manual: fc.constantFrom(everywhere(FILES[0]), [english(FILES[1]), german(FILES[0])], []),
  },
  { requiredKeys: [] },
)
const anyPlaces = fc.constantFrom(
  [],
  [{ categoryId: 'ctg-a', sortOrder: 2 }],
  [{ categoryId: 'ctg-b' }, { categoryId: 'ctg-a' }],
)
const anyTransition = fc.constantFrom('tr-submit', 'tr-send-back')
const recordWith = (id: string): fc.Arbitrary<object> => {
  const parentId = PARENTS.get(id)
  return anyValues.map((values) => ({ id, schemaId: SCHEMA, ...(parentId !== undefined && { parentId }), values }))
}
const anyRecord = anyId.chain(recordWith)

const request = (method: string, path: string, body?: unknown): Step => ({ method, path: `/api/v1/${path}`, body })
const withId = <Drawn>(drawn: fc.Arbitrary<Drawn>, make: (id: string, drawn: Drawn) => Step): fc.Arbitrary<Step> =>
  fc.tuple(anyId, drawn).map(([id, one]) => make(id, one))

/** Makes all records, and assigns categories to them. */
export const anyBeginning: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.tuple(...IDS.map(recordWith)), fc.tuple(...IDS.map(() => anyPlaces)))
  .map(([imported, places]) => [
    { imported },
    request('POST', 'records/batch', {
      operations: IDS.map((id, at) => ({ op: 'setCategories', id, categories: places[at] })),
    }),
  ])

const anyOperation = fc.oneof(
  anyRecord.map((record) => ({ op: 'create', ...record })),
  fc.record({ op: fc.constantFrom('update', 'patch'), id: anyId, values: anyValues }),
  fc.record({ op: fc.constant('delete'), id: anyId }),
  fc.record({ op: fc.constant('transition'), id: anyId, transitionId: anyTransition }),
  fc.record({ op: fc.constantFrom('setCategories', 'addCategories'), id: anyId, categories: anyPlaces }),
)
const anyAction: fc.Arbitrary<object> = fc.oneof(
  anyValues.map((setValues) => ({ setValues })),
  fc.constantFrom(RENAMED, 'weight', 'color').map((alias) => ({ clearValues: { attributeAliases: [alias] } })),
  anyIds.map((ids) => ({ addReferences: { attributeAlias: 'friends', ids, scope: { language: 'en' } } })),
  anyTransition.map((transition) => ({ transition })),
  anyPlaces.map((addCategories) => ({ addCategories })),
  fc.constant({ delete: true }),
)
export const anyRecordStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: anyRecord.map((record) => request('POST', 'records', record)) },
  { weight: 3, arbitrary: withId(anyValues, (id, drawn) => request('PUT', `records/${id}`, { values: drawn })) },
  { weight: 3, arbitrary: withId(anyValues, (id, drawn) => request('PATCH', `records/${id}`, { values: drawn })) },
  { weight: 2, arbitrary: anyId.map((id) => request('DELETE', `records/${id}`)) },
  anyId.map((id) => request('DELETE', `records/${id}?detach=true`)),
  withId(anyTransition, (id, transitionId) => request('POST', `records/${id}/transition`, { transitionId })),
  { weight: 2, arbitrary: withId(anyPlaces, (id, places) => request('PUT', `records/${id}/categories`, places)) },
  { weight: 3, arbitrary: withId(fc.nat(5), (restored, back) => ({ restored, back })) },
)
const anyWideStep: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(fc.boolean(), fc.array(anyOperation, { minLength: 1, maxLength: 5 }))
    .map(([atomic, operations]) => request('POST', 'records/batch', { atomic, operations })),
  fc
    .tuple(anyIds, fc.array(anyAction, { minLength: 1, maxLength: 2 }))
    .map(([ids, actions]) => request('POST', 'bulk-jobs', { selection: byIds(...ids), actions })),
  fc.array(anyRecord, { minLength: 2, maxLength: 5 }).map((imported) => ({ imported })),
  fc.constant<Step>({ isUndo: true }),
)
const anyModelStep: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ isRename: true }),
  fc
    .constantFrom(['red'], ['red', 'blue'])
    .map((options) => request('PUT', `schemas/${SCHEMA}?dropValues=true`, schemaOf(options))),
  fc.constantFrom(null, 'ctg-a').map((parentId) => request('POST', 'categories/ctg-b/move', { parentId })),
  fc.constantFrom('A', 'Z').map((name) => request('PUT', 'categories/ctg-a', { name, parentId: null })),
  fc.constant(request('DELETE', 'categories/ctg-b')),
  fc.constant(request('POST', 'catalogs/cat-drawn/categories', { id: 'ctg-b', name: 'B' })),
  withId(fc.option(anyId), (recordId, before) =>
    request('POST', 'categories/ctg-a/records/move', { recordId, before }),
  ),
)
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: anyRecordStep },
  { weight: 2, arbitrary: anyWideStep },
  { weight: 2, arbitrary: anyModelStep },
)

function schemaOf(options: readonly string[]): object {
  return {
    id: SCHEMA,
    name: 'Drawn',
    attributes: [
      { alias: RENAMED, dataType: 'text', dimensionIds: ['language'] },
      { alias: 'weight', dataType: 'number', dimensionIds: ['market'] },
      { alias: 'color', dataType: 'select', options: options.map((id) => ({ id })) },
      { alias: 'friend', dataType: 'reference' },
      { alias: 'friends', dataType: 'references', dimensionIds: ['language'], validation: { schemaId: SCHEMA } },
      { alias: 'manual', dataType: 'file', dimensionIds: ['language'] },
    ],
  }
}

/** The records of one workspace, which one history after another writes. */
export class DrawnHistory {
  readonly shop: Workspace
  #alias = 'name'
  #jobId = 'none'

  private constructor(shop: Workspace) {
    this.shop = shop
  }

  static async begin(shop: Workspace): Promise<DrawnHistory> {
    const history = new DrawnHistory(shop)
    await make(shop.admin, '/api/v1/schemas', history.filled(schemaOf(['red', 'blue'])))
    for (const { fileName } of FILES) await uploaded(shop.admin, fileName, fileName)
    await make(shop.admin, '/api/v1/catalogs', { id: 'cat-drawn', name: 'Drawn' })
    for (const id of ['ctg-a', 'ctg-b'])
      await make(shop.admin, '/api/v1/catalogs/cat-drawn/categories', { id, name: id })
    return history
  }

  /** Replaces all records. */
  async beginAgain(steps: readonly Step[]): Promise<void> {
    await this.clear()
    for (const step of steps) assert.equal(await this.perform(step), 200)
  }

  /** Removes all records, and makes again what a history may have removed from the model. */
  async clear(): Promise<void> {
    const selection = byQuery([], { schemaId: SCHEMA })
    await runJob(this.shop.admin, { selection, actions: [{ clearValues: { attributeAliases: ['friends'] } }] })
    assert.equal((await runJob(this.shop.admin, { selection, actions: [{ delete: true }] })).failed, 0)
    await this.#request('PUT', `/api/v1/schemas/${SCHEMA}`, schemaOf(['red', 'blue']))
    await this.#request('POST', '/api/v1/catalogs/cat-drawn/categories', { id: 'ctg-b', name: 'B' })
  }

  /** Writes once, and waits for the end of a job. What does not fit the records is refused. @returns the status */
  async perform(step: Step): Promise<number> {
    const { admin } = this.shop
    if ('imported' in step) {
      const lines = step.imported.map((record) => JSON.stringify(this.filled(record))).join('\n')
      return (await sendImport(admin, lines, { query: 'mode=upsert', type: NDJSON })).status
    }
    if ('restored' in step) return this.#restore(step.restored, step.back)
    if ('isUndo' in step) return this.#request('POST', `/api/v1/bulk-jobs/${this.#jobId}/undo`)
    if ('isRename' in step) return this.#rename()
    return this.#request(step.method, step.path, step.body)
  }

  async #request(method: string, path: string, body?: unknown): Promise<number> {
    const { admin } = this.shop
    const answer = await send<{ id: string }>(admin, method, path, this.filled(body))
    assert.ok(answer.status < 500, answer.text)
    if (answer.status !== 202) return answer.status
    this.#jobId = answer.body.id
    assert.equal((await untilEnded(admin, answer.body.id)).status, 'succeeded')
    return answer.status
  }

  async #restore(id: string, back: number): Promise<number> {
    const trail = await readAudit(this.shop.admin, id)
    const versions = trail.filter(({ action }) => action !== 'delete').map(({ version }) => version)
    return this.#request('POST', `/api/v1/records/${id}/restore`, { version: versions[back % versions.length] })
  }

  async #rename(): Promise<number> {
    const [from, to] = this.#alias === 'name' ? ['name', 'title'] : ['title', 'name']
    const status = await this.#request('POST', `/api/v1/schemas/${SCHEMA}/rename-attribute`, { from, to })
    if (status === 202) this.#alias = to!
    return status
  }

  /** Puts the present alias into a body. */
  filled(body: unknown): unknown {
    return body === undefined
      ? undefined
      : (JSON.parse(JSON.stringify(body).replaceAll(RENAMED, this.#alias)) as unknown)
  }
}
