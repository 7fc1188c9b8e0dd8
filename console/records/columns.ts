// The columns of the sheet: attributes, each in its own scope or the bar's, and the fields of every record. Pure. G7,
// G9.
import type { AttributeAccess } from '../../src/core/accounts/rules/permissions.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { restrictScope, type Scope, withinScope } from '../../src/core/scopes/scope.ts'
import type { SortKey } from '../../src/core/search/rules/sorting.ts'
import type { SavedQuery } from '../../src/core/search/rules/saved-query.ts'
import { type Column, writeColumns } from '../state/addresses.ts'

export const COLUMN_FIELDS = [
  'image',
  'id',
  'lifecycleStateId',
  'completeness',
  'variantCount',
  'updatedAt',
  'updatedBy',
  'createdAt',
  'createdBy',
] as const
export type ColumnField = (typeof COLUMN_FIELDS)[number]

export type SheetColumn =
  | {
      readonly kind: 'attribute'
      /** The name in the address. */
      readonly key: string
      readonly attribute: Attribute
      /** The column's own scope, which has priority over the bar's. */
      readonly scope: Scope
      readonly access: 'read' | 'write'
    }
  | { readonly kind: 'field'; readonly key: string; readonly field: ColumnField }

/** The parts of a schema that columns need. */
export interface ColumnSource {
  readonly attributes: readonly Attribute[]
  readonly labelAttribute?: string | undefined
  /** True: each record has a picture. */
  readonly hasImage: boolean
  readonly access: (alias: string) => AttributeAccess
}

const SHOWN_AT_FIRST = 6

/** Drops columns that are unknown, hidden, or repeated. */
export function resolveColumns(asked: readonly Column[], source: ColumnSource): SheetColumn[] {
  const byKey = new Map<string, SheetColumn>()
  for (const { name, scope } of asked) {
    const column = name.startsWith('.') ? fieldColumn(name.slice(1), source) : attributeColumn(name, scope, source)
    if (column !== undefined) byKey.set(column.key, column)
  }
  return [...byKey.values()]
}

export function fieldColumn(name: string, { hasImage }: Pick<ColumnSource, 'hasImage'>): SheetColumn | undefined {
  const field = COLUMN_FIELDS.find((one) => one === name && (hasImage || one !== 'image'))
  return field && { kind: 'field', key: `.${field}`, field }
}

export function attributeColumn(
  alias: string,
  scope: Scope,
  source: ColumnSource,
): Extract<SheetColumn, { readonly kind: 'attribute' }> | undefined {
  const attribute = source.attributes.find((one) => one.alias === alias)
  const access = source.access(alias)
  if (attribute === undefined || access === 'none') return undefined
  const own = restrictScope(scope, attribute.dimensionIds)
  return { kind: 'attribute', key: writeColumns([{ name: alias, scope: own }]), attribute, scope: own, access }
}

/** The default columns: the label, the picture, then the first attributes, state and completeness. */
export function firstColumns(source: ColumnSource): Column[] {
  const { attributes, labelAttribute, hasImage, access } = source
  const visible = attributes.map(({ alias }) => alias).filter((alias) => access(alias) !== 'none')
  const label = visible.filter((alias) => alias === labelAttribute)
  const [first, ...others] = [...label, ...visible.filter((alias) => alias !== labelAttribute)].slice(0, SHOWN_AT_FIRST)
  const names = [first, hasImage ? '.image' : undefined, ...others, '.lifecycleStateId', '.completeness']
  return names.filter((name) => name !== undefined).map((name) => ({ name, scope: {} }))
}

export function toColumn(column: SheetColumn): Column {
  return column.kind === 'field'
    ? { name: column.key, scope: {} }
    : { name: column.attribute.alias, scope: column.scope }
}

/** Returns the aliases that the columns need from each record. @param others further aliases to read */
export function selectOf(columns: readonly SheetColumn[], others: readonly (string | undefined)[]): string[] {
  const aliases = columns.flatMap((column) => (column.kind === 'attribute' ? [column.attribute.alias] : []))
  return [...new Set([...aliases, ...others.filter((alias) => alias !== undefined)])]
}

/** Returns the sort key of the column; undefined: the column cannot sort. @param bar the scope of the bar */
export function sortKeyOf(column: SheetColumn, bar: Scope): SortKey | undefined {
  if (column.kind === 'field') {
    const { field } = column
    const isSorted = field !== 'image' && field !== 'variantCount' && field !== 'updatedBy' && field !== 'createdBy'
    return isSorted ? { field, direction: 'asc' } : undefined
  }
  const { alias, dataType, dimensionIds } = column.attribute
  if (UNSORTED.has(dataType)) return undefined
  const scope = restrictScope({ ...bar, ...column.scope }, dimensionIds)
  return { attributeAlias: alias, direction: 'asc', ...withinScope(scope) }
}

const UNSORTED: ReadonlySet<string> = new Set(['multiSelect', 'json', 'reference', 'references', 'file', 'richText'])

type ViewColumns = NonNullable<NonNullable<SavedQuery['view']>['columns']>

/** The columns in the form of a saved query. */
export function toViewColumns(columns: readonly SheetColumn[]): ViewColumns {
  return columns.map((column) => {
    if (column.kind === 'field') return { field: column.field }
    return { attributeAlias: column.attribute.alias, ...withinScope(column.scope) }
  })
}

export function fromViewColumns(columns: ViewColumns): Column[] {
  return columns.map((column) =>
    'field' in column
      ? { name: `.${column.field}`, scope: {} }
      : { name: column.attributeAlias, scope: column.scope ?? {} },
  )
}
