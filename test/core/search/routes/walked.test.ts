// Lists and searches that are read page by page while others write: what nobody writes comes once, in the order of before. Afterwards
// totals and facets are those of the records. Contract 2 §4, 3 §1, 3 §10.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { send } from '../../../helpers/answers.ts'
import { importFile, lines } from '../../../helpers/importing.ts'
import { itLong } from '../../../helpers/long.ts'
import {
  english,
  everywhere,
  german,
  make,
  startWorkspace,
  type ValuesBody,
  type Workspace,
} from '../../../helpers/shirts.ts'

const SCHEMA = 'sch-walked'
const NUMBERS = [...Array(16).keys()]
/** Others write every second record; the last ones are variants. */
const idOf = (number: number): string => `${number % 2 === 0 ? 'still' : 'moving'}-${number}`
const parentOf = (number: number) => (number < 12 ? {} : { parentId: idOf(number - 12) })
const MOVING = NUMBERS.filter((number) => number % 2 === 1)

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas', {
    id: SCHEMA,
    name: 'Walked',
    attributes: [
      { alias: 'name', dataType: 'text', dimensionIds: ['language'], requiredInStateIds: ['state-draft'] },
      { alias: 'weight', dataType: 'number' },
      { alias: 'color', dataType: 'select', options: [{ id: 'red' }, { id: 'blue' }] },
      { alias: 'friends', dataType: 'references' },
    ],
  })
  await make(shop.admin, '/api/v1/records', { id: 'friend', schemaId: 'sch-plain', values: {} })
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat-walked', name: 'Walked' })
  for (const id of ['ctg-top', 'ctg-below']) {
    const parentId = id === 'ctg-below' ? 'ctg-top' : null
    await make(shop.admin, '/api/v1/catalogs/cat-walked/categories', { id, name: id, parentId })
  }
})
after(() => shop.stop())

const LONG = 'so long that an order may cut it off '.repeat(8)
const anyText = fc.constantFrom('a', 'A', 'ä', 'Straße', 'strasse', '', `${LONG}a`, `${LONG}b`, 'a 😀', 'z')
const anyValues: fc.Arbitrary<object> = fc.record(
  {
    name: fc.tuple(anyText, anyText).map(([one, other]) => [english(one), german(other)]),
    weight: fc.constantFrom(-1.5, 0, 1, 1e-9, 1e21, 2).map(everywhere),
    color: fc.constantFrom('red', 'blue').map(everywhere),
    friends: fc.constantFrom(everywhere(['friend']), []),
  },
  { requiredKeys: [] },
)
const anyPlaces = fc.constantFrom(
  [],
  [{ categoryId: 'ctg-top', sortOrder: 2 }],
  [{ categoryId: 'ctg-top' }, { categoryId: 'ctg-below', sortOrder: 1 }],
)
const anyRecords = fc.tuple(...NUMBERS.map(() => fc.tuple(anyValues, anyPlaces)))

const anyWrite = fc.oneof(
  { weight: 3, arbitrary: anyValues.map((values) => ({ op: 'patch', values })) },
  { weight: 2, arbitrary: anyValues.map((values) => ({ op: 'create', schemaId: SCHEMA, values })) },
  fc.constant({ op: 'delete' }),
  fc.constantFrom('tr-submit', 'tr-send-back').map((transitionId) => ({ op: 'transition', transitionId })),
  anyPlaces.map((categories) => ({ op: 'setCategories', categories })),
)
const anyWrites = fc.array(
  fc.tuple(fc.constantFrom(...MOVING), anyWrite).map(([number, write]) => {
    const isNew = write.op === 'create'
    return { ...write, id: idOf(number), ...(isNew && parentOf(number)) }
  }),
  { minLength: 1, maxLength: 8 },
)

/** A way to read all pages. */
type Walk = { readonly path: string } | { readonly search: object }

const SORTED = ['createdAt', 'updatedAt', 'id', 'lifecycleStateId', 'completeness'].map((field) => ({ field }))
const VALUED = [
  { attributeAlias: 'name', scope: { language: 'en' } },
  { attributeAlias: 'name', scope: { language: 'de' } },
  { attributeAlias: 'weight' },
  { attributeAlias: 'color' },
]
const anySort = fc.uniqueArray(
  fc.record({ by: fc.constantFrom(...SORTED, ...VALUED), direction: fc.constantFrom('asc', 'desc') }),
  { maxLength: 3, selector: ({ by }) => JSON.stringify(by) },
)
const anyCriteria = fc.constantFrom<object[]>(
  [],
  [{ attributeAlias: 'color', operator: 'equals', value: 'red' }],
  [{ field: 'categoryId', operator: 'equals', value: 'ctg-top' }],
  [{ attributeAlias: 'weight', operator: 'lt', value: '2' }],
)
const anyWalk: fc.Arbitrary<Walk> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(anySort, anyCriteria, fc.constantFrom({}, { text: 'a' })).map(([sort, criteria, text]) => {
      const keys = sort.map(({ by, direction }) => ({ ...by, direction }))
      return { search: { criteria, criteriaOperator: 'and', schemaId: SCHEMA, sort: keys, ...text } }
    }),
  },
  fc
    .constantFrom('', '&sort=-updatedAt', '&sort=name[language=de],-weight', '&lifecycleStateId=state-draft')
    .map((more) => ({ path: `/api/v1/records?schemaId=${SCHEMA}${more}` })),
  fc.constantFrom('', '?includeChildren=true').map((more) => ({ path: `/api/v1/categories/ctg-top/records${more}` })),
  fc.constant({ path: '/api/v1/records/friend/referrers' }),
)

interface Item {
  readonly id: string
  /** In a list of referrers. */
  readonly recordId?: string
  readonly lifecycleStateId: string
  readonly values: ValuesBody
}

interface Page {
  readonly items: readonly Item[]
  readonly total: string | null
  readonly next: string | null
}

async function readPage(walk: Walk, limit: number, cursor: string | null): Promise<Page> {
  const place: Record<string, string> = cursor === null ? {} : { after: cursor }
  const query = String(new URLSearchParams({ limit: String(limit), ...place }))
  const answer = await ('search' in walk
    ? send<Item[]>(shop.admin, 'POST', '/api/v1/search', { ...walk.search, limit, ...place })
    : send<{ items: Item[] }>(shop.admin, 'GET', `${walk.path}${walk.path.includes('?') ? '&' : '?'}${query}`))
  assert.equal(answer.status, 200, answer.text)
  const items = Array.isArray(answer.body) ? answer.body : answer.body.items
  return { items, total: answer.headers.get('x-total-count'), next: answer.headers.get('x-next-cursor') }
}

/** Reads to the end. @param between runs while each page is read, and is over before the next one */
async function walkAll(walk: Walk, limit: number, between: () => Promise<unknown>): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const [page]: [Page, unknown] = await Promise.all([readPage(walk, limit, cursor), between()])
    items.push(...page.items)
    cursor = page.next
  } while (cursor !== null)
  return items
}

/** In the order of changes, records that are written move to the end: a walk that others write along never ends. */
const MOST_WRITES = 30

const stillOf = (items: readonly Item[]): string[] =>
  items.map(({ id, recordId = id }) => recordId).filter((id) => id.startsWith('still'))
const nothing = () => Promise.resolve()
const write = (operations: readonly object[]) =>
  send(shop.admin, 'POST', '/api/v1/records/batch', { atomic: false, operations })

async function begin(records: readonly (readonly [object, readonly object[]])[]): Promise<void> {
  await write(NUMBERS.toReversed().map((number) => ({ op: 'delete', id: idOf(number) })))
  const made = records.map(([values], at) => ({ id: idOf(at), schemaId: SCHEMA, ...parentOf(at), values }))
  const { created } = await importFile(shop.admin, lines(...made))
  assert.equal(created, NUMBERS.length)
  await write(records.map(([, categories], at) => ({ op: 'setCategories', id: idOf(at), categories })))
}

/** Checks counts against the records themselves, which nobody writes now. */
async function assertCounted(walk: Walk): Promise<void> {
  const items = await walkAll(walk, 5, nothing)
  const { total } = await readPage(walk, 1, null)
  if (total !== null) assert.equal(Number(total), items.length)
  if (!('search' in walk)) return
  const { sort: _sort, ...asked } = walk.search as { sort: object }
  const facets = [{ field: 'lifecycleStateId' }, { attributeAlias: 'color' }]
  const { body } = await send<{
    total: number
    facets: { values: { value: string; count: number }[]; missing: number }[]
  }>(shop.admin, 'POST', '/api/v1/search/facets', { ...asked, facets })
  const resolved = await walkAll({ search: { ...walk.search, resolve: {} } }, 5, nothing)
  const states = resolved.map(({ lifecycleStateId }) => lifecycleStateId)
  const colors = resolved.map((item) => (item as Item & { resolved: { color?: string } }).resolved.color)
  assert.equal(body.total, items.length)
  assert.deepEqual(
    body.facets.map(({ values, missing }) => [new Map(values.map(({ value, count }) => [value, count])), missing]),
    [states, colors].map((all) => [
      new Map(
        all.flatMap((value) => (value === undefined ? [] : [[value, all.filter((one) => one === value).length]])),
      ),
      all.filter((value) => value === undefined).length,
    ]),
  )
}

const property = fc.asyncProperty(
  anyRecords,
  fc.array(fc.tuple(anyWalk, fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 3 }),
  fc.array(anyWrites, { minLength: 6, maxLength: 6 }),
  async (records, walks, writes) => {
    await begin(records)
    let round = 0
    for (const [walk, limit] of walks) {
      const expected = stillOf(await walkAll(walk, 100, nothing))
      const last = round + MOST_WRITES
      const walked = await walkAll(walk, limit, () =>
        round < last ? write(writes[(round += 1) % writes.length]!) : nothing(),
      )
      assert.deepEqual(stillOf(walked), expected)
      await assertCounted(walk)
    }
  },
)

describe('A list or a search that is read while others write', () => {
  it('has once what nobody writes, in its order', () => fc.assert(property, { numRuns: 6, endOnFailure: true }))
  itLong('has it over many searches', () => fc.assert(property, { numRuns: 150, endOnFailure: true }))
})
