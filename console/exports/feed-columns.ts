// The columns of a feed in its editor: the source of each column, and moves. Pure. Contract 3 §5, 3 §11.
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { printTemplate, type Source } from '../../src/exports/rules/template/template.ts'
import type { ExportJob } from './job-draft.ts'

export type FeedColumn = NonNullable<ExportJob['columns']>[number]

export const FEED_FIELDS = ['id', 'schemaId', 'parentId', 'lifecycleStateId', 'createdAt', 'updatedAt'] as const

/**
 * Returns the source of a column as one ID: `.id`, `#` a constant, `{}` a template, `/catalog`, `alias`,
 * `alias#currency`. An attribute of referred records is `alias>via` or `alias>via#url`.
 */
export function sourceOf(column: FeedColumn): string {
  const { attributeAlias, via, part, field, constant, categoryPath, template } = column
  if (field !== undefined) return `.${field}`
  if (constant !== undefined) return '#'
  if (template !== undefined) return '{}'
  if (categoryPath !== undefined) return `/${categoryPath}`
  const read = via === undefined ? (attributeAlias ?? '') : `${attributeAlias}>${via}`
  return part === undefined || part === 'amount' ? read : `${read}#${part}`
}

/** Sets another source. The header changes with it, if it was the name of the old source. */
export function withSource(
  column: FeedColumn,
  source: string,
  names: readonly [before: string, now: string],
): FeedColumn {
  const header = column.header === '' || column.header === names[0] ? names[1] : column.header
  const { map, scope, element } = column
  const named = { header, ...(element === undefined ? {} : { element }) }
  // A map that is hidden from the person belongs to the old source.
  const kept = { ...named, ...(typeof map === 'object' ? { map } : {}) }
  if (source === '#') return { ...named, constant: column.constant ?? '' }
  if (source === '{}') return { ...kept, template: templateOf(column) }
  if (source.startsWith('.')) return { ...kept, field: source.slice(1) as (typeof FEED_FIELDS)[number] }
  if (source.startsWith('/')) return { ...kept, categoryPath: source.slice(1) }
  const [read = '', part] = source.split('#')
  const [attributeAlias = '', via] = read.split('>')
  return {
    ...kept,
    attributeAlias,
    ...(scope === undefined ? {} : { scope }),
    ...(via === undefined ? {} : { via, ...placeOf(column) }),
    ...(part === undefined
      ? {}
      : {
          part: part as 'currency',
          ...(part === 'url' && column.preset !== undefined ? { preset: column.preset } : {}),
        }),
  }
}

function placeOf({ index }: FeedColumn): Pick<FeedColumn, 'index'> {
  return index === undefined ? {} : { index }
}

/** A template with the content of the column. */
function templateOf({ attributeAlias, part, scope, field, constant, categoryPath }: FeedColumn): string {
  if (constant !== undefined) return printTemplate([constant])
  const source: Source | undefined =
    attributeAlias !== undefined
      ? { kind: 'attribute', alias: attributeAlias, isOfParent: false, scope, part }
      : field !== undefined
        ? { kind: 'field', field }
        : categoryPath !== undefined
          ? { kind: 'categoryPath', catalogId: categoryPath }
          : undefined
  return source === undefined ? '' : printTemplate([{ source, steps: [], place: { from: 0, to: 0 } }])
}

export interface NamedSource {
  readonly id: string
  readonly name: string
}

/** Returns the default columns of the file: the ID, then all attributes. */
export function allColumns(attributes: readonly Attribute[], nameOf: (attribute: Attribute) => string): FeedColumn[] {
  const columns = attributes.flatMap((attribute): FeedColumn[] => {
    const { alias } = attribute
    const unit = dataTypeOf(attribute).unitField
    const header = nameOf(attribute)
    return [
      { header, attributeAlias: alias },
      ...(unit === undefined ? [] : [{ header: `${header} ${unit}`, attributeAlias: alias, part: unit }]),
    ]
  })
  return distinct([{ header: 'id', field: 'id' }, ...columns])
}

/** Keeps each header once. */
function distinct(columns: readonly FeedColumn[]): FeedColumn[] {
  const seen = new Set<string>()
  return columns.map((column) => {
    let header = column.header
    for (let count = 2; seen.has(header); count += 1) header = `${column.header} ${count}`
    seen.add(header)
    return { ...column, header }
  })
}

export function doubledHeaders(columns: readonly FeedColumn[]): ReadonlySet<string> {
  const headers = columns.map(({ header }) => header)
  return new Set(headers.filter((header, index) => headers.indexOf(header) !== index))
}

/** Moves the item at `from` to the place of the item at `to`. */
export function movedTo<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  if (to < 0 || to >= items.length || from === to) return items
  return items.toSpliced(from, 1).toSpliced(to, 0, items[from]!)
}
