// XML 1.0, well-formed for every input. Contract 2 §6. Elements are written by fast-xml-builder, whose home this is;
// characters are escaped here: it lets through those that XML forbids, and white space that a parser would change.
import XmlBuilder from 'fast-xml-builder'
import { unitOf } from '../../core/datatypes/data-type.ts'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { ColumnValue } from '../rules/columns.ts'
import { type ExportedAttribute, type ExportedRecord, FIXED_FIELDS } from '../../core/csv/flatten.ts'
import { type Scope, scopeKey } from '../../core/scopes/scope.ts'
import type { Format } from './format.ts'

/** As the builder takes it. */
interface RecordElement {
  readonly $: Readonly<Record<string, string>>
  readonly value: readonly ValueElement[]
}

interface ValueElement {
  readonly $: Readonly<Record<string, string>>
  readonly '#text'?: string
}

const builder = new XmlBuilder({
  attributesGroupName: '$',
  textNodeName: '#text',
  format: true,
  suppressEmptyNode: true,
  // Else `nil="true"` becomes `nil`, which is HTML.
  suppressBooleanAttributes: false,
  // It would escape the references of ours.
  processEntities: false,
  tagValueProcessor: (_name, text) => escape(String(text), SPECIAL_IN_TEXT),
  attributeValueProcessor: (_name, text) => escape(String(text), SPECIAL_IN_ATTRIBUTE),
})

export const writeXml: Format = ({ isFlat }) => ({
  begin: () => '<?xml version="1.0" encoding="UTF-8"?>\n<records>\n',
  write: (records) => builder.build({ record: records.map((record) => recordElement(record, isFlat)) }),
  writeDeleted,
  end: () => '</records>\n',
})

/** What a delta has of records that are gone. */
function writeDeleted(ids: readonly string[]): string {
  return ids.length === 0 ? '' : builder.build({ deleted: ids.map((id) => ({ $: { id } })) })
}

/** Rows whose columns are named: each cell an element that names its column. */
export function xmlRows(headers: readonly string[]) {
  return {
    begin: () => '<?xml version="1.0" encoding="UTF-8"?>\n<records>\n',
    write: (rows: readonly (readonly ColumnValue[])[]): string =>
      builder.build({
        record: rows.map((row) => ({
          value: row.map(({ cell }, index) => {
            const column = headers[index]!
            return cell === null ? { $: { column, nil: 'true' } } : { $: { column }, '#text': String(cell) }
          }),
        })),
      }),
    writeDeleted,
    end: () => '</records>\n',
  }
}

function recordElement({ head, attributes }: ExportedRecord, isFlat: boolean): RecordElement {
  const fields: Record<string, string> = {}
  for (const field of FIXED_FIELDS) {
    const value = head[field]
    if (value !== null) fields[field] = value
  }
  return { $: fields, value: attributes.flatMap((item) => valueElements(item, isFlat)) }
}

function valueElements({ attribute, values }: ExportedAttribute, isFlat: boolean): ValueElement[] {
  // An empty element is an empty text: that there is no value is said.
  if (isFlat && values.length === 0) return [{ $: { attribute: attribute.alias, nil: 'true' } }]
  const { toCell, unitField } = dataTypeOf(attribute)
  return values.map(({ scope, value }) => ({
    $: {
      attribute: attribute.alias,
      ...(isFlat ? {} : scopeAttribute(scope)),
      ...(unitField === undefined ? {} : { [unitField]: unitOf(value, unitField) }),
    },
    '#text': String(toCell(value)),
  }))
}

function scopeAttribute(scope: Scope): { scope?: string } {
  const key = scopeKey(scope)
  return key === '' ? {} : { scope: key }
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

/** Half a surrogate pair is forbidden, too. */
function escape(text: string, special: RegExp): string {
  return text.toWellFormed().replace(special, (character) => REFERENCES[character] ?? '\uFFFD')
}
