// Every format gives back what was written, value by value, whatever the text.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { TEXT_FORMATS, type TextFormat } from '../../../src/exports/rules/export-format.ts'
import {
  createFlatten,
  type ExportedRecord,
  exportedAttributes,
  FIXED_FIELDS,
} from '../../../src/core/records/rules/exported-record.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import type { RecordHead } from '../../../src/core/records/rules/record.ts'
import { type Scope, scopeKey } from '../../../src/core/scopes/scope.ts'
import { formats } from '../../../src/exports/formats/file-formats.ts'
import { hostileRecords, storedValues } from '../../helpers/drawn-records.ts'
import { AT, exportModel } from '../../helpers/export-model.ts'
import { type ParsedRecord, parsers } from '../../helpers/export-parsers.ts'

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
        const property = fc.property(hostileRecords, (drawn) => {
          const exported = drawn.map(({ schemaId, own, inherited }, index) => {
            const layers = { own: storedValues(own), inherited: inherited && storedValues(inherited) }
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
