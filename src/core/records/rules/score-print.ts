// A print describes the required values that a record has and lacks. Records that lack the same values have equal
// prints. So a result for a print is valid for all these records, for every state, scope and role. Contract 2 §4, 3 §1.
import { dataTypeOf } from '../../datatypes/data-types.ts'
import type { Attribute } from '../../model/rules/attributes.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import { type Grid, gridOf } from '../../scopes/grid.ts'
import { scopeKey } from '../../scopes/scope.ts'
import { ValueSheet } from '../../scopes/value-sheet.ts'
import { operatorOf } from '../../search/rules/operators.ts'
import { countedCells, percentageOf, type RequiredFields, requiredFieldsOf, type ScoreSubject } from './completeness.ts'
import { scopedValues, type ValueLayers } from './record.ts'

/** The first character of every print, so that no print is empty. */
const BEGIN = '='
/** Separates attributes, in schema order. No separator follows the last attribute that lacks a value. */
const BETWEEN = '.'
/** Follows the required fields, if a guard hides some of them. */
const HIDES = '~'
/** Each letter represents six combinations. The first letter means none of them, and is left out at the end. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const CELLS_PER_DIGIT = 6

/** The most patterns of filled values with a cached outcome for each attribute, and the most characters of a pattern. */
const MAX_KNOWN = 500
const MAX_PATTERN = 400

type PrintedFields = Pick<RequiredFields, 'attribute' | 'grid' | 'isRequired' | 'isMissing'>

interface PrintedAttribute {
  readonly attribute: Attribute
  readonly grid: Grid
  /** 1 for each combination that counts. */
  readonly counted: Uint8Array
  /** The number of combinations that count. */
  readonly total: number
  /** Attributes whose empty values decide; undefined: a guard compares values. */
  readonly deciding: readonly Attribute[] | undefined
  /** Pattern of empty deciding attributes → print. */
  readonly known: Map<string, string>
}

interface PrintedSchema {
  readonly dimensions: Model['dimensions']
  readonly attributes: readonly PrintedAttribute[]
  /** States → print → percentage. */
  readonly percentages: Map<string, Map<string, number>>
}

const printedOf = new WeakMap<Schema, PrintedSchema>()

/** Cached while schema and dimensions stay the same. */
function printed(schema: Schema, model: Model): PrintedSchema {
  let known = printedOf.get(schema)
  if (known?.dimensions !== model.dimensions) {
    const attributes = schema.attributes
      .filter(({ requiredInStateIds }) => requiredInStateIds.length > 0)
      .map((attribute): PrintedAttribute => {
        const grid = gridOf(attribute.dimensionIds, model.dimensions)
        const counted = countedCells(schema, grid, model) ?? new Uint8Array(grid.size).fill(1)
        const total = counted.reduce((sum, isCounted) => sum + isCounted, 0)
        return { attribute, grid, counted, total, deciding: decidingOf(attribute, schema), known: new Map() }
      })
    known = { dimensions: model.dimensions, attributes, percentages: new Map() }
    printedOf.set(schema, known)
  }
  return known
}

function decidingOf(attribute: Attribute, schema: Schema): readonly Attribute[] | undefined {
  const criteria = attribute.guard?.criteria ?? []
  if (criteria.some((criterion) => operatorOf(criterion).operand !== 'none')) return undefined
  return [attribute, ...criteria.flatMap(({ attributeAlias }) => schema.attribute(attributeAlias) ?? [])]
}

export function printScore(subject: ScoreSubject): string {
  const { schema, model, layers } = subject
  let print = ''
  let skipped = BEGIN
  let sheet: ValueSheet | undefined
  for (const one of printed(schema, model).attributes) {
    const part = partOf(one, layers, () => {
      sheet ??= new ValueSheet(layers, schema, model)
      return requiredFieldsOf(one.attribute, { schema, model, sheet })
    })
    if (part !== '') {
      print += skipped + part
      skipped = ''
    }
    skipped += BETWEEN
  }
  return print === '' ? BEGIN : print
}

function partOf(one: PrintedAttribute, layers: ValueLayers, fields: () => RequiredFields): string {
  const pattern = one.deciding && patternOf(one.deciding, layers)
  if (pattern === undefined) return writePart(one, fields())
  let part = one.known.get(pattern)
  if (part === undefined) {
    part = writePart(one, fields())
    if (one.known.size >= MAX_KNOWN) one.known.clear()
    one.known.set(pattern, part)
  }
  return part
}

/**
 * Describes which scopes have values, and which values are empty; undefined: the description would be long. IDs contain
 * none of its separators.
 */
function patternOf(attributes: readonly Attribute[], { own, inherited }: ValueLayers): string | undefined {
  let pattern = ''
  for (const attribute of attributes) {
    const type = dataTypeOf(attribute)
    pattern += ','
    for (const values of inherited === null ? [own] : [own, inherited]) {
      if (values === inherited) pattern += '/'
      for (const { scope, value } of scopedValues(values, attribute.alias)) {
        pattern += (type.isEmpty(value) ? '!' : '+') + scopeKey(scope)
        if (pattern.length > MAX_PATTERN) return undefined
      }
    }
  }
  return pattern
}

function writePart({ total }: PrintedAttribute, fields: RequiredFields): string {
  const missing = fields.lacking === 0 ? '' : writeCells(fields.isMissing)
  return fields.total === total ? missing : writeCells(fields.isRequired) + HIDES + missing
}

function writeCells(cells: Uint8Array): string {
  let text = ''
  let end = 0
  for (let from = 0; from < cells.length; from += CELLS_PER_DIGIT) {
    let digit = 0
    const to = Math.min(from + CELLS_PER_DIGIT, cells.length)
    for (let cell = from; cell < to; cell += 1) digit |= cells[cell]! << (cell - from)
    text += DIGITS[digit]!
    if (digit !== 0) end = text.length
  }
  return text.slice(0, end)
}

/** Returns the part of the print for each attribute that some state requires, in schema order. */
export function readPrint(print: string, schema: Schema, model: Model): PrintedFields[] {
  const parts = print.slice(BEGIN.length).split(BETWEEN)
  return printed(schema, model).attributes.map(({ attribute, grid, counted }, index) => {
    const part = parts[index] ?? ''
    const hides = part.indexOf(HIDES)
    const isRequired = hides === -1 ? counted : readCells(part.slice(0, hides), grid)
    return { attribute, grid, isRequired, isMissing: readCells(part.slice(hides + 1), grid) }
  })
}

function readCells(text: string, { size }: Grid): Uint8Array {
  const cells = new Uint8Array(size)
  for (let at = 0; at < text.length; at += 1) {
    const digit = DIGITS.indexOf(text[at]!)
    for (let bit = 0; bit < CELLS_PER_DIGIT; bit += 1) if (digit & (1 << bit)) cells[at * CELLS_PER_DIGIT + bit] = 1
  }
  return cells
}

/** Returns the percentage of records with the print, for the state. */
export function percentageOfPrint(print: string, stateId: string, schema: Schema, model: Model): number {
  const { percentages } = printed(schema, model)
  let ofState = percentages.get(stateId)
  if (ofState === undefined) percentages.set(stateId, (ofState = new Map()))
  let percentage = ofState.get(print)
  if (percentage === undefined) {
    percentage = countPrint(print, stateId, schema, model)
    if (ofState.size >= MAX_KNOWN) ofState.clear()
    ofState.set(print, percentage)
  }
  return percentage
}

function countPrint(print: string, stateId: string, schema: Schema, model: Model): number {
  let [total, lacking] = [0, 0]
  for (const { attribute, isRequired, isMissing } of readPrint(print, schema, model)) {
    if (!attribute.requiredInStateIds.includes(stateId)) continue
    for (let cell = 0; cell < isRequired.length; cell += 1) {
      total += isRequired[cell]!
      lacking += isMissing[cell]!
    }
  }
  return percentageOf(total - lacking, total)
}
