import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import {
  estimateProgram,
  findMismatch,
  findPatternFault,
  matchesPattern,
  MAX_PROGRAM,
  MAX_WORK,
  PatternBudget,
  PatternWork,
} from '../../../src/core/values/patterns.ts'
import { threadTime } from '../../helpers/thread-time.ts'

test('a pattern that backtracking engines never finish is judged at once', () => {
  const start = threadTime()
  const many = 'a'.repeat(50_000)
  assert.equal(matchesPattern('(a+)+$', `${many}!`), false)
  assert.equal(matchesPattern('(a+)+$', many), true)
  assert.equal(matchesPattern('^(a|a)*$', `${many}!`), false)
  assert.equal(matchesPattern('^(.*)*x(.*)*$', many), false)
  assert.ok(threadTime() - start < 3000)
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

test('a pattern that compiles to too much is refused, and one that is far too large without compiling it', () => {
  for (const pattern of ['(\\p{L}\\p{N}?){400}[^a-z]', '^.{0,1000}$', `a{${MAX_PROGRAM / 2}}`.repeat(2)])
    assert.match(findPatternFault(pattern) ?? '', /^compiles to \d+ instructions, more than 2000$/, pattern)
  const start = threadTime()
  for (let index = 0; index < 200; index += 1)
    for (const pattern of [
      `(${index}${'a'.repeat(300)}){1000}`,
      `\\p{L}{1000}${index}`.repeat(60),
      `(${index}(a{30}){33})`.repeat(60),
    ])
      assert.equal(findPatternFault(pattern), 'compiles to more than 2000 instructions')
  assert.ok(threadTime() - start < 3000)
  for (const pattern of [
    '^.{1,500}$',
    '^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$',
    '\\x{41}{3}',
    '[{1000}]{9}',
    '(a|b|c|d|e|f|g|h){100}',
  ])
    assert.equal(findPatternFault(pattern), undefined, pattern)
})

test('how much a pattern compiles to is told from its text, never much too little', () => {
  const atom = fc.constantFrom(
    'a',
    'é',
    '[a-z]',
    '[^]{9}]',
    '[[:alpha:]]',
    '\\d',
    '\\p{L}',
    '\\x{41}',
    '\\{',
    '.',
    '^',
    '$',
    '\\Qa{5}\\E',
  )
  const repeat = fc.constantFrom('', '', '*', '+', '?', '{3}', '{2,}', '{0,4}', '{1,3}')
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 3 },
      fc.tuple(atom, repeat).map((parts) => parts.join('')),
      fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
      fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('|')),
      fc
        .tuple(fc.constantFrom('(', '(?:', '(?i:'), tie('pattern'), fc.constant(')'), repeat)
        .map((parts) => parts.join('')),
    ),
  }))
  fc.assert(
    fc.property(pattern, (drawn) => {
      const actual = RE2JS.compile(drawn).programSize()
      assert.ok(actual <= 3 * estimateProgram(drawn) + 10, `${drawn}: ${actual}`)
    }),
  )
})

test('a text that takes too much to be checked is refused with the limit, and so are many in one write', () => {
  const size = 102
  const longest = Math.floor(MAX_WORK / size) - 1
  assert.equal(findMismatch('a{100}', 'a'.repeat(longest)), undefined)
  assert.match(
    findMismatch('a{100}', 'a'.repeat(longest + 1)) ?? '',
    /9803 characters × 102 instructions.*more than 1000000/,
  )
  assert.equal(findMismatch('a{100}', 'b'), 'must match the pattern a{100}')
  const work = new PatternWork()
  assert.equal(findMismatch('a{100}', 'a'.repeat(longest), work), undefined)
  assert.equal(findMismatch('a{100}', 'a'.repeat(longest), work), undefined)
  assert.match(
    findMismatch('a{100}', 'a'.repeat(longest), work) ?? '',
    /cannot be checked.*one write.*more than 2000000/,
  )
})

test('the patterns of one schema have a limit together', () => {
  const budget = new PatternBudget()
  const pattern = (index: number) => ({ validation: { pattern: `a{990}${index}` } })
  for (let index = 0; index < 50; index += 1) assert.equal(budget.findFault(pattern(index)), undefined)
  assert.match(budget.findFault(pattern(50)) ?? '', /more than 50000 instructions together/)
  assert.equal(new PatternBudget().findFault({ validation: {} }), undefined)
})
