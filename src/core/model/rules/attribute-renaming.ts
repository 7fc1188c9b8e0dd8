// Renames an attribute everywhere except in the values of records. Contract 3 §2.
import type { Role } from '../../accounts/rules/permissions.ts'
import { conflict, invalid, shorten } from '../../../kernel/errors.ts'
import type { ExportColumn } from '../../../exports/rules/export-columns.ts'
import type { ExportJob } from '../../../exports/rules/export-job.ts'
import { FILE_PIECES, type JobFiles } from '../../../exports/rules/job-files.ts'
import { isBySavedQuery } from '../../../exports/rules/job-selection.ts'
import { linkedSchemas } from '../../../exports/rules/linked-columns.ts'
import { renameInTemplate } from '../../../exports/rules/template/template-uses.ts'
import { type Criterion, isGroup, isOnField } from '../../search/rules/criterion.ts'
import type { SavedQuery } from '../../search/rules/saved-query.ts'
import { searchedSchemas } from '../../search/rules/searched-schemas.ts'
import type { Selection } from '../../search/rules/selection.ts'
import type { ModelEntry } from '../../feed/rules/model-entry.ts'
import type { Attribute } from './attributes.ts'
import type { Model, Schema, SchemaDefinition } from './model.ts'
import type { Values } from '../../records/rules/record.ts'
import { isSameValue } from '../../../kernel/text.ts'
import { own } from '../../../kernel/own.ts'

/** Changes of attributes begin with it in entries about schemas. */
const ATTRIBUTE = 'attributes.'

export interface AttributeRenaming {
  readonly schemaId: string
  readonly from: string
  readonly to: string
}

/**
 * @throws VALIDATION_ERROR naming an alias that is unknown or unchanged @throws CONFLICT for an alias of another
 * attribute
 */
export function assertCanRename({ id, attributes }: SchemaDefinition, { from, to }: AttributeRenaming): void {
  const aliases = attributes.map(({ alias }) => alias)
  if (!aliases.includes(from))
    throw invalid(`from names '${shorten(from, 64)}', which the schema '${id}' does not define`)
  if (from === to) throw invalid(`to is the alias that the attribute has already`)
  if (aliases.includes(to)) throw conflict(`The schema '${id}' has an attribute '${to}' already`)
}

/** Returns the renaming that an entry about the schema tells, as a list of at most one. */
export function renamingIn(
  { entityType, entityId, origin, changes }: ModelEntry,
  schemaId: string,
): AttributeRenaming[] {
  if (entityType !== 'schema' || entityId !== schemaId || origin.kind !== 'schema') return []
  const attributes = changes.filter(({ field }) => field.startsWith(ATTRIBUTE))
  const removed = attributes.filter(({ newValue }) => newValue === null)
  const added = attributes.filter(({ oldValue }) => oldValue === null)
  if (removed.length !== 1 || added.length !== 1) return []
  const [from, to] = [removed[0]!.oldValue as Attribute, added[0]!.newValue as Attribute]
  // A change that drops values may remove one attribute and add another one.
  const isSame = isSameValue({ ...from, alias: to.alias, guard: null }, { ...to, guard: null })
  return isSame ? [{ schemaId, from: from.alias, to: to.alias }] : []
}

/** Renames the attribute in its place, and in guards that name it. */
export function renameInSchema(schema: SchemaDefinition, { from, to }: AttributeRenaming): SchemaDefinition {
  const attributes = schema.attributes.map((attribute) => {
    const { guard } = attribute
    const asked = guard && { ...guard, criteria: renameInCriteria(guard.criteria, from, to) }
    return { ...attribute, alias: attribute.alias === from ? to : attribute.alias, guard: asked }
  })
  const rename = (alias: string): string => (alias === from ? to : alias)
  const { labelAttribute, imageAttribute, groups, variantAttributes } = schema
  return {
    ...schema,
    attributes,
    ...(labelAttribute && { labelAttribute: rename(labelAttribute) }),
    ...(imageAttribute && { imageAttribute: rename(imageAttribute) }),
    ...(groups && {
      groups: groups.map((group) => ({ ...group, attributeAliases: group.attributeAliases.map(rename) })),
    }),
    ...(variantAttributes && { variantAttributes: variantAttributes.map(rename) }),
  }
}

/** Renames the attribute in a record's values, whose order stays. */
export function renameInValues(values: Values, { from, to }: AttributeRenaming): Values {
  return Object.fromEntries(Object.entries(values).map(([alias, scoped]) => [alias === from ? to : alias, scoped]))
}

/**
 * Renames the attribute in a query. @param isOther true: another schema also has the old alias, so queries for all
 * schemas stay
 */
export function renameInQuery(query: SavedQuery, renaming: AttributeRenaming, isOther: boolean): SavedQuery {
  const { schemaId, from, to } = renaming
  if (query.schemaId === null ? isOther : query.schemaId !== schemaId) return query
  const { sort, select, view } = query
  const columns = view?.columns && renameInItems(view.columns, from, to)
  const [group] = view?.group === undefined ? [] : renameInItems([view.group], from, to)
  return {
    ...query,
    criteria: renameInCriteria(query.criteria, from, to),
    ...(sort && { sort: renameInItems(sort, from, to) }),
    ...(select && { select: select.map((alias) => (alias === from ? to : alias)) }),
    ...(view && { view: { ...view, ...(columns && { columns }), ...(group && { group }) } }),
  }
}

/**
 * Renames the attribute in the selection of a subscription. Returns the same selection if it does not name the
 * attribute.
 */
export function renameInSelection(selection: Selection, renaming: AttributeRenaming, isOther: boolean): Selection {
  const { schemaId, from, to } = renaming
  if ((selection.schemaId ?? null) === null ? isOther : selection.schemaId !== schemaId) return selection
  return { ...selection, criteria: renameInCriteria(selection.criteria, from, to) }
}

/**
 * Renames the attribute in a job. Returns the same job if it does not name the attribute. @param at `isOther` as for
 * `renameInQuery`, and the model with the old alias
 */
export function renameInJob(
  job: ExportJob,
  renaming: AttributeRenaming,
  at: { readonly isOther: boolean; readonly model: Model },
): ExportJob {
  const { isOther, model } = at
  const { schemaId, from, to } = renaming
  const isOf = (asked: string | null): boolean => (asked === null ? !isOther : asked === schemaId)
  const { selection, sort } = job
  const columns =
    job.columns && renameInVias(job.columns, renaming, searchedSchemas(model, job.schemaId ?? undefined), model)
  const named = columns && renameInTemplates(renameInItems(columns, from, to), from, to)
  const ofFile = { columns: named, sort: renameInItems(sort, from, to), files: renameInFiles(job.files, from, to) }
  const isAsked = selection !== null && !isBySavedQuery(selection) && isOf(selection.schemaId ?? job.schemaId)
  const asked = isAsked ? { selection: { ...selection, criteria: renameInCriteria(selection.criteria, from, to) } } : {}
  const renamed: ExportJob = { ...job, columns, ...(isOf(job.schemaId) && ofFile), ...asked }
  return JSON.stringify(renamed) === JSON.stringify(job) ? job : renamed
}

/** Renames the attribute in names of files. Name parts about the file itself stay. */
function renameInFiles(files: JobFiles | null, from: string, to: string): JobFiles | null {
  if (files === null) return null
  const attributes = files.attributes.map((alias) => (alias === from ? to : alias))
  const isOfFile = (FILE_PIECES as readonly string[]).includes(from)
  return { ...files, attributes, name: isOfFile ? files.name : renameInTemplate(files.name, from, to) }
}

function renameInTemplates(columns: readonly ExportColumn[], from: string, to: string): ExportColumn[] {
  return columns.map((column) => {
    const { template } = column
    return template === undefined ? column : { ...column, template: renameInTemplate(template, from, to) }
  })
}

/** Renames the attribute in columns that read records of the schema. */
function renameInVias(
  columns: readonly ExportColumn[],
  { schemaId, from, to }: AttributeRenaming,
  schemas: readonly Schema[],
  model: Model,
): ExportColumn[] {
  return columns.map((column) =>
    column.via === from && linkedSchemas(column, schemas, model).some(({ id }) => id === schemaId)
      ? { ...column, via: to }
      : column,
  )
}

/** Renames the attribute in columns, or in members of an order. */
function renameInItems<Item extends object>(items: readonly Item[], from: string, to: string): Item[] {
  return items.map((item) =>
    'attributeAlias' in item && item.attributeAlias === from ? { ...item, attributeAlias: to } : item,
  )
}

function renameInCriteria<Item extends Criterion>(criteria: readonly Item[], from: string, to: string): Item[] {
  return criteria.map((criterion) => renameInCriterion(criterion, from, to) as Item)
}

function renameInCriterion(criterion: Criterion, from: string, to: string): Criterion {
  if (isGroup(criterion)) return { ...criterion, criteria: renameInCriteria(criterion.criteria, from, to) }
  if (!isOnField(criterion)) return criterion.attributeAlias === from ? { ...criterion, attributeAlias: to } : criterion
  if (criterion.field !== 'missing' || criterion.value === undefined) return criterion
  const rename = (alias: string): string => (alias === from ? to : alias)
  const { value } = criterion
  return { ...criterion, value: typeof value === 'string' ? rename(value) : value.map(rename) }
}

/**
 * Gives the role the same access to the new alias as to the old one. The role may still name a removed attribute with
 * the new alias. This entry gives no access; if it hid the removed attribute, the history stays hidden. Returns the
 * same role if nothing changes.
 */
export function extendRole(role: Role, { schemaId, from, to }: AttributeRenaming): Role {
  const ofSchema = ofSchemaIn(role, schemaId) ?? {}
  const [access, left] = [own(ofSchema, from), own(ofSchema, to)]
  const given = left === 'none' ? left : (access ?? role.defaultAttributePermission)
  if (access === undefined && (left === undefined || left === given)) return role
  const others = Object.entries(ofSchema).filter(([alias]) => alias !== to)
  return withSchema(role, schemaId, [...others, [to, given]])
}

/**
 * Returns the role with the new alias, without the old alias. A role that hides the old alias, but shows other
 * attributes by default, also keeps the old alias. The history of records contains old values under that alias.
 */
export function renameInRole(role: Role, renaming: AttributeRenaming): Role {
  const { schemaId, from } = renaming
  const extended = extendRole(role, renaming)
  if (extended === role) return role
  const ofSchema = ofSchemaIn(extended, schemaId)!
  if (own(ofSchema, from) === 'none' && role.defaultAttributePermission !== 'none') return extended
  return withSchema(
    extended,
    schemaId,
    Object.entries(ofSchema).filter(([alias]) => alias !== from),
  )
}

type OfSchema = Role['attributePermissions'][string]

function ofSchemaIn({ attributePermissions }: Role, schemaId: string): OfSchema | undefined {
  return own(attributePermissions, schemaId)
}

function withSchema(role: Role, schemaId: string, entries: readonly (readonly [string, OfSchema[string]])[]): Role {
  const others = Object.entries(role.attributePermissions).filter(([id]) => id !== schemaId)
  const attributePermissions = Object.fromEntries([...others, [schemaId, Object.fromEntries(entries)]])
  return { ...role, attributePermissions }
}
