// The index of references: which values name a record.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { RecordReference } from '../../../src/core/values/values.ts'
import type { Referrer } from '../../../src/core/records/rules/referrer.ts'
import type { RecordReads } from '../../../src/store/record-port.ts'
import { type Backend, openWithModel } from './backend.ts'
import { recordOf } from './fixtures.ts'

const SCHEMAS = ['sch-a', 'sch-b']
const ALIASES = ['next', 'any']
const TARGETS = ['t-1', 't-2', '[t', '']
const ATTRIBUTES = SCHEMAS.flatMap((schemaId) => ALIASES.map((alias) => ({ schemaId, alias })))

const reference = fc.record({
  alias: fc.constantFrom(...ALIASES),
  scope: fc.constantFrom('', 'language=de', 'language=de;market=eu'),
  recordId: fc.constantFrom(...TARGETS),
})
const write = fc.record({
  id: fc.constantFrom('r-1', 'r-2', 'R-3'),
  schemaId: fc.constantFrom(...SCHEMAS),
  references: fc.array(reference, { maxLength: 6 }),
  isKept: fc.boolean(),
})

const keyOf = ({ targetId, schemaId, alias, recordId, scope }: Referrer): string =>
  [targetId, schemaId, alias, recordId, scope].join('\n')

/** What the index must answer, by the plainest way. */
function expected(held: ReadonlyMap<string, readonly RecordReference[]>, targetIds: readonly string[]): string[] {
  const all = [...held].flatMap(([record, references]) => {
    const [schemaId, recordId] = record.split(' ') as [string, string]
    return references.map(({ alias, scope, recordId: targetId }) => ({ targetId, schemaId, alias, recordId, scope }))
  })
  return [...new Set(all.filter(({ targetId }) => targetIds.includes(targetId)).map(keyOf))].sort()
}

/** All pages, one behind another. */
async function pageThrough(records: RecordReads, targetIds: readonly string[], limit: number): Promise<string[]> {
  const found: Referrer[] = []
  for (;;) {
    const page = await records.referrers({ targetIds, attributes: ATTRIBUTES, after: found.at(-1), limit })
    assert.ok(page.length <= limit)
    found.push(...page)
    if (page.length < limit) return found.map(keyOf)
  }
}

export function describeReferences(backend: Backend): void {
  describe(`${backend.name}: noted references`, () => {
    it('are those of the kept writes, in order on pages of any size, within and after a transaction', async (test) => {
      const { store } = await openWithModel(backend, test)
      const held = new Map<string, readonly RecordReference[]>()
      const undo = new Error('undo')
      const property = fc.asyncProperty(
        fc.array(write, { maxLength: 5 }),
        fc.integer({ min: 1, max: 4 }),
        async (writes, limit) => {
          for (const { id, schemaId, references, isKept } of writes) {
            const key = `${schemaId} ${id}`
            const before = held.get(key) ?? []
            const writing = store.transaction(async (tx) => {
              await tx.records.setReferences(recordOf(id, { schemaId }), before, references)
              const inside = new Map(held).set(key, references)
              assert.deepEqual(await pageThrough(tx.records, TARGETS, limit), expected(inside, TARGETS))
              if (!isKept) throw undo
            })
            await writing.catch((error: unknown) => assert.equal(error, undo))
            if (isKept) held.set(key, references)
          }
          assert.deepEqual(await pageThrough(store.read.records, ['t-1', '[t'], limit), expected(held, ['t-1', '[t']))
        },
      )
      await fc.assert(property, { numRuns: 40 })
    })

    it('of attributes that are not asked for are left out', async (test) => {
      const { store } = await openWithModel(backend, test)
      const named: RecordReference[] = ALIASES.map((alias) => ({ alias, scope: '', recordId: 't-1' }))
      await store.transaction((tx) => tx.records.setReferences(recordOf('r-1'), [], named))
      const ask = (attributes: typeof ATTRIBUTES, targetIds = ['t-1']) =>
        store.read.records.referrers({ targetIds, attributes, limit: 10 })
      const wanted = { schemaId: 'sch-a', alias: 'any' }
      const [found, ...others] = await ask([wanted, { schemaId: 'sch-b', alias: 'next' }])
      assert.deepEqual({ ...found }, { targetId: 't-1', ...wanted, recordId: 'r-1', scope: '' })
      assert.deepEqual(others, [])
      assert.deepEqual(await ask([]), [])
      assert.deepEqual(await ask([wanted], []), [])
    })

    it('may be noted already, and be gone already', async (test) => {
      const { store } = await openWithModel(backend, test)
      const [one, other] = (['t-1', 't-2'] as const).map((recordId) => ({ alias: 'any', scope: '', recordId })) as [
        RecordReference,
        RecordReference,
      ]
      const set = (before: RecordReference[], after: RecordReference[]) =>
        store.transaction((tx) => tx.records.setReferences(recordOf('r-1'), before, after))
      await set([], [one])
      await set([], [one, other])
      await set([one], [])
      await set([one, other], [other])
      const found = await store.read.records.referrers({ targetIds: ['t-1', 't-2'], attributes: ATTRIBUTES, limit: 10 })
      assert.deepEqual(
        found.map(({ targetId }) => targetId),
        ['t-2'],
      )
    })
  })
}
