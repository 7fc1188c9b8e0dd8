// Records as elements of a document that the job describes. An element without a value is left out; a list makes one element
// for each of its members. Contract 3 §11.
import type { ColumnValue } from '../rules/column-rows.ts'
import { readPlace, type XmlDocument, type XmlPlace } from '../rules/xml-document.ts'
import { attributeText, textOfElement, XML_DECLARATION } from './xml.ts'

/** An element of a record, and the columns that it shows. */
interface ElementPlan {
  readonly name: string
  readonly attributes: Map<string, number>
  text: number | undefined
  readonly children: ElementPlan[]
}

type Cells = readonly (ColumnValue | undefined)[]

/** @param places of columns: paths of elements, in their order */
export function xmlDocument(document: XmlDocument, places: readonly string[]) {
  const { root, item, before, namespaces, attributes } = document
  const roots = root.split('/')
  const depth = roots.length
  const plan = planOf(item, places)
  const first = planOf(
    '',
    before.map(({ element }) => element),
  )
  const constants = before.map(({ text }): ColumnValue => ({ json: text, cell: text }))
  const declared = Object.entries(namespaces).map(([prefix, address]): [string, string] => [
    prefix === '' ? 'xmlns' : `xmlns:${prefix}`,
    address,
  ])
  const texts = [...declared, ...Object.entries(attributes)].map(([name, value]) => attributeText(name, value))
  return {
    begin: (): string =>
      XML_DECLARATION +
      roots.map((name, at) => `${indent(at)}<${name}${at === 0 ? texts.join('') : ''}>\n`).join('') +
      childrenOf(first, constants, depth),
    write: (rows: readonly Cells[]): string => {
      let text = ''
      for (const row of rows) text += elementOf(plan, row, depth, true)
      return text
    },
    end: (): string =>
      roots
        .map((name, at) => `${indent(at)}</${name}>\n`)
        .toReversed()
        .join(''),
  }
}

/** Consecutive columns share an element, until the element already has the part that the next column gives. */
function planOf(name: string, places: readonly string[]): ElementPlan {
  const plan = emptyPlan(name)
  for (const [column, text] of places.entries()) {
    const place = readPlace(text)!
    const element = place.elements.reduce((parent, _name, at) => openChild(parent, place, at), plan)
    if (place.attribute === undefined) element.text = column
    else element.attributes.set(place.attribute, column)
  }
  return plan
}

function emptyPlan(name: string): ElementPlan {
  return { name, attributes: new Map(), text: undefined, children: [] }
}

/** The last child, if it has the name and room, or else a new one. */
function openChild(parent: ElementPlan, place: XmlPlace, at: number): ElementPlan {
  const name = place.elements[at]!
  const last = parent.children.at(-1)
  if (last?.name === name && hasRoom(last, place, at + 1)) return last
  const child = emptyPlan(name)
  parent.children.push(child)
  return child
}

/**
 * Whether the element has room for the attribute, text or child at the place.
 * @param at index of the next name in the place
 */
function hasRoom({ attributes, text, children }: ElementPlan, place: XmlPlace, at: number): boolean {
  const name = place.elements[at]
  if (name === undefined)
    return place.attribute === undefined
      ? text === undefined && children.length === 0
      : !attributes.has(place.attribute)
  if (text !== undefined) return false
  const last = children.at(-1)
  if (last?.name === name && hasRoom(last, place, at + 1)) return true
  return children.every((child) => child.name !== name)
}

function indent(depth: number): string {
  return '  '.repeat(depth)
}

/** @param isKept whether the element stays where it has no value */
function elementOf(plan: ElementPlan, row: Cells, depth: number, isKept = false): string {
  let attributes = ''
  for (const [name, column] of plan.attributes) {
    const text = cellText(row[column])
    if (text !== '') attributes += attributeText(name, text)
  }
  const tag = `${indent(depth)}<${plan.name}${attributes}`
  const value = plan.text === undefined ? undefined : row[plan.text]
  if (value?.list !== undefined) return value.list.map((text) => closed(tag, plan.name, textOfElement(text))).join('')
  const text = textOfElement(cellText(value))
  if (text !== '') return closed(tag, plan.name, text)
  const children = childrenOf(plan, row, depth + 1)
  if (children !== '') return `${tag}>\n${children}${indent(depth)}</${plan.name}>\n`
  return attributes === '' && !isKept ? '' : `${tag}/>\n`
}

function childrenOf({ children }: ElementPlan, row: Cells, depth: number): string {
  let text = ''
  for (const child of children) text += elementOf(child, row, depth)
  return text
}

function closed(tag: string, name: string, text: string): string {
  return text === '' ? '' : `${tag}>${text}</${name}>\n`
}

function cellText(value: ColumnValue | undefined): string {
  return value === undefined || value.cell === null ? '' : String(value.cell)
}
