// Unsaved edits: `console/record/changes.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  compare,
  faultyOf,
  NO_CHANGES,
  reversed,
  toPatch,
  toSave,
  withChange,
  withChanges,
  type FieldChange,
} from '../../../console/record/changes.ts'

const de = { language: 'de' }
const en = { language: 'en' }
const change = (rest: Partial<FieldChange>): FieldChange => ({
  alias: 'name',
  scope: de,
  value: 'Tee',
  before: null,
  ...rest,
})

describe('changes of a record', () => {
  it('R3 come to one request, each scope with what was stored there', () => {
    const changes = [change({}), change({ scope: en, value: null, before: 'Tea' }), change({ alias: '__proto__' })]
    const { values, expect } = toPatch(changes)
    assert.deepEqual(values['name'], [
      { scope: de, value: 'Tee' },
      { scope: en, value: null },
    ])
    assert.deepEqual(Object.keys(values), ['name', '__proto__'])
    assert.deepEqual(expect.slice(0, 2), [
      { attributeAlias: 'name', scope: de, value: null },
      { attributeAlias: 'name', scope: en, value: 'Tea' },
    ])
  })

  it('are none where what was typed comes back to what is stored', () => {
    const typed = withChange(NO_CHANGES, change({ value: 'T' }))
    assert.equal(toSave(typed).length, 1)
    assert.equal(withChange(typed, change({ value: null })).size, 0)
    const amount = { amount: 1, currency: 'EUR' }
    assert.equal(withChange(NO_CHANGES, change({ value: { currency: 'EUR', amount: 1 }, before: amount })).size, 0)
  })

  it('keep what is no value, and do not save it', () => {
    const typed = withChange(NO_CHANGES, change({ value: null, text: 'abc', problem: 'must be a number' }))
    assert.deepEqual([toSave(typed).length, faultyOf(typed).length], [0, 1])
    assert.deepEqual(withChanges({}, typed.values()), {})
  })

  it('show the record as it would be, and leave all else the same object', () => {
    const price = [{ scope: {}, value: 5 }]
    const values = { price, name: [{ scope: en, value: 'Tea' }] }
    const changed = withChanges(values, [change({}), change({ scope: en, value: null, before: 'Tea' })])
    assert.deepEqual(changed['name'], [{ scope: de, value: 'Tee' }])
    assert.equal(changed['price'], price)
  })

  it('R4 after a refusal are compared with what is stored: done, clear, or a choice', () => {
    const changes = [
      change({ value: 'Tee', before: null }),
      change({ alias: 'sku', scope: {}, value: 'B', before: 'A' }),
      change({ alias: 'kind', scope: {}, value: 'green', before: null }),
    ]
    const { done, clear, conflicts } = compare(changes, {
      name: [{ scope: de, value: 'Kräutertee' }],
      sku: [{ scope: {}, value: 'A' }],
      kind: [{ scope: {}, value: 'green' }],
    })
    assert.deepEqual(
      [done, clear].map((of) => of.map(({ alias }) => alias)),
      [['kind'], ['sku']],
    )
    assert.deepEqual(
      conflicts.map(({ change: { alias }, theirs }) => [alias, theirs]),
      [['name', 'Kräutertee']],
    )
  })

  it('are taken back by what was there before, which is expected to be what they made', () => {
    assert.deepEqual(reversed([change({ before: 'Thé' })]), [change({ value: 'Thé', before: 'Tee' })])
  })
})
