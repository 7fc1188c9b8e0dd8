// Draws records of `export-model.ts` with any values that a client may send, by fast-check.
import fc from 'fast-check'
import type { Values } from '../../src/core/records/rules/record.ts'
import { type Scope, scopeKey } from '../../src/core/scopes/scope.ts'

const awkward = ['"', '""', "'", ',', ';', '|', '\r', '\n', '\r\n', '\t', ' ', '=', '\0', '\u2028', '\uFEFF', '😀', 'é']
export const awkwardText = fc.string({
  unit: fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })),
  maxLength: 12,
})
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
const language: Scope[] = [{}, { language: 'en' }, { language: 'de' }]
const market: Scope[] = [{}, { market: 'us' }, { market: 'eu' }]
const both = language.flatMap((one) => market.map((other) => ({ ...other, ...one })))

const valuesOf = (value: fc.Arbitrary<unknown>, scopes: Scope[] = [{}]) =>
  fc.uniqueArray(fc.record({ scope: fc.constantFrom(...scopes), value }), { selector: ({ scope }) => scopeKey(scope) })
interface Drawing {
  readonly text: fc.Arbitrary<string>
  /** Texts of attributes that variants inherit. */
  readonly shared: fc.Arbitrary<string>
  readonly jsonUnit: 'grapheme' | 'binary'
  readonly units: readonly string[]
}

function drawRecords({ text, shared, jsonUnit, units }: Drawing) {
  const allValues = fc.record({
    name: valuesOf(shared, language),
    description: valuesOf(shared, both),
    link: valuesOf(fc.webUrl()),
    stock: valuesOf(number, market),
    active: valuesOf(fc.boolean()),
    released: valuesOf(fc.constantFrom('2024-02-29', '')),
    checkedAt: valuesOf(fc.constantFrom('2024-02-29T23:59:59.123456789+02:00')),
    color: valuesOf(fc.constantFrom('red', 'blue', '')),
    tags: valuesOf(fc.subarray(['a.b', 'c_d', 'e~f'])),
    price: valuesOf(fc.record({ amount: number, currency: fc.constantFrom('EUR', 'USD') }), market),
    weight: valuesOf(fc.record({ amount: number, unit: fc.constantFrom(...units) })),
    related: valuesOf(fc.constantFrom('ent-1', '')),
    extra: valuesOf(fc.jsonValue({ stringUnit: jsonUnit }).filter((value) => value !== null)),
    id: valuesOf(text, [{}, { constructor: 'valueOf' }]),
    constructor: valuesOf(text),
  })
  const otherValues = fc.record({
    title: valuesOf(text),
    weight: valuesOf(fc.record({ amount: number, currency: fc.constant('EUR') })),
    name: valuesOf(text),
  })
  const all = fc.record({ schemaId: fc.constant('sch-all'), own: allValues, inherited: fc.option(allValues) })
  const other = fc.record({ schemaId: fc.constant('sch-other'), own: otherValues, inherited: fc.constant(null) })
  return fc.oneof(all, other)
}

/** Few texts, so that a variant often has the same text as its parent. */
const shared = fc.oneof({ arbitrary: fc.constantFrom('a', 'b', ''), weight: 3 }, awkwardText)
export const drawnRecords = fc.array(
  drawRecords({ text: awkwardText, shared, jsonUnit: 'grapheme', units: ['kg', '"', '-µm,\r'] }),
  {
    minLength: 1,
    maxLength: 5,
  },
)

/** Texts with any characters, including half surrogates and control characters. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...awkward, '<', '>', '&', ']]>', '<![CDATA[', '&amp;', '+', '-', '@'),
    fc.constantFrom(
      '\u0001',
      '\u007F',
      '\u0085',
      '\uFFFE',
      '\uFFFF',
      '\uD83D',
      '\uDE00',
      '\u{1FFFE}',
      'e\u0301',
      '\u202E',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 20,
})
export const hostileRecords = fc.array(
  drawRecords({ text: hostile, shared: hostile, jsonUnit: 'binary', units: ['kg', '"', '-µm,\r\n\t<'] }),
  { maxLength: 5 },
)

/** Returns values as storage returns them. */
export function storedValues(values: object): Values {
  const held = Object.entries(values).filter(([, scoped]) => (scoped as unknown[]).length > 0)
  return JSON.parse(JSON.stringify(Object.fromEntries(held))) as Values
}
