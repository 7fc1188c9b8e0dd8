import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPatternFault, matchesPattern } from '../../src/domain/patterns.ts'

test('a pattern that backtracking engines never finish is judged at once', () => {
  const start = performance.now()
  const many = 'a'.repeat(50_000)
  assert.equal(matchesPattern('(a+)+$', `${many}!`), false)
  assert.equal(matchesPattern('(a+)+$', many), true)
  assert.equal(matchesPattern('^(a|a)*$', `${many}!`), false)
  assert.equal(matchesPattern('^(.*)*x(.*)*$', many), false)
  assert.ok(performance.now() - start < 3000)
})

test('what a linear-time engine cannot do is refused when the pattern is defined', () => {
  for (const pattern of ['(a)\\1', '(?=a)b', '(?<!a)b', '[', '(', 'a**', '*', 'a{1001}', '((a{100}){100}){100}', '\\'])
    assert.ok((findPatternFault(pattern) ?? '').length > 0, pattern)
})

test('the usual patterns are accepted and mean the usual', () => {
  for (const [pattern, match, other] of [
    ['^[0-9]{6,12}$', '123456', '12345'],
    ['^\\d+$', '12', '1a'],
    ['^\\p{Lu}', 'Änderung', 'änderung'],
    ['(?i)^abc$', 'ABC', 'ABD'],
    ['^.$', '😀', 'ab'],
    ['', '', undefined],
  ] as const) {
    assert.equal(findPatternFault(pattern), undefined, pattern)
    assert.equal(matchesPattern(pattern, match), true, pattern)
    if (other !== undefined) assert.equal(matchesPattern(pattern, other), false, pattern)
  }
})

test('more patterns than are kept compiled still work', () => {
  for (let index = 0; index < 2100; index += 1) assert.equal(matchesPattern(`^${index}$`, String(index)), true)
  assert.equal(matchesPattern('^0$', '0'), true)
})
