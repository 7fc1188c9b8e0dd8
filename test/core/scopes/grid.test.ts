import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { cellsOfAny, combinationAt, gridOf, projectOnto } from '../../../src/core/scopes/grid.ts'
import { valuesInForce } from '../../../src/core/scopes/in-force.ts'
import { agree, combinationsOf, restrictScope } from '../../../src/core/scopes/scope.ts'
import { dimension } from '../../helpers/domain-model.ts'
import {
  anyDimensions,
  anyScope,
  anyScopedValues,
  everyCombination,
  naiveEffectiveValue,
} from '../../helpers/scope-oracle.ts'

const byId = <Item extends { id: string }>(items: readonly Item[]): Map<string, Item> =>
  new Map(items.map((item) => [item.id, item]))
const idsOf = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id)

test('cells stand for the combinations in the order of dimensions and segments', () => {
  fc.assert(
    fc.property(anyDimensions, (dimensions) => {
      const grid = gridOf(idsOf(dimensions), byId(dimensions))
      const combinations = Array.from({ length: grid.size }, (_, cell) => combinationAt(grid, cell))
      assert.deepEqual(combinations, everyCombination(dimensions))
    }),
  )
})

test('a dimension without segments, or that is not there, leaves no cells', () => {
  assert.equal(gridOf(['empty'], byId([dimension('empty')])).size, 0)
  assert.equal(gridOf(['language', 'gone'], byId([dimension('language', 'en')])).size, 0)
  assert.deepEqual([...projectOnto(gridOf(['gone'], new Map()), gridOf([], new Map()))], [])
})

test('many scopes are asked at once whether any of them agrees with a combination', () => {
  const anyCase = anyDimensions.chain((dimensions) =>
    fc.tuple(fc.constant(dimensions), fc.array(anyScope(dimensions), { maxLength: 4 }), fc.subarray(dimensions)),
  )
  fc.assert(
    fc.property(anyCase, ([dimensions, scopes, some]) => {
      const cells = cellsOfAny(scopes, gridOf(idsOf(some), byId(dimensions)))
      const expected = everyCombination(some).map((combination) => scopes.some((scope) => agree(scope, combination)))
      assert.deepEqual([...cells], expected.map(Number))
    }),
  )
})

test('a cell falls onto the cell that has the same segments, unless it disagrees with a scope', () => {
  const anyCase = anyDimensions.chain((dimensions) =>
    fc.tuple(fc.constant(dimensions), fc.shuffledSubarray(dimensions), anyScope(dimensions)),
  )
  fc.assert(
    fc.property(anyCase, ([dimensions, some, within]) => {
      const [from, to] = [dimensions, some].map((list) => gridOf(idsOf(list), byId(dimensions))) as [never, never]
      const targets = combinationsOf(idsOf(some), byId(dimensions)).map((scope) => JSON.stringify(scope))
      const expected = everyCombination(dimensions).map((combination) => {
        const same = restrictScope(combination, idsOf(some))
        const ordered = Object.fromEntries(idsOf(some).map((id) => [id, same[id]]))
        return agree(within, combination) ? targets.indexOf(JSON.stringify(ordered)) : -1
      })
      assert.deepEqual([...projectOnto(from, to, within)], expected)
    }),
  )
})

test('the values in force everywhere are those that a naive enumeration finds, in both layers', () => {
  const anyCase = anyDimensions.chain((dimensions) =>
    fc.tuple(
      fc.constant(dimensions),
      anyScopedValues(dimensions, fc.nat()),
      fc.option(anyScopedValues(dimensions, fc.nat())),
    ),
  )
  fc.assert(
    fc.property(anyCase, ([dimensions, own, inherited]) => {
      const ids = idsOf(dimensions)
      const layers = { own: { it: own }, inherited: inherited === null ? null : { it: inherited } }
      const { values, cells } = valuesInForce(layers, 'it', gridOf(ids, byId(dimensions)))
      everyCombination(dimensions).forEach((combination, cell) => {
        const expected =
          naiveEffectiveValue(own, combination, ids) ?? naiveEffectiveValue(inherited ?? [], combination, ids)
        assert.equal(values[cells[cell]!], expected)
      })
    }),
  )
})
