// Searching and scoring beside what the random questions of `search-questions.ts` ask: needles, roles, own writes, reindexing,
// and what ends a search early.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AttributeInput, defineAttribute } from '../../../src/core/model/rules/attributes.ts'
import { matchesText } from '../../../src/core/search/rules/criteria.ts'
import { BUILT_IN_ROLES, type Role } from '../../../src/core/accounts/rules/permissions.ts'
import { foldText } from '../../../src/kernel/text.ts'
import { DEFAULT_WORKFLOW } from '../../../src/core/model/rules/workflow.ts'
import type { Store, Transaction } from '../../../src/store/port.ts'
import { type Backend, hasCode, openWithModel } from './backend.ts'
import { AT, insertRecord, recordOf } from './fixtures.ts'
import type { SearchQuery } from '../../../src/store/search-port.ts'

const ADMIN = BUILT_IN_ROLES[0]!

const attributeOf = (alias: string, more: Partial<AttributeInput> = {}) =>
  defineAttribute({
    alias,
    dataType: 'text',
    dimensionIds: [],
    description: '',
    unique: false,
    requiredInStateIds: ['state-review'],
    guard: null,
    validation: {},
    options: [],
    units: [],
    currencies: [],
    ...more,
  })

const schemaOf = (id: string) => ({
  id,
  name: id,
  workflowId: DEFAULT_WORKFLOW.id,
  attributes: [attributeOf('title'), attributeOf('note')],
  combinations: null,
  createdAt: AT,
  updatedAt: AT,
})

async function insertTextModel(tx: Transaction): Promise<void> {
  await tx.workflows.insert(DEFAULT_WORKFLOW)
  for (const id of ['sch-a', 'sch-b']) await tx.schemas.insert(schemaOf(id))
}

const valuesOf = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([alias, value]) => [alias, [{ scope: {}, value }]]))

const query = (find: SearchQuery['find'], more: Partial<SearchQuery> = {}): SearchQuery => ({
  find,
  role: ADMIN,
  offset: 0,
  limit: null,
  ...more,
})

async function search(store: Store, asked: SearchQuery, signal = AbortSignal.timeout(20_000)): Promise<string[]> {
  const { batches } = await store.read.search(asked, signal)
  return (await Array.fromAsync(batches)).flat().map(({ id }) => id)
}

const byText = (text: string, more: Partial<SearchQuery> = {}): SearchQuery => query({ kind: 'text', text }, more)

const equals = (attributeAlias: string, value: string, more: Partial<SearchQuery> = {}): SearchQuery =>
  query(
    {
      kind: 'criteria',
      criteria: { criteria: [{ attributeAlias, operator: 'equals', value }], criteriaOperator: 'and' },
    },
    more,
  )

const LONG = 'a long needle with many words, '.repeat(10).slice(0, 300)
const TEXTS = [
  'a', 'ab', 'abc', 'ΟΔΟΣ', 'οδος', '100 % sure_thing', 'C:\\temp\\"x"', '👩‍👩‍👧 family', LONG, `${LONG.toUpperCase()}!`,
  'a\u0000b', 'Straße', 'x_y', 'xzy', '50%', '500', 'tab\there', 'NOT (a OR b)*',
] // oxfmt-ignore
const NEEDLES = [
  'a', 'b', 'ab', 'abc', 'σ', 'ς', 'δος', 'ΔΟΣ', '%', '_', '\\', '"', 'e_t', '0 % s', '👩', '👧 f', LONG, LONG.slice(0, 3), '\t',
  '\u0000', 'SS', 'ß', 'or b)*', 'x_y', '%s', 'nothing of it',
] // oxfmt-ignore

export function describeSearch(backend: Backend): void {
  describe(`${backend.name}: search`, () => {
    it('full-text finds needles of every length and any character as the predicate does', async (test) => {
      const { store, whenSettled } = await openWithModel(backend, test, insertTextModel)
      const records = TEXTS.map((text, index) => ({ id: `ent-${index}`, values: valuesOf({ title: text }) }))
      await store.transaction(async (tx) => {
        for (const { id, values } of records)
          await insertRecord(tx, recordOf(id, { valuesJson: JSON.stringify(values) }))
      })
      const model = await store.read.model()
      const schema = model.schemas.get('sch-a')!
      for (const isSettled of [false, true]) {
        if (isSettled) await whenSettled()
        for (const needle of NEEDLES) {
          const expected = records
            .filter(({ values }) =>
              matchesText(foldText(needle), { own: values, inherited: null }, schema, ADMIN, model),
            )
            .map(({ id }) => id)
          assert.deepEqual(await search(store, byText(needle)), expected, JSON.stringify(needle))
        }
      }
    })

    it('full-text looks at what the role may read, of each schema by itself', async (test) => {
      const { store, whenSettled } = await openWithModel(backend, test, insertTextModel)
      await store.transaction(async (tx) => {
        for (const [id, schemaId] of [
          ['ent-1', 'sch-a'],
          ['ent-2', 'sch-b'],
        ] as const) {
          const values = valuesOf({ title: 'open', note: 'secret word' })
          await insertRecord(tx, recordOf(id, { schemaId, valuesJson: JSON.stringify(values) }))
        }
      })
      const clerk: Role = { ...ADMIN, id: 'role-x', attributePermissions: { 'sch-a': { note: 'none' } } }
      for (const isSettled of [false, true]) {
        if (isSettled) await whenSettled()
        assert.deepEqual(await search(store, byText('secret')), ['ent-1', 'ent-2'])
        assert.deepEqual(await search(store, byText('secret', { role: clerk })), ['ent-2'])
        assert.deepEqual(await search(store, byText('open', { role: clerk })), ['ent-1', 'ent-2'])
        assert.deepEqual(await search(store, byText('secret', { role: clerk, schemaId: 'sch-a' })), [])
      }
    })

    it('a search by two criteria, asked again, sees each change of its records', async (test) => {
      const { store, whenSettled } = await openWithModel(backend, test, insertTextModel)
      const [title, note] = [equals('title', 'red'), equals('note', 'new')]
      const criteria = [title, note].flatMap(({ find }) => (find.kind === 'criteria' ? find.criteria.criteria : []))
      const both = query({ kind: 'criteria', criteria: { criteria, criteriaOperator: 'and' } })
      const matching = { schemaId: 'sch-a', valuesJson: JSON.stringify(valuesOf({ title: 'red', note: 'new' })) }
      const other = { schemaId: 'sch-a', valuesJson: JSON.stringify(valuesOf({ title: 'red', note: 'old' })) }
      const expected = ['ent-1']
      await store.transaction(async (tx) => {
        await insertRecord(tx, recordOf('ent-0', other))
        await insertRecord(tx, recordOf('ent-1', matching))
      })
      for (let round = 2; round < 5; round += 1) {
        for (const isSettled of [false, true, true]) {
          if (isSettled) await whenSettled()
          assert.deepEqual(await search(store, both), expected)
        }
        await store.transaction((tx) => insertRecord(tx, recordOf(`ent-${round}`, matching)))
        expected.push(`ent-${round}`)
      }
      await store.transaction(async (tx) => tx.records.delete('ent-1'))
      for (const isSettled of [false, true]) {
        if (isSettled) await whenSettled()
        assert.deepEqual(await search(store, both), expected.slice(1))
      }
    })

    it('a search sees what was written before it was asked, again and again', async (test) => {
      const { store } = await openWithModel(backend, test, insertTextModel)
      await store.transaction((tx) => insertRecord(tx, recordOf('ent-1')))
      for (let round = 0; round < 30; round += 1) {
        await store.transaction(async (tx) => {
          const before = (await tx.records.get('ent-1'))!
          const valuesJson = JSON.stringify(valuesOf({ title: `round ${round}` }))
          await tx.records.update(before, { ...before, valuesJson, version: 100 + round })
        })
        assert.deepEqual(await search(store, equals('title', `round ${round}`)), ['ent-1'])
        assert.deepEqual(await search(store, equals('title', `round ${round - 1}`)), [])
        assert.deepEqual(await search(store, byText(`und ${round}`)), ['ent-1'])
      }
    })

    it('after the model behind values changed, reindexing answers by the new one', async (test) => {
      const { store, whenSettled } = await openWithModel(backend, test, insertTextModel)
      const values = { title: [{ scope: {}, value: '12' }] }
      await store.transaction((tx) => insertRecord(tx, recordOf('ent-1', { valuesJson: JSON.stringify(values) })))
      await whenSettled()
      assert.deepEqual(await search(store, byText('12')), ['ent-1'])
      await store.transaction(async (tx) => {
        const after = { ...schemaOf('sch-a'), attributes: [attributeOf('title', { dataType: 'select' })] }
        await tx.schemas.update(after)
        await tx.records.reindex('sch-a')
      })
      assert.deepEqual(await search(store, byText('12')), [])
      assert.deepEqual(await search(store, equals('title', '12')), ['ent-1'])
      await whenSettled()
      assert.deepEqual(await search(store, byText('12')), [])
      assert.deepEqual(await search(store, equals('title', '12')), ['ent-1'])
    })

    it('pages are parts of the whole, with the total of all', async (test) => {
      const { store, whenSettled } = await openWithModel(backend, test, insertTextModel)
      await store.transaction(async (tx) => {
        for (let index = 0; index < 30; index += 1) {
          const valuesJson = JSON.stringify(valuesOf({ title: index % 3 === 0 ? 'three' : 'other' }))
          await insertRecord(tx, recordOf(`ent-${index}`, { valuesJson }))
        }
      })
      for (const isSettled of [false, true]) {
        if (isSettled) await whenSettled()
        const all = await search(store, equals('title', 'three'))
        assert.equal(all.length, 10)
        const { total, batches } = await store.read.search(
          equals('title', 'three', { offset: 4, limit: 3 }),
          AbortSignal.timeout(20_000),
        )
        assert.equal(total, 10)
        const page = (await Array.fromAsync(batches)).flat().map(({ id }) => id)
        assert.deepEqual(page, all.slice(4, 7))
        assert.deepEqual(await search(store, equals('title', 'three', { offset: 10, limit: 3 })), [])
      }
    })

    it('one that is given up ends with the reason, and the next one is answered', async (test) => {
      const { store } = await openWithModel(backend, test, insertTextModel)
      await store.transaction((tx) =>
        insertRecord(tx, recordOf('ent-1', { valuesJson: JSON.stringify(valuesOf({ title: 'here' })) })),
      )
      const controller = new AbortController()
      controller.abort(new Error('gone'))
      await assert.rejects(search(store, byText('here'), controller.signal), /gone/)
      assert.deepEqual(await search(store, byText('here')), ['ent-1'])
    })

    it('one that takes longer than it may is UNAVAILABLE', async (test) => {
      const { store } = await backend.open(test, { queryTimeout: 1 })
      await store.transaction(async (tx) => {
        await insertTextModel(tx)
        const valuesJson = JSON.stringify(valuesOf({ title: 'a needle in hay, '.repeat(5000) }))
        for (let index = 0; index < 80; index += 1) await insertRecord(tx, recordOf(`ent-${index}`, { valuesJson }))
      })
      await assert.rejects(search(store, byText('no such thing')), hasCode('UNAVAILABLE'))
    })
  })

  describe(`${backend.name}: completeness`, () => {
    it('scores what was committed before the call, and says what the scores were made from', async (test) => {
      const { store } = await openWithModel(backend, test, insertTextModel)
      await store.transaction(async (tx) => {
        await insertRecord(tx, recordOf('ent-1', { valuesJson: JSON.stringify(valuesOf({ title: 'there' })) }))
        await insertRecord(tx, recordOf('ent-2', { parentId: 'ent-1' }))
      })
      const signal = AbortSignal.timeout(20_000)
      const stateId = 'state-review'
      const { score, missingJson } = await store.read.completeness.score(
        { recordId: 'ent-2', stateId, role: ADMIN },
        signal,
      )
      assert.deepEqual({ ...score }, { filled: 1, total: 2, percentage: 50 })
      const pieces = (await Array.fromAsync(missingJson)).flat().join('')
      assert.deepEqual(JSON.parse(`[${pieces}]`), [{ attributeAlias: 'note', scope: {} }])
      const asked = { recordId: 'ent-2', stateIds: [stateId], role: ADMIN, limit: 5 }
      const { basis, gates } = await store.read.completeness.gates(asked, signal)
      assert.deepEqual(basis, {
        recordVersion: (await store.read.records.get('ent-2'))!.version,
        parentVersion: (await store.read.records.get('ent-1'))!.version,
        modelVersion: await store.read.modelVersion(),
      })
      assert.deepEqual(
        gates.map((gate) => gate.stateId),
        [stateId],
      )
    })

    it('scores values that are not stored, on what their record would inherit', async (test) => {
      const { store } = await openWithModel(backend, test, insertTextModel)
      const valuesJson = JSON.stringify(valuesOf({ title: 'there' }))
      const { schemaId } = await store.transaction((tx) => insertRecord(tx, recordOf('ent-1', { valuesJson })))
      const query = { schemaId, valuesJson: '{}', stateId: 'state-review', role: ADMIN, faulty: [] }
      const signal = AbortSignal.timeout(20_000)
      const note = { attributeAlias: 'note', scope: {} }
      const variant = await store.read.completeness.draft({ ...query, parentId: 'ent-1' }, signal)
      assert.deepEqual({ ...variant }, { filled: 1, total: 2, percentage: 50, missing: [note], required: [note] })
      const given = { ...query, parentId: null, valuesJson, faulty: [note] }
      assert.deepEqual((await store.read.completeness.draft(given, signal)).required, [])
      const gone = store.read.completeness.draft({ ...given, schemaId: 'sch-none' }, signal)
      await assert.rejects(gone, hasCode('NOT_FOUND'))
    })

    it('a record that does not exist is NOT_FOUND', async (test) => {
      const { store } = await openWithModel(backend, test, insertTextModel)
      const scoring = store.read.completeness.score(
        { recordId: 'none', stateId: 'state-review', role: ADMIN },
        AbortSignal.timeout(20_000),
      )
      await assert.rejects(scoring, hasCode('NOT_FOUND'))
    })
  })
}
