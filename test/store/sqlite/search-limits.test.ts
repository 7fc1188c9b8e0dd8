// Questions that would make a statement which SQLite does not take, or takes for minutes: hundreds of schemas, thousands
// of scopes, a hundred criteria. They are answered all the same.
// A long file: `npm run test:all` runs it.
import { searched, worldOf } from '../../helpers/searched-records.ts'
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Criteria, matchesCriteria } from '../../../src/core/search/rules/criteria.ts'
import type { QueryCriterion } from '../../../src/core/search/rules/criterion.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import type { Values } from '../../../src/core/records/rules/record.ts'
import type { Scope } from '../../../src/core/scopes/scope.ts'
import { DEFAULT_WORKFLOW } from '../../../src/core/model/rules/workflow.ts'
import { openSqliteStore, type SqliteStore } from '../../../src/store/sqlite/store.ts'
import { attribute, dimension } from '../../helpers/domain-model.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { insertRecord, recordOf } from '../contract/fixtures.ts'

const SCHEMAS = 520
const role = BUILT_IN_ROLES[0]!
const dimensions = ['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6'].map((id) => dimension(id, 'x', 'y'))
const dimensionIds = dimensions.map(({ id }) => id)

/** Every scope that can be said: 3 to the power of 7. */
const scopes = dimensionIds.reduce<Scope[]>(
  (all, id) => all.flatMap((scope) => [scope, { ...scope, [id]: 'x' }, { ...scope, [id]: 'y' }]),
  [{}],
)

describe('A search', () => {
  let store: SqliteStore
  const records = new Map<string, { schemaId: string; values: Values }>()

  before(async () => {
    store = await openSqliteStore({
      file: path.join(makeTempDirectory(), 'pimlet.db'),
      onFault: (message, error) => assert.fail(`${message}: ${String(error)}`),
    })
    const global = (value: unknown) => [{ scope: {}, value }]
    for (let n = 0; n < SCHEMAS; n += 1)
      records.set(`ent-${n}`, { schemaId: `sch-${n}`, values: { name: global(`Shirt ${n}`), size: global(n) } })
    const scoped = scopes.map((scope, index) => ({ scope, value: `text ${index}` }))
    records.set('scoped-1', { schemaId: 'sch-scoped', values: { note: scoped.slice(0, 1100) } })
    records.set('scoped-2', { schemaId: 'sch-scoped', values: { note: scoped.slice(1100) } })
    await store.transaction(async (tx) => {
      await tx.workflows.insert(DEFAULT_WORKFLOW)
      for (const each of dimensions) await tx.dimensions.insert(each)
      const schema = { name: 'S', workflowId: DEFAULT_WORKFLOW.id, combinations: null, createdAt: '', updatedAt: '' }
      const attributes = [attribute('name'), attribute('size', { dataType: 'number' })]
      for (let n = 0; n < SCHEMAS; n += 1) await tx.schemas.insert({ ...schema, id: `sch-${n}`, attributes })
      await tx.schemas.insert({ ...schema, id: 'sch-scoped', attributes: [attribute('note', { dimensionIds })] })
      for (const [id, { schemaId, values }] of records)
        await insertRecord(tx, recordOf(id, { schemaId, valuesJson: JSON.stringify(values) }))
    })
  })
  after(() => store.close())

  async function assertAnswer(criteria: readonly QueryCriterion[], criteriaOperator: 'and' | 'or'): Promise<void> {
    const asked: Criteria = { criteria, criteriaOperator }
    const model = await store.read.model()
    const expected = [...records]
      .filter(([, { schemaId, values }]) =>
        matchesCriteria(
          asked,
          searched({ layers: { own: values, inherited: null }, schema: model.schemas.get(schemaId)! }),
          worldOf(model),
        ),
      )
      .map(([id]) => id)
    for (const limit of [null, 3]) {
      const query = { find: { kind: 'criteria', criteria: asked }, role, offset: 0, limit } as const
      const { total, batches } = await store.read.search(query, AbortSignal.timeout(20_000))
      const found = (await Array.fromAsync(batches)).flat().map(({ id }) => id)
      assert.deepEqual(found, expected.slice(0, limit ?? undefined), JSON.stringify(criteria[0]))
      assert.equal(total, limit === null ? null : expected.length)
    }
  }

  const operators: readonly QueryCriterion[] = [
    { attributeAlias: 'name', operator: 'equals', value: 'Shirt 7' },
    { attributeAlias: 'name', operator: 'notEquals', value: 'Shirt 7' },
    { attributeAlias: 'name', operator: 'contains', value: 'IRT 1' },
    { attributeAlias: 'name', operator: 'contains', value: '51' },
    { attributeAlias: 'name', operator: 'isEmpty' },
    { attributeAlias: 'size', operator: 'gt', value: '500' },
    { attributeAlias: 'size', operator: 'isNotEmpty' },
  ]

  for (const isIndexed of [false, true]) {
    const when = isIndexed ? 'when they are indexed' : 'before they are indexed'

    it(`asks hundreds of schemas that define the attribute, ${when}`, { timeout: 600_000 }, async () => {
      if (isIndexed) await store.whenIndexed()
      for (const criterion of operators) await assertAnswer([criterion], 'and')
    })

    it(`asks all of them a hundred criteria, ${when}`, { timeout: 600_000 }, async () => {
      for (const criteriaOperator of ['and', 'or'] as const) {
        await assertAnswer(operators, criteriaOperator)
        for (const operator of ['gt', 'notEquals', 'equals'] as const) {
          const size = (n: number) => ({ attributeAlias: 'size', operator, value: String(n) })
          await assertAnswer(
            Array.from({ length: 100 }, (_, n) => size(n)),
            criteriaOperator,
          )
        }
      }
    })

    it(`asks for an attribute with thousands of scopes, ${when}`, { timeout: 600_000 }, async () => {
      const every = Object.fromEntries(dimensionIds.map((id) => [id, 'y']))
      for (const scope of [undefined, {}, { d0: 'x' }, every])
        for (const criterion of [
          { operator: 'equals', value: 'text 2' },
          { operator: 'equals', value: `text ${scopes.length - 1}` },
          { operator: 'contains', value: 'EXT 1' },
          { operator: 'isEmpty' },
        ] as const)
          await assertAnswer([{ attributeAlias: 'note', ...criterion, ...(scope && { scope }) }], 'and')
    })
  }
})
