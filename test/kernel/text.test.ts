import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  canonicalJson,
  containsText,
  countCharacters,
  hasMoreBytes,
  endOfPart,
  foldText,
  isNestedDeeper,
  isSameValue,
  normalForm,
} from '../../src/kernel/text.ts'
import { foldHeader } from '../../src/imports/rules/header-words.ts'
import { threadTime } from '../helpers/thread-time.ts'

test('text is folded to NFC and lower case, so that composed and decomposed letters are alike', () => {
  assert.equal(foldText('A\u0308PFEL'), 'äpfel')
  assert.equal(foldText('ÄPFEL'), 'äpfel')
  assert.equal(foldText('STRASSE'), 'strasse')
  assert.equal(foldText('Straße'), 'straße')
  assert.equal(foldText('日本語'), '日本語')
})

test('what a text contains it contains in folded form, wherever in a word that begins or ends', () => {
  const letters = fc.string({ unit: fc.constantFrom('Σ', 'σ', 'ς', 'Α', 'ά', 'a', 'B', 'İ', ' ', '.') })
  fc.assert(
    fc.property(letters, letters, letters, (before, middle, after) =>
      assert.ok(foldText(before + middle + after).includes(foldText(middle))),
    ),
  )
  assert.equal(foldText('ΟΔΟΣ'), foldText('οδος'))
})

test('a text that is folded part by part is folded as if in one piece', () => {
  const unit = fc.constantFrom(
    'a',
    'Σ',
    'ς',
    'e\u0301',
    '\u0301',
    'İ',
    '\u1100',
    '\u1161',
    '\u11a8',
    '漢',
    'か',
    '\u3099',
    '😀',
  )
  const pieces = fc.array(fc.string({ unit, minLength: 1 }), { minLength: 1 })
  fc.assert(
    fc.property(fc.integer({ min: 65_500, max: 65_540 }), pieces, (before, after) => {
      const text = 'B'.repeat(before) + after.join('').repeat(2000)
      assert.equal(foldText(text), text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ'))
    }),
    { numRuns: 10 },
  )
})

test('a text is cut where no character is cut in two', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 9].map((at) => endOfPart('a😀b', at)),
    [0, 1, 3, 3, 4],
  )
})

test('characters are counted as code points', () => {
  assert.equal(countCharacters(''), 0)
  assert.equal(countCharacters('a😀b'), 3)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(countCharacters(text), Array.from(text).length)),
  )
})

/** The value with the members of each object in the opposite order. */
function shuffle(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffle)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, shuffle(member)]),
  )
}

test('two values are the same exactly if their canonical JSON is equal', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (one, other) => {
      assert.equal(isSameValue(one, shuffle(one)), true)
      assert.equal(isSameValue(one, other), canonicalJson(one) === canonicalJson(other))
      assert.equal(isSameValue([one, 1], [other, 1]), canonicalJson(one) === canonicalJson(other))
    }),
  )
  assert.equal(isSameValue({ a: 1, b: undefined }, { a: 1 }), true)
  assert.equal(isSameValue({ a: 1 }, { a: 1, b: null }), false)
  assert.equal(isSameValue({ constructor: 1 }, {}), false)
  assert.equal(isSameValue([], {}), false)
  assert.equal(isSameValue([1, 2], [1]), false)
})

test('canonical JSON is equal exactly for equal values, whatever the order of keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      assert.equal(canonicalJson(shuffle(one)), canonicalJson(one))
      assert.deepEqual(JSON.parse(canonicalJson(one)), JSON.parse(JSON.stringify(one)))
      const isSame = JSON.stringify(one) === JSON.stringify(other)
      if (isSame) assert.equal(canonicalJson(one), canonicalJson(other))
    }),
  )
  assert.notEqual(canonicalJson({ a: 1, b: 2 }), canonicalJson({ a: 1, b: 3 }))
  assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]))
  assert.equal(canonicalJson(-0), '0')
})

test('depth counts arrays and objects inside each other', () => {
  assert.equal(isNestedDeeper(1, 0), false)
  assert.equal(isNestedDeeper([], 0), true)
  assert.equal(isNestedDeeper([[{}]], 3), false)
  assert.equal(isNestedDeeper([[{}]], 2), true)
})

test('a long text is found exactly where it occurs, however periodic it is', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 })
  const long = fc.tuple(letters, fc.nat({ max: 200 }), letters, fc.nat({ max: 200 }), letters)
  const spell = ([one, times, two, more, three]: [string, number, string, number, string]): string =>
    one.repeat(times) + two + 'ab'.repeat(more) + three
  fc.assert(
    fc.property(long, long, letters, (inner, other, end) => {
      const [wanted, text] = [spell(inner), spell(other)]
      assert.equal(containsText(text, wanted), text.includes(wanted))
      assert.ok(containsText(text + wanted + end, wanted))
    }),
    { numRuns: 500 },
  )
})

test('a long text that is nearly found everywhere is looked for in a moment', () => {
  const half = 'a'.repeat(32_768)
  const begin = threadTime()
  assert.equal(containsText('a'.repeat(1_000_000), `${half}b${half}`), false)
  assert.ok(threadTime() - begin < 5000, 'it takes some milliseconds; comparing it everywhere would take 17 s')
})

test('bytes of UTF-8 are counted where it is not plain how many they are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, max) =>
      assert.equal(hasMoreBytes(text, max), Buffer.byteLength(text) > max),
    ),
  )
})

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const
/** Marks of several classes, jamo, what is made of many characters, sigmas, a joiner and halves of characters. */
const ODD = [
  '\u0301',
  '\u0316',
  '\u0f73',
  '\u05b0',
  '\u{1d165}',
  '\u1100',
  '\u1161',
  '\u11a8',
  '\ufdfa',
  'Σ',
  'ς',
  '\u200d',
  '\ud800',
  'ａ',
]

test('the normal form of a text with fewer marks in a row than any language has is that of Unicode', () => {
  const text = fc.array(fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: 'grapheme', maxLength: 4 })), {
    maxLength: 100,
  })
  fc.assert(
    fc.property(text, fc.string(), fc.constantFrom(...FORMS), (parts, rest, form) => {
      const short = `${parts.join('')}${rest}`
      assert.equal(normalForm(short, form), short.normalize(form))
      // Long enough to be looked through for marks.
      const long = `${short}${'a\u0308'.repeat(100)}`
      assert.equal(normalForm(long, form), long.normalize(form))
    }),
  )
})

test('text of nothing but the worst that Unicode has is folded in time that grows as the text does', () => {
  const doors = {
    foldText,
    foldHeader,
    ...Object.fromEntries(FORMS.map((form) => [form, (text: string) => normalForm(text, form)])),
  }
  const text = fc.array(fc.constantFrom(...ODD), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.constantFrom(...Object.entries(doors)), (part, [door, fold]) => {
      const measure = (length: number): number => {
        const long = part.repeat(Math.ceil(length / part.length))
        const begin = threadTime()
        fold(long)
        return threadTime() - begin
      }
      const short = Math.max(measure(20_000), 2)
      assert.ok(measure(160_000) < 8 * 4 * short, `${door} of ${JSON.stringify(part)}`)
    }),
    { numRuns: 60, examples: Object.entries(doors).map((door): [string, typeof door] => ['\u0301\u0316', door]) },
  )
})
