// The text of a composed column for one record. A template is compiled once for a file.
import { dataTypeOf } from '../../../core/datatypes/data-types.ts'
import type { Attribute } from '../../../core/model/rules/attributes.ts'
import { effectiveValueIn } from '../../../core/records/rules/record.ts'
import { convertAmount } from '../../../core/values/units.ts'
import { invalid, type PimletError, shorten } from '../../../kernel/errors.ts'
import { attributeFinder, hasPart, partOf, type Row, type RowView } from '../column-sources.ts'
import type { AttributeSource, Piece, Source, Step } from './template.ts'
import { isPiece, readTemplate } from './template-reader.ts'
import { applyStep, textOf, type Value } from './step-values.ts'

/** A text; a list, where the template is one piece with a list; undefined: a piece has no value. */
type Composed = string | readonly string[] | undefined

/** Characters of a composed text: about as many as the values of one record may have. */
const MAX_TEXT = 16 * 1024 * 1024

/** @param header for messages @throws VALIDATION_ERROR while it is filled, for a text that is too long */
export function compileTemplate(text: string, header: string, view: RowView): (row: Row) => Composed {
  const template = readTemplate(text)
  const [only] = template
  if (template.length === 1 && only !== undefined && isPiece(only)) return compileOnly(only, view)
  const parts = template.map((part) => (isPiece(part) ? compilePiece(part, view) : part))
  return (row) => {
    let composed = ''
    for (const part of parts) {
      const value = typeof part === 'string' ? part : part(row)
      if (value === undefined) return undefined
      composed += typeof value === 'string' ? value : textOf(value)
      if (composed.length > MAX_TEXT) throw tooLong(header, row)
    }
    return composed === '' ? undefined : composed
  }
}

function tooLong(header: string, { head }: Row): PimletError {
  return invalid(
    `The column '${shorten(header)}' has more than ${MAX_TEXT} characters for the record '${shorten(head.id)}'`,
  )
}

function compileOnly(piece: Piece, view: RowView): (row: Row) => Composed {
  const valueOf = compilePiece(piece, view)
  return (row) => {
    const value = valueOf(row)
    return value === undefined || value === '' || Array.isArray(value)
      ? (value as Composed) || undefined
      : textOf(value)
  }
}

/** An empty text or list is no value, unless a step replaces it. */
function compilePiece({ source, steps }: Piece, view: RowView): (row: Row) => Value | undefined {
  const [first] = steps
  const isOfSource = first?.name === 'unit' || first?.name === 'path'
  const valueOf = compileSource(source, isOfSource ? first : undefined, view)
  const others = (isOfSource ? steps.slice(1) : steps).map(applyStep)
  const empty = steps.some(({ name }) => name === 'default') ? '' : undefined
  if (others.length === 0) return (row) => filled(valueOf(row))
  return (row) => {
    let value = filled(valueOf(row))
    for (const step of others) value = filled(step(value))
    return value ?? empty
  }
}

function filled(value: Value | undefined): Value | undefined {
  return value === '' || (typeof value === 'object' && value.length === 0) ? undefined : value
}

/** The one place that knows where values come from. @param step the first, where it needs more than a text */
function compileSource(source: Source, step: Step | undefined, view: RowView): (row: Row) => Value | undefined {
  const other = source.kind === 'attribute' ? view.pieces?.get(source.alias) : undefined
  if (other !== undefined) return other
  if (source.kind === 'field') return ({ head }) => head[source.field] ?? undefined
  if (source.kind === 'categoryPath') {
    const between = step?.argument as string | undefined
    return ({ categoryIds }) => view.pathsOf(source.catalogId, categoryIds, between)
  }
  return compileAttribute(source, step?.argument as string | undefined, view)
}

function compileAttribute(source: AttributeSource, unit: string | undefined, view: RowView) {
  const { alias, isOfParent, part } = source
  const scope = source.scope ?? view.dimensionScope ?? {}
  const attributeOf = attributeFinder(alias, view.role)
  return ({ schema, layers }: Row): Value | undefined => {
    const attribute = attributeOf(schema)
    if (attribute === undefined || (isOfParent && layers.parent === null)) return undefined
    const { parent } = layers
    const of = isOfParent ? { own: parent!, inherited: null } : layers
    const found = effectiveValueIn(of, alias, scope, attribute.dimensionIds)
    if (found === undefined) return undefined
    if (part !== undefined) return partOf(found.value, attribute, { part }, { schema, layers: of }, view)
    return readValue(found.value, attribute, unit)
  }
}

/** In another schema the attribute may have another type, without the unit. */
function readValue(value: unknown, attribute: Attribute, unit: string | undefined): Value | undefined {
  if (unit !== undefined) {
    const measured = value as { readonly amount: number; readonly unit: string }
    return hasPart(attribute, 'unit') ? convertAmount(measured.amount, measured.unit, unit) : undefined
  }
  const { toCell, keysPerValue } = dataTypeOf(attribute)
  return keysPerValue === 'many' ? (value as readonly string[]) : toCell(value)
}
