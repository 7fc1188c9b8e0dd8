// One list of scoped values says what is in force in a variant, for every combination, as the rule written naively says it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { Dimension } from '../../../src/core/model/rules/dimension.ts'
import { effectiveValues, inheritedFrom } from '../../../src/core/scopes/effective-values.ts'
import { effectiveValue, type ScopedValue } from '../../../src/core/scopes/scope.ts'
import { dimension, LANGUAGE, MARKET } from '../../helpers/domain-model.ts'
import {
  anyDimensions,
  anyScopedValues,
  everyCombination,
  naiveEffectiveValue,
  nameScope,
} from '../../helpers/scope-oracle.ts'
import { threadTime } from '../../helpers/thread-time.ts'

/** Few values, so that own and inherited ones are often the same; empty ones are values, too. */
const anyValue = fc.constantFrom<unknown>('a', 'b', 'c', '', [], [1], { amount: 1, unit: 'kg' })

interface Drawn {
  readonly dimensions: Dimension[]
  readonly own: ScopedValue[]
  readonly parent: ScopedValue[]
}
const drawn: fc.Arbitrary<Drawn> = anyDimensions.chain((dimensions) =>
  fc.record({
    dimensions: fc.constant(dimensions),
    own: anyScopedValues(dimensions, anyValue, 6),
    parent: anyScopedValues(dimensions, anyValue, 6),
  }),
)

const idsOf = (dimensions: readonly Dimension[]): string[] => dimensions.map(({ id }) => id)
const listOf = ({ dimensions, own, parent }: Drawn) =>
  effectiveValues(own, parent, { dimensionIds: idsOf(dimensions) }, mapOf(dimensions))
const mapOf = (dimensions: readonly Dimension[]) => new Map(dimensions.map((item) => [item.id, item]))

function inForce({ dimensions, own, parent }: Drawn): unknown[] {
  const ids = idsOf(dimensions)
  return everyCombination(dimensions).map(
    (combination) =>
      (naiveEffectiveValue(own, combination, ids) ?? naiveEffectiveValue(parent, combination, ids))?.value,
  )
}
function readFrom(list: readonly ScopedValue[], dimensions: readonly Dimension[]): unknown[] {
  const ids = idsOf(dimensions)
  return everyCombination(dimensions).map((combination) => naiveEffectiveValue(list, combination, ids)?.value)
}
const isSame = (one: unknown, other: unknown): boolean => {
  try {
    assert.deepEqual(one, other)
    return true
  } catch {
    return false
  }
}

describe('The effective values of a variant', () => {
  it('give by the one rule for scopes exactly what is in force in every combination, or nothing', () => {
    const property = fc.property(drawn, (case_) =>
      assert.deepEqual(readFrom(listOf(case_), case_.dimensions), inForce(case_)),
    )
    fc.assert(property, { numRuns: 3000 })
  })

  it('name no scope twice, and none that the attribute does not have', () => {
    const property = fc.property(drawn, (case_) => {
      const names = listOf(case_).map(({ scope }) => nameScope(scope))
      assert.equal(new Set(names).size, names.length)
      const ids = idsOf(case_.dimensions)
      for (const { scope } of listOf(case_)) assert.ok(Object.keys(scope).every((id) => ids.includes(id)))
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('are its own values, the inherited ones that are in force, and no more where these can be read side by side', () => {
    const property = fc.property(drawn, (case_) => {
      const { dimensions, own, parent } = case_
      const side = [...own, ...inheritedFrom(own, parent, idsOf(dimensions), mapOf(dimensions))]
      const list = listOf(case_)
      assert.deepEqual(list.slice(0, side.length), side)
      if (isSame(readFrom(side, dimensions), inForce(case_))) assert.equal(list.length, side.length)
    })
    fc.assert(property, { numRuns: 2000 })
  })

  it('hold nothing added that no combination reads', () => {
    const property = fc.property(drawn, (case_) => {
      const { dimensions, own, parent } = case_
      const [list, ids] = [listOf(case_), idsOf(dimensions)]
      const side = own.length + inheritedFrom(own, parent, ids, mapOf(dimensions)).length
      const read = everyCombination(dimensions).map((combination) => naiveEffectiveValue(list, combination, ids))
      for (const added of list.slice(side)) assert.ok(read.includes(added), nameScope(added.scope))
    })
    fc.assert(property, { numRuns: 2000 })
  })

  it('add a wider scope rather than narrower ones within it', () => {
    const [language, market, channel] = ['language', 'market', 'channel'].map((id) =>
      dimension(id, `${id} 1`, `${id} 2`),
    )
    const own = [{ scope: { market: 'market 1' }, value: 'own' }]
    const parent: ScopedValue[] = [
      { scope: { language: 'language 1' }, value: 'inherited' },
      { scope: { language: 'language 1', channel: 'channel 1' }, value: 'inherited' },
    ]
    const dimensions = mapOf([language!, market!, channel!])
    assert.deepEqual(effectiveValues(own, parent, { dimensionIds: [...dimensions.keys()] }, dimensions), [
      ...own,
      ...parent,
      { scope: { language: 'language 1', market: 'market 1' }, value: 'own' },
    ])
  })

  it('add the own value where a more specific inherited one would be read', () => {
    const own = [{ scope: { language: 'de' }, value: 'own' }]
    const parent: ScopedValue[] = [
      { scope: { market: 'eu' }, value: 'inherited' },
      { scope: { language: 'de', market: 'us' }, value: 'never in force' },
    ]
    const dimensions = mapOf([LANGUAGE, MARKET])
    // On a tie the dimension that the attribute names first decides.
    assert.deepEqual(effectiveValues(own, parent, { dimensionIds: ['language', 'market'] }, dimensions), [
      own[0],
      parent[0],
    ])
    assert.deepEqual(effectiveValues(own, parent, { dimensionIds: ['market', 'language'] }, dimensions), [
      own[0],
      parent[0],
      { scope: { language: 'de', market: 'eu' }, value: 'own' },
    ])
  })

  it('take little time with as many values as combinations can have', () => {
    const segments = (name: string) => Array.from({ length: 21 }, (_, index) => `${name}${index}`)
    const dimensions = ['a', 'b', 'c'].map((id) => dimension(id, ...segments(id)))
    const [a, b, c] = dimensions.map((item) => item.segments.map(({ id }) => id)) as [string[], string[], string[]]
    const own = a.slice(1).map((segment) => ({ scope: { a: segment }, value: `own ${segment}` }))
    const parent = [
      ...b.flatMap((one) => c.map((other) => ({ scope: { b: one, c: other }, value: `${one} ${other}` }))),
      ...b.flatMap((one) => a.map((other) => ({ scope: { b: one, a: other }, value: `${one} ${other}` }))),
    ]
    const ids = ['c', 'b', 'a']
    const begin = threadTime()
    const list = effectiveValues(own, parent, { dimensionIds: ids }, mapOf(dimensions))
    const took = threadTime() - begin
    const wrong = everyCombination(dimensions).filter((combination) => {
      const expected = effectiveValue(own, combination, ids) ?? effectiveValue(parent, combination, ids)
      return effectiveValue(list, combination, ids)?.value !== expected?.value
    })
    assert.equal(wrong.length, 0)
    assert.ok(list.length <= own.length + parent.length + 9261, String(list.length))
    assert.ok(took < 3000, `${took} ms`)
  })
})
