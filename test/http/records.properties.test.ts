// Properties of records over HTTP, tried with random values and random orders of changes. Seeds are printed on failure.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { applyChanges } from '../../src/core/records/rules/changes.ts'
import { scopeKey } from '../../src/core/scopes/scope.ts'
import { createRecordService } from '../../src/core/records/records.ts'
import type { Store } from '../../src/store/port.ts'
import { system } from '../../src/kernel/machine/system.ts'
import { send } from '../helpers/answers.ts'
import {
  type AuditEntryBody,
  makeShirt,
  readAudit,
  readRecord,
  type ScopedValueBody,
  startWorkspace,
  type ValuesBody,
  type Workspace,
} from '../helpers/shirts.ts'
import { openTestedStore } from '../helpers/tested-database.ts'
import { DEFAULT_WORKFLOW } from '../../src/core/model/rules/workflow.ts'
import { BUILT_IN_ROLES } from '../../src/core/accounts/rules/permissions.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
})
after(() => shop.stop())

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '',
    '\0',
    '"',
    '\\',
    '\u2028',
    '__proto__',
    'constructor',
    "'; DROP TABLE record; --",
    '%',
    'ß',
    'İ',
    '😀',
  ),
)
const price = fc.record(
  {
    amount: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((amount) => amount + 0),
    currency: fc.constantFrom('EUR', 'USD'),
  },
  { noNullPrototype: true },
)

/** An array of scoped values with no scope twice, some of them null. */
function scoped(dimensions: Record<string, string[]>, value: fc.Arbitrary<unknown>): fc.Arbitrary<ScopedValueBody[]> {
  const scope = fc.record(
    Object.fromEntries(Object.entries(dimensions).map(([id, segments]) => [id, fc.constantFrom(...segments)])),
    { requiredKeys: [], noNullPrototype: true },
  ) as fc.Arbitrary<Record<string, string>>
  const item = fc.record(
    { scope, value: fc.oneof({ weight: 9, arbitrary: value }, fc.constant(null)) },
    { noNullPrototype: true },
  )
  return fc.uniqueArray(item, { selector: (one) => scopeKey(one.scope), maxLength: 4 })
}

const language = { language: ['en', 'de'] }
const market = { market: ['eu', 'us'] }
const attributes: Record<string, fc.Arbitrary<ScopedValueBody[]>> = {
  name: scoped(language, text),
  description: scoped({ ...language, ...market }, text),
  price: scoped(market, price),
  onSale: scoped({}, fc.boolean()),
  weight: scoped(
    {},
    fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }).map((weight) => weight + 0),
  ),
  color: scoped({}, fc.constantFrom('red', 'blue', '')),
  extra: scoped(
    {},
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  ),
  constructor: scoped({ constructor: ['toString', 'valueOf'] }, text),
  toString: scoped({}, text),
  lifecycleState: scoped({}, text),
}
const values = fc.record(attributes, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<ValuesBody>

/** What is stored of what was sent. */
function kept(sent: ValuesBody): ValuesBody {
  return Object.fromEntries(
    Object.entries(sent)
      .map(([alias, items]) => [alias, items.filter((item) => item.value !== null)] as const)
      .filter(([, items]) => items.length > 0),
  )
}

function own(record: ValuesBody, alias: string): ScopedValueBody[] | undefined {
  return Object.hasOwn(record, alias) ? record[alias] : undefined
}

/** Values by alias and scope, in no order. */
function asSet(record: Readonly<Record<string, readonly { scope: object; value: unknown }[]>>): Map<string, unknown> {
  return new Map(
    Object.entries(record).flatMap(([alias, items]) =>
      items.map((item) => [`${alias} ${scopeKey(item.scope as Record<string, string>)}`, item.value] as const),
    ),
  )
}

function replay(trail: readonly AuditEntryBody[]) {
  return trail
    .filter((entry) => entry.action !== 'transition')
    .reduce<Parameters<typeof applyChanges>[0]>((state, entry) => applyChanges(state, entry.changes), {})
}

describe('Records, whatever their values', () => {
  it('POST keeps exactly what it was given, without the nulls', async () => {
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        const { id, values: answered } = await makeShirt(shop.admin, given)
        assert.deepEqual(Object.entries(answered), Object.entries(kept(given)))
        assert.deepEqual((await readRecord(shop.admin, id)).values, answered)
      }),
      { numRuns: 100 },
    )
  })

  it('PUT replaces exactly what it names', async () => {
    await fc.assert(
      fc.asyncProperty(values, values, async (given, update) => {
        const { id } = await makeShirt(shop.admin, given)
        const answer = await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: update })
        assert.equal(answer.status, 200, JSON.stringify(answer.body))
        const named = new Set(Object.keys(update))
        const untouched = Object.entries(kept(given)).filter(([alias]) => !named.has(alias))
        const expected = Object.fromEntries([...untouched, ...Object.entries(kept(update))])
        assert.deepEqual((await readRecord(shop.admin, id)).values, expected)
      }),
      { numRuns: 100 },
    )
  })

  it('PATCH replaces exactly the one attribute', async () => {
    const patch = fc
      .constantFrom(...Object.keys(attributes))
      .chain((alias) => fc.tuple(fc.constant(alias), attributes[alias]!))
    await fc.assert(
      fc.asyncProperty(values, patch, async (given, [alias, scopedValues]) => {
        const { id } = await makeShirt(shop.admin, given)
        const answer = await send(shop.admin, 'PATCH', `/api/v1/records/${id}/values/${alias}`, { scopedValues })
        assert.equal(answer.status, 200, JSON.stringify(answer.body))
        const expected = kept(Object.fromEntries([...Object.entries(given), [alias, scopedValues]]))
        assert.deepEqual((await readRecord(shop.admin, id)).values, expected)
      }),
      { numRuns: 100 },
    )
  })

  it("replaying a record's audit entries from the start gives its current values, after every change", async () => {
    const change = fc.oneof(
      { weight: 4, arbitrary: values.map((update) => ['PUT', '', { values: update }] as const) },
      {
        weight: 2,
        arbitrary: attributes['name']!.map((items) => ['PATCH', '/values/name', { scopedValues: items }] as const),
      },
      fc.constant(['POST', '/transition', { transitionId: 'tr-submit' }] as const),
      fc.constant(['POST', '/transition', { transitionId: 'tr-send-back' }] as const),
      fc.constant(['PUT', '', { values: { weight: [{ scope: {}, value: -1 }], name: [] } }] as const),
    )
    await fc.assert(
      fc.asyncProperty(values, fc.array(change, { maxLength: 6 }), fc.boolean(), async (given, changes, isDeleted) => {
        const { id } = await makeShirt(shop.admin, given)
        for (const [method, suffix, body] of changes) {
          await send(shop.admin, method, `/api/v1/records/${id}${suffix}`, body)
          const current = await readRecord(shop.admin, id)
          const trail = (await readAudit(shop.admin, id)).toReversed()
          assert.deepEqual(asSet(replay(trail)), asSet(current.values))
          const moves = trail.filter((entry) => entry.action === 'transition')
          assert.equal(moves.at(-1)?.changes[0]!.newValue ?? 'state-draft', current.lifecycleStateId)
        }
        if (!isDeleted) return
        await send(shop.admin, 'DELETE', `/api/v1/records/${id}`)
        assert.deepEqual(replay((await readAudit(shop.admin, id)).toReversed()), {})
      }),
      { numRuns: 60 },
    )
  })

  it('what a role may not read stands in no answer, and is not lost', async () => {
    const hidden = ['price', 'salePrice', 'description', 'constructor', 'lifecycleState']
    await fc.assert(
      fc.asyncProperty(values, values, async (given, update) => {
        const { id } = await makeShirt(shop.admin, given)
        const open = Object.fromEntries(Object.entries(update).filter(([alias]) => !hidden.includes(alias)))
        const put = await send<{ values: ValuesBody }>(shop.clerk, 'PUT', `/api/v1/records/${id}`, { values: open })
        assert.equal(put.status, 200, JSON.stringify(put.body))
        const seen = [
          put.body.values,
          (await readRecord(shop.clerk, id)).values,
          ...(await readAudit(shop.clerk, id)).map((entry) =>
            Object.fromEntries(entry.changes.map((change) => [change.attributeAlias, []])),
          ),
        ]
        for (const part of seen) for (const alias of hidden) assert.ok(!Object.hasOwn(part, alias), alias)
        const { values: whole } = await readRecord(shop.admin, id)
        for (const alias of hidden) assert.deepEqual(own(whole, alias), own(kept(given), alias))
      }),
      { numRuns: 60 },
    )
  })
})

describe('The record limit', () => {
  let store: Store
  before(async () => {
    store = await openStore()
  })
  after(() => store.close())

  it('is never passed, however creations and deletions race', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.tuple(fc.boolean(), fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')), { maxLength: 30 }),
        async (maxRecords, steps) => {
          try {
            const records = createRecordService({ store, system, maxRecords })
            const outcomes = await Promise.allSettled(
              steps.map(([isCreation, id]) =>
                isCreation
                  ? records.create(caller, { id, schemaId: 's', values: {} })
                  : records.delete(caller, id, undefined),
              ),
            )
            const codes = outcomes.map((outcome) =>
              outcome.status === 'rejected' ? (outcome.reason as { code: string }).code : 'ok',
            )
            const ids = (await records.list(caller, {}, { offset: 0, limit: 100 }))!.items.map(({ id }) => id)
            assert.ok(ids.length <= maxRecords)
            assert.deepEqual(ids.toSorted(), survivors(steps, codes))
            const created = steps.filter(([isCreation], at) => isCreation && codes[at] === 'ok')
            if (codes.includes('LIMIT_EXCEEDED')) assert.ok(created.length >= maxRecords)
            for (const code of codes) assert.ok(['ok', 'NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'].includes(code), code)
          } finally {
            await empty(store)
          }
        },
      ),
      { numRuns: 25 },
    )
  })
})

const caller = { id: 'usr-1', kind: 'user', name: 'Test', role: BUILT_IN_ROLES[0]! } as const

async function openStore() {
  const store = await openTestedStore()
  const time = system.now().toISOString()
  await store.transaction(async (tx) => {
    await tx.workflows.insert(DEFAULT_WORKFLOW)
    await tx.schemas.insert({
      id: 's',
      name: 'S',
      workflowId: 'wf-default',
      attributes: [],
      combinations: null,
      createdAt: time,
      updatedAt: time,
    })
  })
  return store
}

/** As it was before the steps. */
async function empty(store: Store): Promise<void> {
  const records = createRecordService({ store, system, maxRecords: 0 })
  const { items } = (await records.list(caller, {}, { offset: 0, limit: 100 }))!
  for (const { id } of items) await records.delete(caller, id, undefined)
}

/** The IDs that were created once more than they were deleted, by the answers, whatever the order of the requests. */
function survivors(steps: readonly (readonly [boolean, string])[], codes: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const [at, [isCreation, id]] of steps.entries())
    if (codes[at] === 'ok') counts.set(id, (counts.get(id) ?? 0) + (isCreation ? 1 : -1))
  return [...counts].flatMap(([id, count]) => Array<string>(count).fill(id)).toSorted()
}
