// Values that are given back stand as they stood.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import { arrange, arrangementOf, reversePatch } from '../../../src/bulk/rules/arrangement.ts'
import { netChangesOf } from '../../../src/bulk/rules/net-changes.ts'
import { diffValues } from '../../../src/core/records/rules/changes.ts'
import type { Values } from '../../../src/core/records/rules/record.ts'
import type { ScopedValue } from '../../../src/core/scopes/scope.ts'
import { mergePatch } from '../../../src/core/records/rules/scoped-patch.ts'
import { replaceValues, withoutEmptyAttributes } from '../../../src/core/values/values.ts'

const scoped = fc
  .shuffledSubarray(['', 'en', 'de'])
  .chain((scopes) => fc.tuple(...scopes.map((scope) => fc.constantFrom(1, 2).map((value) => item(scope, value)))))
const item = (scope: string, value: number): ScopedValue => ({ scope: scope === '' ? {} : { language: scope }, value })
const values: fc.Arbitrary<Values> = fc
  .shuffledSubarray(['a', 'b', 'constructor'])
  .chain((aliases) => fc.tuple(...aliases.map((alias) => scoped.map((list) => [alias, list] as const))))
  .map((entries) => withoutEmptyAttributes(Object.fromEntries(entries)))

it('what a change made of values is undone to the byte', () => {
  fc.assert(
    fc.property(values, values, (before, update) => {
      const after = replaceValues(before, update)
      const changes = diffValues(before, after)
      const arrangement = arrangementOf(JSON.stringify(before), after, changes)
      const undone = replaceValues(after, mergePatch(after, reversePatch(changes)))
      assert.equal(JSON.stringify(arrange(undone, arrangement)), JSON.stringify(before))
    }),
  )
})

it('nothing is noted where the changes alone lead back', () => {
  const before = { a: [item('en', 1), item('de', 1)], b: [item('', 1)] }
  const after = { a: [item('en', 2), item('de', 1)], b: [item('', 1)] }
  assert.equal(arrangementOf(JSON.stringify(before), after, diffValues(before, after)), null)
  const shorter = { b: [item('', 1)] }
  assert.notEqual(arrangementOf(JSON.stringify(before), shorter, diffValues(before, shorter)), null)
})

it('what several entries changed together leads from the first old value to the last new one', () => {
  const entry = (oldValue: unknown, newValue: unknown) => ({
    action: 'update' as const,
    changes: [{ attributeAlias: 'a', scope: {}, oldValue, newValue }],
  })
  const state = (oldValue: string, newValue: string) => ({
    ...entry(oldValue, newValue),
    action: 'transition' as const,
  })
  const net = netChangesOf([entry(null, 1), state('s', 't'), entry(1, 2), state('t', 'u')])
  assert.deepEqual(net.values, entry(null, 2).changes)
  assert.deepEqual([net.state?.oldValue, net.state?.newValue], ['s', 'u'])
  assert.equal(net.categories, undefined)
})
