// Every format gives back what was written, value by value, whatever the text.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { TEXT_FORMATS, type TextFormat } from '../../../src/domain/exports/export-format.ts'
import {
  createFlatten,
  type ExportedRecord,
  exportedAttributes,
  FIXED_FIELDS,
} from '../../../src/domain/exports/flatten.ts'
import { BUILT_IN_ROLES } from '../../../src/domain/accounts/permissions.ts'
import type { RecordHead, Values } from '../../../src/domain/records/record.ts'
import { type Scope, scopeKey } from '../../../src/domain/scopes/scope.ts'
import { formats } from '../../../src/exports/formats/index.ts'
import { AT, exportModel } from '../../helpers/export-model.ts'
import { type ParsedRecord, parsers } from '../../helpers/export-parsers.ts'

const nasty = ['"', '""', "'", ',', ';', '|', '\r', '\n', '\r\n', '\t', ' ', '=', '+', '-', '@', '<', '>', '&', ']]>']
const hostile = ['<![CDATA[', '&amp;', '\0', '\u0001', '\u007F', '\u0085', '\u2028', '\uFEFF', '\uFFFE', '\uFFFF']
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...nasty, ...hostile, '\uD83D', '\uDE00', '😀', '\u{1FFFE}', 'é', 'e\u0301', '\u202E'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 20,
})
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
const language: Scope[] = [{}, { language: 'en' }, { language: 'de' }]
const market: Scope[] = [{}, { market: 'us' }, { market: 'eu' }]

const valuesOf = (value: fc.Arbitrary<unknown>, scopes: Scope[] = [{}]) =>
  fc.uniqueArray(fc.record({ scope: fc.constantFrom(...scopes), value }), { selector: ({ scope }) => scopeKey(scope) })

const allValues = fc.record({
  name: valuesOf(text, language),
  description: valuesOf(
    text,
    language.flatMap((one) => market.map((other) => ({ ...other, ...one }))),
  ),
  link: valuesOf(fc.webUrl()),
  stock: valuesOf(number, market),
  active: valuesOf(fc.boolean()),
  released: valuesOf(fc.constantFrom('2024-02-29', '')),
  checkedAt: valuesOf(fc.constantFrom('2024-02-29T23:59:59.123456789+02:00')),
  color: valuesOf(fc.constantFrom('red', 'blue', '')),
  tags: valuesOf(fc.subarray(['a.b', 'c_d', 'e~f'])),
  price: valuesOf(fc.record({ amount: number, currency: fc.constantFrom('EUR', 'USD') }), market),
  weight: valuesOf(fc.record({ amount: number, unit: fc.constantFrom('kg', '"', '-µm,\r\n\t<') })),
  related: valuesOf(fc.constantFrom('ent-1', '')),
  extra: valuesOf(fc.jsonValue({ stringUnit: 'binary' }).filter((value) => value !== null)),
  id: valuesOf(text, [{}, { constructor: 'valueOf' }]),
  constructor: valuesOf(text),
})
const otherValues = fc.record({
  title: valuesOf(text),
  weight: valuesOf(fc.record({ amount: number, currency: fc.constant('EUR') })),
  name: valuesOf(text),
})

/** As they are read from storage. */
const stored = (values: object) =>
  JSON.parse(
    JSON.stringify(Object.fromEntries(Object.entries(values).filter(([, scoped]) => (scoped as unknown[]).length > 0))),
  ) as Values

const records = fc.array(
  fc.oneof(
    fc.record({ schemaId: fc.constant('sch-all'), own: allValues, inherited: fc.option(allValues) }),
    fc.record({ schemaId: fc.constant('sch-other'), own: otherValues, inherited: fc.constant(null) }),
  ),
  { maxLength: 5 },
)

function headOf(index: number, schemaId: string, parentId: string | null): RecordHead {
  const moments = { createdAt: AT, updatedAt: AT, createdBy: 'usr-1', updatedBy: 'usr-1' }
  return { id: `ent-${index}`, schemaId, parentId, lifecycleStateId: 'state-draft', ...moments }
}

const admin = BUILT_IN_ROLES[0]!

/** As a thread does it, in batches. */
function write(format: TextFormat, exported: readonly ExportedRecord[], isFlat: boolean): string {
  const schemas = [...exportModel.schemas.values()]
  const writer = formats[format]({
    isFlat,
    spreadsheetSafe: false,
    attributes: schemas.flatMap((schema) => exportedAttributes(schema, admin)),
    dimensions: exportModel.dimensions,
  })
  if (writer.survey !== undefined) exported.forEach(writer.survey)
  const whole = [writer.begin(), writer.write(exported.slice(0, 2)), writer.write(exported.slice(2)), writer.end()]
  return Buffer.from(whole.join('')).toString()
}

/** What the format cannot carry is replaced by U+FFFD, and nothing else is. */
const carried: Readonly<Record<TextFormat, (value: unknown) => unknown>> = {
  json: (value) => value,
  jsonl: (value) => value,
  csv: (value) => replaceText(value, (part) => part.toWellFormed()),
  xml: (value) =>
    replaceText(value, (part) =>
      // oxlint-disable-next-line no-control-regex
      part.toWellFormed().replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD'),
    ),
}

/** Of a value that is no text, its JSON text is what is carried. */
function replaceText(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  return JSON.parse(replace(JSON.stringify(value)))
}

function expected({ head, attributes }: ExportedRecord, format: TextFormat, isFlat: boolean): ParsedRecord {
  const values = attributes.flatMap(({ attribute, values }) =>
    values.map(({ scope, value }) => {
      const isJson = attribute.dataType === 'json' && typeof value === 'string'
      const item = isJson ? (carried[format]([value]) as [string])[0] : carried[format](value)
      return [`${attribute.alias}[${isFlat ? '' : scopeKey(scope)}]`, item] as const
    }),
  )
  return { fixed: FIXED_FIELDS.map((field) => head[field]), values: Object.fromEntries(values) }
}

for (const format of TEXT_FORMATS) {
  describe(`The format ${format}`, () => {
    const scopes: (Scope | null)[] = [
      null,
      {},
      { language: 'de' },
      { market: 'eu', language: 'en', constructor: 'valueOf' },
    ]
    for (const dimensionScope of scopes) {
      const name = dimensionScope === null ? 'every scoped value' : `the values for {${scopeKey(dimensionScope)}}`
      it(`carries ${name}, whatever the text`, () => {
        const flatten = createFlatten({ model: exportModel, role: admin, dimensionScope, variantValues: 'effective' })
        const isFlat = dimensionScope !== null
        const property = fc.property(records, (drawn) => {
          const exported = drawn.map(({ schemaId, own, inherited }, index) => {
            const layers = { own: stored(own), inherited: inherited && stored(inherited) }
            return flatten(headOf(index, schemaId, inherited && 'ent-parent'), layers)
          })
          const parsed = parsers[format](write(format, exported, isFlat), exportModel)
          assert.deepEqual(
            parsed,
            exported.map((record) => expected(record, format, isFlat)),
          )
        })
        fc.assert(property, { numRuns: 150 })
      })
    }

    it('is whole without any record', () => {
      assert.deepEqual(parsers[format](write(format, [], false), exportModel), [])
      assert.deepEqual(parsers[format](write(format, [], true), exportModel), [])
    })
  })
}
