// A record and its variants as a table: the columns, and the own values of each variant. Pure. V1, V3.
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { scopedValues, type Values } from '../../src/core/records/rules/record.ts'
import { restrictScope, type Scope } from '../../src/core/scopes/scope.ts'
import { cellValue, type CellValue } from '../grid/cell-value.ts'
import type { FieldChange } from './changes.ts'
import { storedValue } from '../grid/cell-value.ts'

/** Columns beyond this number are not shown. */
const MAX_COLUMNS = 30

interface ShownSchema {
  readonly attributes: readonly Attribute[]
  readonly variantAttributes?: readonly string[] | undefined
  readonly labelAttribute?: string | undefined
}

/** The attributes that the schema names, then attributes with an own value in a variant, and the label. */
export function variantColumns(
  { attributes, variantAttributes = [], labelAttribute }: ShownSchema,
  variants: readonly { readonly values: Values }[],
  canRead: (alias: string) => boolean,
): Attribute[] {
  const named = variantAttributes.flatMap((alias) => attributes.find((one) => one.alias === alias) ?? [])
  const different = attributes.filter(({ alias }) =>
    variants.some(({ values }) => scopedValues(values, alias).length > 0),
  )
  const label = attributes.filter(({ alias, unique }) => alias === labelAttribute || unique)
  return [...new Set([...named, ...different, ...label])].filter(({ alias }) => canRead(alias)).slice(0, MAX_COLUMNS)
}

export function variantCell(own: Values, parent: Values, attribute: Attribute, bar: Scope): CellValue {
  const scope = restrictScope(bar, attribute.dimensionIds)
  const layers = { values: own, effectiveValues: inheritedBehind(own, parent, attribute.alias) }
  return cellValue(layers, attribute.alias, scope, attribute)
}

/** Returns the values for display: own values have priority over all values of the parent. */
function inheritedBehind(own: Values, parent: Values, alias: string): Values {
  return { [alias]: [...scopedValues(own, alias), ...scopedValues(parent, alias)] }
}

/** Returns the change that resets a cell to the parent's value; undefined: the cell has no own value. */
export function giveBack(own: Values, cell: CellValue, alias: string): FieldChange | undefined {
  if (cell.origin !== 'own' && cell.origin !== 'wider') return undefined
  const before = storedValue(own, alias, cell.from)
  return before === undefined ? undefined : { alias, scope: cell.from, value: null, before }
}
