// Parses exports of every format back into values, with independent parsers.
import assert from 'node:assert/strict'
import { parse as parseCsv } from 'csv-parse/sync'
import { SaxesParser } from 'saxes'
import type { DataTypeName } from '../../src/core/datatypes/data-types.ts'
import type { TextFormat } from '../../src/exports/rules/export-format.ts'
import { FIXED_FIELDS } from '../../src/core/records/rules/exported-record.ts'
import type { Model } from '../../src/core/model/rules/model.ts'
import { type ScopedValue, scopeKey } from '../../src/core/scopes/scope.ts'

export interface ParsedRecord {
  /** Values of `FIXED_FIELDS`. */
  readonly fixed: readonly (string | null)[]
  /** `alias[scope key]` → value; missing values are absent. */
  readonly values: Readonly<Record<string, unknown>>
}

type Parse = (text: string, model: Model) => ParsedRecord[]

/** Every format has an entry, so a new format needs a parser. */
export const parsers: Readonly<Record<TextFormat, Parse>> = {
  csv: readCsv,
  json: (text) => (JSON.parse(text) as JsonRecord[]).map(fromJson),
  jsonl: (text) => {
    const lines = text.split('\n')
    assert.equal(lines.pop(), '', 'the last line ends')
    return lines.map((line) => fromJson(JSON.parse(line) as JsonRecord))
  },
  xml: readXml,
}

type JsonRecord = Record<string, string | null> & { values: Record<string, unknown> }

function fromJson(record: JsonRecord): ParsedRecord {
  assert.deepEqual(Object.keys(record), [...FIXED_FIELDS, 'values'])
  const values: [string, unknown][] = []
  for (const [alias, item] of Object.entries(record.values)) {
    if (isScoped(item)) for (const { scope, value } of item) values.push([`${alias}[${scopeKey(scope)}]`, value])
    else if (item !== null) values.push([`${alias}[]`, item])
  }
  return { fixed: FIXED_FIELDS.map((field) => record[field]!), values: Object.fromEntries(values) }
}

function isScoped(item: unknown): item is ScopedValue[] {
  const isScopedValue = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && Object.keys(value).join(',') === 'scope,value'
  return Array.isArray(item) && item.length > 0 && item.every(isScopedValue)
}

const COLUMN = /^(?:values\.)?([A-Za-z][\w-]*)(?:\[([^\]]+)\])?(?:\.(currency|unit))?$/

function readCsv(text: string, model: Model): ParsedRecord[] {
  const rows: (string | null)[][] = parseCsv(text, {
    record_delimiter: '\r\n',
    cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
  })
  const [header, ...records] = rows as [string[], ...(string | null)[][]]
  assert.deepEqual(header.slice(0, FIXED_FIELDS.length), FIXED_FIELDS)
  assert.equal(new Set(header).size, header.length, 'no two columns have the same name')
  return records.map((row) => {
    const found: Record<string, { text?: string; unit?: string }> = Object.create(null) as {}
    for (const [index, cell] of row.entries()) {
      if (index < FIXED_FIELDS.length || cell === null) continue
      const [, alias, scope = '', unitField] = COLUMN.exec(header[index]!)!
      const part = (found[`${alias}[${scope}]`] ??= {})
      if (unitField === undefined) part.text = cell
      else part.unit = cell
    }
    const typeOf = typesOf(row[1]!, model)
    const values = Object.entries(found).map(([key, { text: cell, unit }]) => [key, fromText(typeOf(key), cell!, unit)])
    return { fixed: row.slice(0, FIXED_FIELDS.length), values: Object.fromEntries(values) as {} }
  })
}

function readXml(text: string, model: Model): ParsedRecord[] {
  const records: ParsedRecord[] = []
  let [fixed, values]: [(string | null)[], Record<string, unknown>] = [[], {}]
  let [attributes, content]: [Record<string, string>, string] = [{}, '']
  const parser = new SaxesParser()
  parser.on('error', (error) => assert.fail(error))
  parser.on('opentag', (tag) => {
    attributes = tag.attributes
    content = ''
    if (tag.name !== 'record') return
    fixed = FIXED_FIELDS.map((field) => attributes[field] ?? null)
    values = {}
  })
  parser.on('text', (part) => (content += part))
  parser.on('closetag', ({ name }) => {
    if (name === 'record') records.push({ fixed, values })
    if (name !== 'value' || attributes['nil'] === 'true') return
    const key = `${attributes['attribute']}[${attributes['scope'] ?? ''}]`
    values[key] = fromText(typesOf(fixed[1]!, model)(key), content, attributes['currency'] ?? attributes['unit'])
    content = ''
  })
  parser.write(text).close()
  return records
}

function typesOf(schemaId: string, model: Model): (key: string) => DataTypeName {
  return (key) => model.schemas.get(schemaId)!.attribute(key.slice(0, key.indexOf('[')))!.dataType
}

function fromText(type: DataTypeName, text: string, unit: string | undefined): unknown {
  if (type === 'price') return { amount: Number(text), currency: unit }
  if (type === 'measurement') return { amount: Number(text), unit }
  assert.equal(unit, undefined)
  if (type === 'number') return Number(text)
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : assert.fail(text)
  if (type === 'multiSelect' || type === 'references') return text === '' ? [] : text.split('|')
  return type === 'json' ? (JSON.parse(text) as unknown) : text
}
