// XML 1.0, well-formed for every input. Contract 2 §6.
import { unitOf } from '../../core/datatypes/data-type.ts'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { ColumnValue } from '../rules/column-rows.ts'
import { type ExportedAttribute, type ExportedRecord, FIXED_FIELDS } from '../../core/records/rules/exported-record.ts'
import { type Scope, scopeKey } from '../../core/scopes/scope.ts'
import type { Format } from './format.ts'

export const writeXml: Format = ({ isFlat }) => ({
  begin,
  write: (records) => records.map((record) => recordElement(record, isFlat)).join(''),
  writeDeleted,
  end,
})

/** Rows whose columns are named: each cell an element that names its column. */
export function xmlRows(headers: readonly string[]) {
  const values = headers.map((column) => `  <value${attributeText('column', column)}`)
  const valueElement = ({ cell }: ColumnValue, index: number): string => endOfValue(values[index]!, cell)
  return {
    begin,
    write: (rows: readonly (readonly ColumnValue[])[]): string =>
      rows.map((row) => element('<record', row.map(valueElement).join(''))).join(''),
    writeDeleted,
    end,
  }
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

function begin(): string {
  return `${XML_DECLARATION}<records>\n`
}

function end(): string {
  return '</records>\n'
}

/** Deleted records in a delta. */
function writeDeleted(ids: readonly string[]): string {
  return ids.map((id) => `<deleted${attributeText('id', id)}/>\n`).join('')
}

function recordElement({ head, attributes }: ExportedRecord, isFlat: boolean): string {
  let tag = '<record'
  for (const field of FIXED_FIELDS) {
    const value = head[field]
    if (value !== null) tag += attributeText(field, value)
  }
  let values = ''
  for (const item of attributes) values += valueElements(item, isFlat)
  return element(tag, values)
}

/** `tag`: up to the end of its attributes. */
function element(tag: string, children: string): string {
  return children === '' ? `${tag}/>\n` : `${tag}>\n${children}</record>\n`
}

function valueElements({ attribute, values }: ExportedAttribute, isFlat: boolean): string {
  const tag = `  <value${attributeText('attribute', attribute.alias)}`
  if (isFlat && values.length === 0) return endOfValue(tag, null)
  const { toCell, unitField } = dataTypeOf(attribute)
  let elements = ''
  for (const { scope, value } of values) {
    const scopeText = isFlat ? '' : scopeAttribute(scope)
    const unitText = unitField === undefined ? '' : attributeText(unitField, unitOf(value, unitField))
    elements += endOfValue(tag + scopeText + unitText, toCell(value))
  }
  return elements
}

function scopeAttribute(scope: Scope): string {
  const key = scopeKey(scope)
  return key === '' ? '' : attributeText('scope', key)
}

/** An empty element is an empty text, so an absent value is marked. */
function endOfValue(tag: string, cell: ColumnValue['cell']): string {
  if (cell === null) return `${tag} nil="true"/>\n`
  const text = textOfElement(String(cell))
  return text === '' ? `${tag}/>\n` : `${tag}>${text}</value>\n`
}

export function textOfElement(text: string): string {
  return escape(text, SPECIAL_IN_TEXT)
}

export function attributeText(name: string, value: string): string {
  return ` ${name}="${escape(value, SPECIAL_IN_ATTRIBUTE)}"`
}

/** Markup, CR (which a parser would read as LF), and characters that XML 1.0 forbids. */
// oxlint-disable-next-line no-control-regex
const SPECIAL_IN_TEXT = /[&<>\r\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g
/** Also quotes, and white space that a parser would read as spaces. */
// oxlint-disable-next-line no-control-regex
const SPECIAL_IN_ATTRIBUTE = /[&<>"'\t\n\r\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Half a surrogate pair is forbidden, too. */
function escape(text: string, special: RegExp): string {
  return text.toWellFormed().replace(special, (character) => REFERENCES[character] ?? '\uFFFD')
}
