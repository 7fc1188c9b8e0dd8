// What is seen of JSON before it is parsed, in whatever parts its bytes come.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { LostNumber } from '../../../src/kernel/json/lost-numbers.ts'
import { JsonScanner, MAX_DEPTH } from '../../../src/kernel/json/json-scanner.ts'
import { parseJson, scanAndParse } from '../../../src/kernel/json/parse-json.ts'

const options = { what: 'The text', keepsLostIn: new Set(['values']) }

function scan(text: string, size: number, maxValues = 1e6): JsonScanner {
  const bytes = Buffer.from(text)
  const scanner = new JsonScanner('The text', maxValues)
  for (let at = 0; at < bytes.length; at += size) scanner.take(bytes.subarray(at, at + size))
  return scanner
}

function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, member) => sum + count(member), 1)
}

const unique = (value: unknown): boolean => JSON.stringify(JSON.parse(JSON.stringify(value))) === JSON.stringify(value)

describe('JSON that is looked through', () => {
  it('has its values counted, names of members apart, in whatever parts it comes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 4 }), fc.integer({ min: 1, max: 40 }), (value, indent, size) => {
        fc.pre(unique(value))
        assert.equal(scan(JSON.stringify(value, null, indent), size).values, count(value))
      }),
    )
    for (const [text, values] of [
      ['[]', 1],
      ['[ ]', 1],
      ['{}', 1],
      ['[[],{}]', 3],
      ['{"a":{"b":[]}}', 3],
      ['"[{,"', 1],
    ] as const)
      assert.equal(scan(text, 1).values, values, text)
  })

  it('is refused as soon as it holds too many values, or nests too deep', () => {
    assert.throws(() => scan('[1,1,1,', 2, 3), {
      code: 'PAYLOAD_TOO_LARGE',
      message: /The text .* 3 values \(--max-body-values\)/,
    })
    assert.doesNotThrow(() => scan('['.repeat(MAX_DEPTH), 7))
    assert.throws(() => scan('['.repeat(MAX_DEPTH + 1), 7), { code: 'VALIDATION_ERROR', message: /500 levels/ })
    assert.doesNotThrow(() => scan(`["${'['.repeat(2000)}\\"${'{'.repeat(2000)}"]`, 3))
    assert.doesNotThrow(() => scan('[[]],'.repeat(2000), 3))
  })

  it('is refused where it holds more lost numbers than anybody writes', () => {
    const holding = (count: number) => `[${'9007199254740993,'.repeat(count)}1]`
    assert.equal(scan(holding(5000), 1000).end().length, 5000)
    assert.throws(() => scan(holding(5001), 1000), {
      code: 'VALIDATION_ERROR',
      message: /more than 5000 numbers like 9007/,
    })
  })

  it('gives back what JSON.parse does, with a mark for each number that is lost', () => {
    const number = fc.constantFrom(
      '1',
      '-0.5',
      '1e3',
      '9007199254740993',
      '0.1000000000000000055511151231257827',
      `1.${'0'.repeat(500)}`,
    )
    const text = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        number,
        fc.string().map((drawn) => JSON.stringify(drawn)),
        fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(' ,')}]`),
        fc
          .array(tie('value'), { maxLength: 3 })
          .map((items) => `{${items.map((item, i) => `"k${i}" : ${item}`).join(',')}}`),
      ),
    })).value
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), (inner, size) => {
        const whole = `{"values":${inner}}`
        const value = parseJson(Buffer.from(whole), scan(whole, size).end(), options)
        assert.deepEqual(plain(value), JSON.parse(whole))
        const isLost = /9007199254740993|0\.1000000000000000055511151231257827/.test(
          whole.replaceAll(/"(\\.|[^"\\])*"/g, ''),
        )
        assert.equal(holdsLost(value), isLost)
      }),
    )
  })

  it('is refused for a lost number elsewhere, by its path', () => {
    const refuse = (text: string, message: RegExp): void =>
      assert.throws(() => scanAndParse(Buffer.from(text), 1e6, options), { code: 'VALIDATION_ERROR', message })
    refuse('{"a":[1,{"b":9007199254740993}]}', /^a\[1\]\.b is 9007199254740993, /)
    refuse('9007199254740993', /^The text is 9007199254740993, /)
    refuse('{"values":1,"__proto__":9007199254740993}', /^__proto__ is/)
    assert.equal((scanAndParse(Buffer.from('{"a":1e400}'), 9, options) as { a: number }).a, Infinity)
  })

  it('that is no JSON is not made JSON by what stands for a lost number', () => {
    for (const text of [
      '{9007199254740993:1}',
      '{"values":9007199254740993-1}',
      '{"values":009007199254740993}',
      '[9007199254740993',
    ])
      assert.throws(() => scanAndParse(Buffer.from(text), 1e6, options), { code: 'VALIDATION_ERROR' }, text)
    const forged = '{"values":["\\udfff9007199254740993"]}'
    assert.throws(() => scanAndParse(Buffer.from(forged), 1e6, options), {
      code: 'VALIDATION_ERROR',
      message: /surrogate/,
    })
  })
})

function plain(value: unknown): unknown {
  if (value instanceof LostNumber) return value.nearest
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]))
}

function holdsLost(value: unknown): boolean {
  if (value instanceof LostNumber) return true
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsLost)
}
