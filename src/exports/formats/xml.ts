// XML 1.0, well-formed for every input. Decisions §6. Written by hand: of the libraries none streams, knows the
// characters that XML forbids, and keeps up with gzip (xmlbuilder2 writes 10 MB/s, fast-xml-builder 20–30, this 100–160).
import { type ExportedAttribute, type ExportedRecord, FIXED_FIELDS } from '../../domain/flatten.ts'
import { type Scope, scopeKey } from '../../domain/scope.ts'
import { textFormOf, unitOf } from '../../domain/value-text.ts'
import type { Format } from './format.ts'

export const writeXml: Format = ({ isFlat }) => ({
  begin: () => '<?xml version="1.0" encoding="UTF-8"?>\n<records>\n',
  write: (records) => records.map((record) => recordElement(record, isFlat)).join(''),
  end: () => '</records>\n',
})

function recordElement({ head, attributes }: ExportedRecord, isFlat: boolean): string {
  const fields = FIXED_FIELDS.map((field) => xmlAttribute(field, head[field])).join('')
  const values = attributes.map((item) => valueElements(item, isFlat)).join('')
  return `<record${fields}>\n${values}</record>\n`
}

function valueElements({ attribute, values }: ExportedAttribute, isFlat: boolean): string {
  // An empty element is an empty text: that there is no value is said.
  if (isFlat && values.length === 0) return `  <value attribute="${attribute.alias}" nil="true"/>\n`
  const { toCell, unitField } = textFormOf(attribute)
  return values
    .map(({ scope, value }) => {
      const unit = unitField === undefined ? '' : xmlAttribute(unitField, unitOf(value, unitField))
      const where = isFlat ? '' : scopeAttribute(scope)
      return `  <value attribute="${attribute.alias}"${where}${unit}>${escapeText(String(toCell(value)))}</value>\n`
    })
    .join('')
}

function scopeAttribute(scope: Scope): string {
  const key = scopeKey(scope)
  return key === '' ? '' : ` scope="${key}"`
}

/** Nothing for null. */
function xmlAttribute(name: string, value: string | null): string {
  return value === null ? '' : ` ${name}="${escapeAttribute(value)}"`
}

/** Markup, CR (which a parser would read as LF), and what XML 1.0 forbids. */
// oxlint-disable-next-line no-control-regex
const SPECIAL_IN_TEXT = /[&<>\r\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g
/** Also the quote, and white space that a parser would read as spaces. */
// oxlint-disable-next-line no-control-regex
const SPECIAL_IN_ATTRIBUTE = /[&<>"\t\n\r\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

function escapeText(text: string): string {
  return text.toWellFormed().replace(SPECIAL_IN_TEXT, referenceTo)
}

function escapeAttribute(text: string): string {
  return text.toWellFormed().replace(SPECIAL_IN_ATTRIBUTE, referenceTo)
}

function referenceTo(character: string): string {
  return REFERENCES[character] ?? '\uFFFD'
}
