// The column of the address whose values divide the rows into groups.
import type { GroupBy, GroupField } from '../grid/groups.ts'
import { restrictScope, type Scope } from '../../src/core/scopes/scope.ts'
import { parseColumns } from '../state/addresses.ts'
import type { SeenSchema } from '../state/model.ts'
import { attributeColumn, type ColumnSource, fieldColumn, type SheetColumn } from './columns.ts'

const FIELDS: readonly string[] = ['lifecycleStateId', 'createdBy', 'updatedBy'] satisfies GroupField[]
/** A record has at most one value of these, in one scope. */
const TYPES: ReadonlySet<string> = new Set(['select', 'boolean', 'reference'])

export function mayGroup(column: SheetColumn): boolean {
  return column.kind === 'field' ? FIELDS.includes(column.field) : TYPES.has(column.attribute.dataType)
}

/** Every column that can divide the rows. */
export function groupColumns(source: ColumnSource): SheetColumn[] {
  return [
    ...FIELDS.flatMap((field) => fieldColumn(field, source) ?? []),
    ...source.attributes.flatMap(({ alias }) => attributeColumn(alias, {}, source) ?? []),
  ].filter(mayGroup)
}

/** The column of the address; undefined: none, or none that the role may see. */
export function groupColumn(text: string, source: ColumnSource): SheetColumn | undefined {
  const [asked] = parseColumns(text)
  if (asked === undefined) return undefined
  const { name, scope } = asked
  const column = name.startsWith('.') ? fieldColumn(name.slice(1), source) : attributeColumn(name, scope, source)
  return column !== undefined && mayGroup(column) ? column : undefined
}

/** @param bar the scope of the bar: that of the column has priority */
export function groupBy(column: SheetColumn, schema: SeenSchema, bar: Scope): GroupBy {
  if (column.kind === 'field')
    return { kind: 'field', field: column.field as GroupField, workflowId: schema.workflowId }
  const { attribute, scope } = column
  return { kind: 'attribute', attribute, scope: restrictScope({ ...bar, ...scope }, attribute.dimensionIds) }
}
