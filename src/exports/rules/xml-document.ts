// The document that an xml export writes its records into: names of elements, namespaces, and constant elements before the
// records. Contract 3 §11.
import * as v from 'valibot'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { invalid, shorten } from '../../kernel/errors.ts'
import { listOf, TextMapInput, textUpTo, type OutputOf } from '../../kernel/input/validation.ts'
import type { ExportFormat } from './export-format.ts'

const MAX_DEPTH = 5
const MAX_BEFORE = 50
const MAX_NAMESPACES = 20

/** A name without colon, by XML 1.0 (fifth edition). */
const START =
  'A-Z_a-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C\u200D\u2070-\u218F\u2C00-\u2FEF' +
  '\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}'
const NC_NAME = `[${START}][${START}\\-.0-9\u00B7\u0300-\u036F\u203F\u2040]*`
const NAME = new RegExp(`^(?:${NC_NAME}:)?${NC_NAME}$`, 'u')
const PREFIX = new RegExp(`^(?:${NC_NAME})?$`, 'u')

/** Prefixes that XML itself gives a meaning. */
const OWN_PREFIXES = ['xml', 'xmlns']
const OWN_NAMESPACES = ['http://www.w3.org/XML/1998/namespace', 'http://www.w3.org/2000/xmlns/']

/** An element by its path, or an attribute of it. */
export interface XmlPlace {
  /** The names of elements from the outside in; empty: the element of the record. */
  readonly elements: readonly string[]
  readonly attribute: string | undefined
}

/** `g:shipping/g:price`, `g:price@currency`, `@id`; undefined where a name is none of XML. */
export function readPlace(text: string): XmlPlace | undefined {
  const [path = '', attribute, ...more] = text.split('@')
  const elements = path === '' && attribute !== undefined ? [] : path.split('/')
  const names = attribute === undefined ? elements : [...elements, attribute]
  return more.length === 0 && elements.length <= MAX_DEPTH && names.every(isName) ? { elements, attribute } : undefined
}

function isName(name: string): boolean {
  return NAME.test(name) && !name.startsWith('xmlns:') && name !== 'xmlns'
}

const NO_PATH = `must be names of XML elements, at most ${MAX_DEPTH} and joined by '/', and may end with '@' and an attribute`

export const ElementPath = v.pipe(
  textUpTo(200),
  v.check((text) => readPlace(text) !== undefined, NO_PATH),
)
const ElementsOnly = v.pipe(
  textUpTo(200),
  v.check(
    (text) => readPlace(text)?.attribute === undefined && readPlace(text) !== undefined,
    NO_PATH.split(', and may')[0]!,
  ),
)

export const XmlInput = exactObject({
  root: v.pipe(ElementsOnly, v.description('The elements around the records, such as `rss/channel`.')),
  item: v.pipe(
    textUpTo(200),
    v.check(isName, 'must be the name of an XML element'),
    v.description('The element of a record.'),
  ),
  namespaces: v.optional(
    v.pipe(
      TextMapInput,
      v.check(
        (map) => Object.keys(map).length <= MAX_NAMESPACES && Object.entries(map).every(isNamespace),
        `must be at most ${MAX_NAMESPACES} prefixes of XML, each with the address of a namespace of its own`,
      ),
      v.check(
        (map) => new Set(Object.values(map)).size === Object.keys(map).length,
        'must have a namespace of its own for each prefix',
      ),
      v.description('Prefix to namespace. The empty prefix: of names without prefix.'),
    ),
    {},
  ),
  attributes: v.optional(
    v.pipe(
      TextMapInput,
      v.check((map) => Object.keys(map).every(isName), 'must have names of XML attributes'),
      v.description('The attributes of the outermost element.'),
    ),
    {},
  ),
  before: v.optional(
    v.pipe(
      listOf(exactObject({ element: ElementPath, text: textUpTo(1000) }), MAX_BEFORE),
      v.description('Elements that stand before the records.'),
    ),
    [],
  ),
})
export type XmlDocument = OutputOf<typeof XmlInput>

function isNamespace([prefix, address]: [string, string]): boolean {
  return (
    PREFIX.test(prefix) && !OWN_PREFIXES.includes(prefix) && address.trim() !== '' && !OWN_NAMESPACES.includes(address)
  )
}

interface NamedColumn {
  readonly header: string
  readonly element?: string | undefined
}

interface XmlContent {
  readonly format: ExportFormat
  readonly xml?: XmlDocument | null | undefined
  readonly columns?: readonly NamedColumn[] | null | undefined
  readonly delta?: unknown
}

/** Other formats take no notice of these members. @throws VALIDATION_ERROR naming the member that does not fit the others */
export function assertXml({ format, xml = null, columns = null, delta = null }: XmlContent): void {
  if (format !== 'xml') return
  if (xml === null) {
    const named = columns?.findIndex(({ element }) => element !== undefined) ?? -1
    if (named >= 0) throw invalid(`columns[${named}].element needs the member xml, which names the document`)
    return
  }
  if (columns === null) throw invalid('xml needs columns')
  if (delta !== null) throw invalid('delta does not go with xml: such a document has no place for deleted records')
  assertDeclared(xml, xml.root.split('/'), 'xml.root')
  assertDeclared(xml, [xml.item], 'xml.item')
  assertDeclared(xml, Object.keys(xml.attributes), 'xml.attributes')
  for (const [index, { element }] of xml.before.entries()) assertPlace(xml, element, `xml.before[${index}].element`)
  for (const [index, column] of columns.entries()) {
    const at = `columns[${index}]`
    if (column.element !== undefined) assertPlace(xml, column.element, `${at}.element`)
    else if (readPlace(column.header) === undefined) throw invalid(`${at} needs an element: its header ${NO_PATH}`)
    else assertPlace(xml, column.header, `${at}.header`)
  }
  assertOwnAttributes(columns)
}

function assertPlace(xml: XmlDocument, text: string, at: string): void {
  const { elements, attribute } = readPlace(text)!
  assertDeclared(xml, attribute === undefined ? elements : [...elements, attribute], at)
}

function assertDeclared({ namespaces }: XmlDocument, names: readonly string[], at: string): void {
  const prefixes = names.filter((name) => name.includes(':')).map((name) => name.split(':')[0]!)
  const unknown = prefixes.find((prefix) => prefix !== 'xml' && !Object.hasOwn(namespaces, prefix))
  if (unknown !== undefined)
    throw invalid(`${at} has the prefix '${shorten(unknown, 64)}', which xml.namespaces does not declare`)
}

/** The element of a record has each attribute once. */
function assertOwnAttributes(columns: readonly NamedColumn[]): void {
  const seen = new Set<string>()
  for (const [index, { header, element = header }] of columns.entries()) {
    const { elements, attribute } = readPlace(element)!
    if (elements.length > 0 || attribute === undefined) continue
    if (seen.has(attribute))
      throw invalid(`columns[${index}] gives the record's element the attribute '${attribute}' twice`)
    seen.add(attribute)
  }
}
