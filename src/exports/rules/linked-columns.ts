// Columns that read values of the records that a row refers to, such as the pictures of a product. Contract 4 §4.
import { canRead, type Role } from '../../core/accounts/rules/permissions.ts'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import { effectiveValueIn } from '../../core/records/rules/record.ts'
import { denied, invalid, shorten } from '../../kernel/errors.ts'
import { findNearest } from '../../kernel/input/nearest.ts'
import { attributeFinder, type Holder, type RowView } from './column-sources.ts'
import type { Scope } from '../../core/scopes/scope.ts'

/** Members of a column of an attribute. */
interface LinkedColumn {
  readonly attributeAlias?: string | undefined
  readonly scope?: Scope | undefined
  readonly via?: string | undefined
  readonly index?: number | undefined
}

/** The way from a row to the IDs that a column with `via` or `index` reads, in order. */
export function linksReader(
  { attributeAlias, scope, index }: LinkedColumn,
  { role, dimensionScope }: Pick<RowView, 'role' | 'dimensionScope'>,
): (row: Holder) => readonly string[] {
  const alias = attributeAlias!
  const within = scope ?? dimensionScope ?? {}
  const attributeOf = attributeFinder(alias, role)
  return ({ schema, layers }) => {
    const attribute = attributeOf(schema)
    const named = attribute && dataTypeOf(attribute).records?.named
    const found = named && effectiveValueIn(layers, alias, within, attribute.dimensionIds)
    const ids = found === undefined ? [] : named!(found.value)
    return index === undefined ? ids : ids.slice(index - 1, index)
  }
}

/** The schemas of the records that a column with `via` reads. */
export function linkedSchemas(
  { attributeAlias, via }: LinkedColumn,
  schemas: readonly Schema[],
  model: Model,
): readonly Schema[] {
  if (via === undefined) return []
  const attributes = schemas.flatMap((schema) => schema.attribute(attributeAlias!) ?? [])
  const ids = new Set(attributes.map(({ validation }) => validation.schemaId))
  // Without the rule a reference may name a record of any schema.
  return [...model.schemas.values()].filter(({ id }) => ids.has(id) || ids.has(undefined))
}

/**
 * The attributes whose values a column with `via` reads.
 * @param attributes the attributes that have the column's alias
 * @throws VALIDATION_ERROR naming the member
 * @throws PERMISSION_DENIED for an attribute that is hidden in a referred schema
 */
export function assertLinks(
  { via, index }: LinkedColumn,
  at: string,
  { attributes, linked, role }: { attributes: readonly Attribute[]; linked: readonly Schema[]; role: Role },
): readonly Attribute[] {
  const [first] = attributes
  const areLinks = attributes.some((attribute) => dataTypeOf(attribute).records !== undefined)
  const member = via === undefined ? 'index' : 'via'
  if (!areLinks) throw invalid(`${at}.${member}: the attribute '${first!.alias}' names no records`)
  if (index !== undefined && index > 1 && attributes.every(({ dataType }) => dataType === 'reference'))
    throw invalid(`${at}.index must be 1: the attribute '${first!.alias}' names one record`)
  if (via === undefined) return attributes
  const found = linked.flatMap((schema) => schema.attribute(via) ?? [])
  if (found.length === 0) {
    const readable = linked.flatMap(({ id, attributes: all }) =>
      all.map(({ alias }) => alias).filter((alias) => canRead(role, id, alias)),
    )
    const nearest = findNearest(via, readable)
    const meant = nearest === undefined ? '' : `: did you mean '${nearest}'?`
    throw invalid(`${at}.via names the unknown attribute '${shorten(via, 64)}' of the records${meant}`)
  }
  if (linked.some((schema) => schema.attribute(via) !== undefined && !canRead(role, schema.id, via)))
    throw denied(`Your role may not read the attribute '${via}'`)
  return found
}
