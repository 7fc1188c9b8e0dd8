// Searches for what is complete, or missing, read no records but those that they answer with: whatever number, scope and state. And
// what they do without the index.
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import type { Role } from '../../../src/core/accounts/rules/permissions.ts'
import type { Scope } from '../../../src/core/scopes/scope.ts'
import type { FieldCriterion } from '../../../src/core/search/rules/criterion.ts'
import { matchesField } from '../../../src/core/search/rules/judge-field.ts'
import { scoreWithin } from '../../../src/core/search/rules/scoped-score.ts'
import { DEFAULT_WORKFLOW } from '../../../src/core/model/rules/workflow.ts'
import type { SearchQuery } from '../../../src/store/search-port.ts'
import type { Numbers } from '../../../src/core/search/plan/record-numbers.ts'
import { runFacets } from '../../../src/store/reading/run-facets.ts'
import { runSearch } from '../../../src/store/reading/run-search.ts'
import type { Ground } from '../../../src/store/reading/search-snapshot.ts'
import { beginSearch } from '../../../src/store/sqlite/search/index-state.ts'
import { SqliteIndex } from '../../../src/store/sqlite/search/sqlite-index.ts'
import { endSnapshot, openSearcher, type Searcher } from '../../../src/store/sqlite/search/searcher.ts'
import { indexFileOf } from '../../../src/store/sqlite/search-index/follower.ts'
import { openSqliteStore, type SqliteStore } from '../../../src/store/sqlite/store.ts'
import { attribute, LANGUAGE, MARKET } from '../../helpers/domain-model.ts'
import { searched, worldOf } from '../../helpers/searched-records.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { insertRecord, recordOf } from '../contract/fixtures.ts'

const RECORDS = 300
const ADMIN = BUILT_IN_ROLES[0]!
const LIMITED: Role = { ...ADMIN, id: 'role-x', attributePermissions: { 'sch-a': { code: 'none' } } }
const SCHEMA = {
  id: 'sch-a',
  name: 'A',
  workflowId: DEFAULT_WORKFLOW.id,
  combinations: null,
  createdAt: '',
  updatedAt: '',
  attributes: [
    attribute('name', { dimensionIds: ['language', 'market'], requiredInStateIds: ['state-review'] }),
    attribute('note', { dimensionIds: ['language'], requiredInStateIds: ['state-review', 'state-published'] }),
    attribute('code', { requiredInStateIds: ['state-published'] }),
  ],
}

const SCOPES: readonly Scope[] = [{}, { language: 'de' }, { language: 'en', market: 'eu' }]

/** Each value is there in one of some ways. */
const valuesOf = (n: number) => ({
  name: LANGUAGE.segments.slice(n % 4).map(({ id }) => ({ scope: { language: id }, value: 'x' })),
  note: LANGUAGE.segments.slice((n >> 2) % 4).map(({ id }) => ({ scope: { language: id }, value: 'x' })),
  code: n % 3 === 0 ? [] : [{ scope: {}, value: 'x' }],
})

class CountingIndex extends SqliteIndex {
  /** Records that were asked for. */
  asked = 0

  override records(records: Numbers): ReturnType<SqliteIndex['records']> {
    this.asked += records.length
    return super.records(records)
  }
}

describe('A search', () => {
  let store: SqliteStore
  let searcher: Searcher

  before(async () => {
    const databaseFile = path.join(makeTempDirectory(), 'pimlet.db')
    const onFault = (message: string, error: unknown) => assert.fail(`${message}: ${String(error)}`)
    store = await openSqliteStore({ file: databaseFile, onFault })
    await store.transaction(async (tx) => {
      await tx.workflows.insert(DEFAULT_WORKFLOW)
      for (const dimension of [LANGUAGE, MARKET]) await tx.dimensions.insert(dimension)
      await tx.schemas.insert(SCHEMA)
      for (let n = 0; n < RECORDS; n += 1)
        await insertRecord(tx, recordOf(`ent-${n}`, { schemaId: SCHEMA.id, valuesJson: JSON.stringify(valuesOf(n)) }))
    })
    await store.whenIndexed()
    searcher = openSearcher({ databaseFile, indexFile: indexFileOf(databaseFile) })
  })
  after(() => {
    searcher.db.close()
    return store.close()
  })

  /** The answer to a question, and how many records it reads. */
  async function follow<Answer>(
    query: SearchQuery,
    answerOf: (ground: Ground) => Promise<Answer>,
  ): Promise<{ answer: Answer; read: number }> {
    const index = new CountingIndex(searcher.sql, { breathe: () => undefined })
    try {
      const answer = await answerOf({ ...beginSearch(query, searcher), index })
      return { answer, read: index.asked }
    } finally {
      endSnapshot(searcher)
    }
  }

  const questionOf = (criterion: FieldCriterion, role: Role): SearchQuery => ({
    find: { kind: 'criteria', criteria: { criteria: [criterion], criteriaOperator: 'and' } },
    role,
    offset: 0,
    limit: 5,
  })

  it('for how complete records are reads those of its page alone, whatever it compares with, in whatever scope and state, for every role', async () => {
    const model = await store.read.model()
    const schema = model.schemas.get(SCHEMA.id)!
    const totals = new Set<number>()
    for (const role of [ADMIN, LIMITED])
      for (const scope of SCOPES)
        for (const stateId of ['state-review', 'state-published'])
          for (const asked of [
            { field: 'completeness', operator: 'lt', value: '80' },
            { field: 'completeness', operator: 'between', value: ['30', '60'] },
            { field: 'completeness', operator: 'equals', value: '100' },
            { field: 'missing', operator: 'in', value: ['note', 'code'] },
          ] as const) {
            const criterion: FieldCriterion = { ...asked, scope, stateId }
            const query = questionOf(criterion, role)
            const { answer, read } = await follow(query, (ground) => Array.fromAsync(runSearch(query, ground)))
            const expected = Array.from({ length: RECORDS }, (_, n) => n).filter((n) =>
              matchesField(
                criterion,
                searched({ schema, layers: { own: valuesOf(n), inherited: null } }),
                worldOf(model, role),
              ),
            )
            const total = answer.find((step) => typeof step.total === 'number')?.total
            assert.equal(total, expected.length, `${role.id} ${JSON.stringify(criterion)}`)
            assert.ok(read <= 5, `${read} records for ${role.id} ${JSON.stringify(criterion)}`)
            totals.add(expected.length)
          }
    assert.ok(totals.size > 8, `${totals.size} numbers of hits`)
  })

  it('scores the records of each value by the index alone, as far as the role may know what is required', async () => {
    const model = await store.read.model()
    const schema = model.schemas.get(SCHEMA.id)!
    const means = new Set<unknown>()
    for (const role of [ADMIN, LIMITED])
      for (const scope of SCOPES) {
        const completeness = { stateId: 'state-published', scope }
        const search = { ...questionOf({ field: 'id', operator: 'startsWith', value: 'ent-' }, role), limit: null }
        const facets = [{ field: 'lifecycleStateId', completeness }] as const
        const { answer, read } = await follow(search, (ground) => runFacets({ search, facets, limit: 5 }, ground))
        const scores = Array.from({ length: RECORDS }, (_, n) => {
          const record = searched({ schema, layers: { own: valuesOf(n), inherited: null } })
          return scoreWithin(record, completeness, worldOf(model, role))!.percentage
        })
        const mean = Math.round((10 * scores.reduce((sum, score) => sum + score, 0)) / RECORDS) / 10
        assert.deepEqual(
          [answer.facets[0]!.values![0]!.completeness, read],
          [mean, 0],
          JSON.stringify([role.id, scope]),
        )
        means.add(mean)
      }
    assert.ok(means.size > 2, `${means.size} means`)
  })

  it('counts in facets how complete records are by the index alone, too', async () => {
    const facets = [{ field: 'completeness', stateId: 'state-review', scope: { language: 'de' } }] as const
    const search = {
      ...questionOf({ field: 'missing', operator: 'isNotEmpty', stateId: 'state-review' }, LIMITED),
      limit: null,
    }
    const { answer, read } = await follow(search, (ground) => runFacets({ search, facets, limit: 20 }, ground))
    assert.ok(answer.total > 100)
    assert.equal(read, 0)
  })

  it('puts in order and counts what it finds without the index while that is rebuilt', async () => {
    const search: SearchQuery = {
      find: { kind: 'criteria', criteria: { criteria: [], criteriaOperator: 'and' } },
      role: ADMIN,
      offset: 0,
      limit: 3,
      sort: [{ field: 'id', direction: 'desc' }],
    }
    const unindexed = (ground: Ground): Ground => ({
      ...ground,
      lookUp: () => new Map<string, never>(),
      pending: { records: new Float64Array(), isAll: true },
    })
    const page = await follow(search, (ground) => Array.fromAsync(runSearch(search, unindexed(ground))))
    const ids = page.answer.flatMap(({ records }) => records).map(({ id }) => id)
    assert.deepEqual(ids, ['ent-99', 'ent-98', 'ent-97'])
    const facets = [{ field: 'lifecycleStateId' }] as const
    const { answer } = await follow(search, (ground) => runFacets({ search, facets, limit: 5 }, unindexed(ground)))
    assert.deepEqual(
      answer.facets[0]!.values!.map(({ count }) => count),
      [RECORDS],
    )
  })
})
