// What a change by scope leaves alone, and what it replaces and removes.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { assertAsExpected, mergePatch } from '../../../../src/core/records/rules/scoped-patch.ts'
import type { Values } from '../../../../src/core/records/rules/record.ts'
import { type Scope, type ScopedValue, scopeKey } from '../../../../src/core/scopes/scope.ts'
import { attribute, modelOf } from '../../../helpers/domain-model.ts'
import { replaceValues } from '../../../../src/core/values/values.ts'

const scope = fc.constantFrom<Scope[]>({}, { language: 'de' }, { language: 'en' }, { language: 'de', market: 'eu' })
const listOf = (value: fc.Arbitrary<unknown>): fc.Arbitrary<ScopedValue[]> =>
  fc.uniqueArray(fc.record({ scope, value }), { selector: (item) => scopeKey(item.scope), maxLength: 4 })
const valuesOf = (value: fc.Arbitrary<unknown>, minLength: number): fc.Arbitrary<Values> =>
  fc.dictionary(
    fc.constantFrom('name', 'weight', 'constructor'),
    listOf(value).filter((list) => list.length >= minLength),
  )

const stored = valuesOf(fc.integer(), 1)
const patch = valuesOf(fc.option(fc.integer()), 0)

/** Each stored value under its alias and scope. */
function placesOf(values: Values): Map<string, unknown> {
  return new Map(
    Object.entries(values).flatMap(([alias, list]) =>
      list.map((item): [string, unknown] => [`${alias} ${scopeKey(item.scope)}`, item.value]),
    ),
  )
}

describe('A change by scope', () => {
  it('replaces what it names, removes what it names with null, and leaves the rest', () => {
    fc.assert(
      fc.property(stored, patch, (before, change) => {
        const after = placesOf(replaceValues(before, mergePatch(before, change)))
        const wanted = placesOf(before)
        for (const [place, value] of placesOf(change)) {
          if (value === null) wanted.delete(place)
          else wanted.set(place, value)
        }
        assert.deepEqual(after, wanted)
      }),
    )
  })

  it('made twice is the same as made once', () => {
    fc.assert(
      fc.property(stored, patch, (before, change) => {
        const once = replaceValues(before, mergePatch(before, change))
        assert.deepEqual(replaceValues(once, mergePatch(once, change)), once)
      }),
    )
  })

  it('keeps the order in which values stand', () => {
    const before: Values = {
      name: [
        { scope: { language: 'de' }, value: 1 },
        { scope: {}, value: 2 },
      ],
    }
    const change: Values = {
      name: [
        { scope: {}, value: 3 },
        { scope: { language: 'en' }, value: 4 },
      ],
    }
    assert.deepEqual(
      mergePatch(before, change).name!.map(({ value }) => value),
      [1, 3, 4],
    )
  })
})

it('Many expectations look at each stored value once', () => {
  const COUNT = 1000
  let looks = 0
  const stored = Array.from({ length: COUNT }, (_, index) => ({
    get scope() {
      looks += 1
      return { place: `s${index}` }
    },
    value: index,
  }))
  const expectations = stored.map(({ scope, value }) => ({ attributeAlias: 'it', scope, value }))
  looks = 0
  assertAsExpected({ it: stored }, expectations, modelOf([attribute('it', { dataType: 'number' })]).schema)
  assert.equal(looks, COUNT)
})
