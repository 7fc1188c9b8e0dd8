// The column of the address whose values divide the rows into groups.
import type { GroupBy, GroupField } from '../grid/groups.ts'
import { restrictScope, type Scope } from '../../src/core/scopes/scope.ts'
import { parseColumns } from '../state/addresses.ts'
import type { SeenSchema } from '../state/model.ts'
import { attributeColumn, type ColumnSource, fieldColumn, type SheetColumn } from './columns.ts'

const FIELDS: readonly string[] = ['lifecycleStateId', 'createdBy', 'updatedBy'] satisfies GroupField[]
/** The data types that group records. A record with several values in one scope is in the group of each value. */
const TYPES: ReadonlySet<string> = new Set(['select', 'multiSelect', 'boolean', 'reference'])

type Catalogs = readonly { readonly id: string; readonly name: string }[]

/** A column, or a catalog whose highest categories divide the rows. */
export type GroupColumn =
  | SheetColumn
  | { readonly kind: 'catalog'; readonly key: string; readonly catalog: Catalogs[number] }

export function mayGroup(column: SheetColumn): boolean {
  return column.kind === 'field' ? FIELDS.includes(column.field) : TYPES.has(column.attribute.dataType)
}

/** Everything that can divide the rows. */
export function groupColumns(source: ColumnSource, catalogs: Catalogs): GroupColumn[] {
  return [
    ...FIELDS.flatMap((field) => fieldColumn(field, source) ?? []),
    ...catalogs.map((catalog) => ({ kind: 'catalog', key: catalogKey(catalog.id), catalog }) as const),
    ...source.attributes
      .flatMap(({ alias }) => attributeColumn(alias, {}, source) ?? [])
      .filter((column) => mayGroup(column)),
  ]
}

/** Returns the key of a catalog in the address. */
export const catalogKey = (id: string): string => `.catalog:${id}`

/** Returns the column of the address; undefined: none, or the role may not see it. */
export function groupColumn(text: string, source: ColumnSource, catalogs: Catalogs): GroupColumn | undefined {
  const [asked] = parseColumns(text)
  if (asked === undefined) return undefined
  const { name, scope } = asked
  const catalog = catalogs.find(({ id }) => catalogKey(id) === name)
  if (catalog !== undefined) return { kind: 'catalog', key: name, catalog }
  const column = name.startsWith('.') ? fieldColumn(name.slice(1), source) : attributeColumn(name, scope, source)
  return column !== undefined && mayGroup(column) ? column : undefined
}

/** @param bar the scope of the bar; the column's own scope has priority */
export function groupBy(column: GroupColumn, schema: SeenSchema, bar: Scope): GroupBy {
  if (column.kind === 'catalog') return { kind: 'catalog', catalogId: column.catalog.id }
  if (column.kind === 'field')
    return { kind: 'field', field: column.field as GroupField, workflowId: schema.workflowId }
  const { attribute, scope } = column
  return { kind: 'attribute', attribute, scope: restrictScope({ ...bar, ...scope }, attribute.dimensionIds) }
}
