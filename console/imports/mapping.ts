// The meaning of a file's columns as a draft. The draft starts from suggestions, a profile, or an earlier mapping.
// Pure. Contract 3 §4.
import { isSameValue } from '../../src/kernel/text.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { restrictScope, type Scope, scopeKey, withinScope } from '../../src/core/scopes/scope.ts'
import { stepsOf, TRUTH } from '../../src/imports/rules/proposal/kinds.ts'
import { own } from '../../src/kernel/own.ts'
import type { Endpoints } from '../api/types.ts'

export type Import = Endpoints['GET /api/v1/imports/:id']['reply']
export type Profile = Endpoints['GET /api/v1/import-profiles/:id']['reply']
export type FileColumn = Import['columns'][number]
type ImportColumn = Profile['columns'][number]
export type Target = ImportColumn['to']
export type Step = NonNullable<ImportColumn['with']>[number]
type MappingBody = NonNullable<Endpoints['PUT /api/v1/imports/:id/mapping']['body']>

export interface ColumnDraft {
  /** Null: the column is ignored. */
  readonly to: Target | null
  readonly steps: readonly Step[]
  /** Whether the import makes missing options or categories that the cells name. */
  readonly making?: Making | undefined
}

export type Making = Pick<ImportColumn, 'createOptions' | 'createCategories' | 'catalogId'>

export interface MappingDraft {
  readonly schemaId: string
  readonly mode: Profile['mode']
  readonly matchBy: string | null
  readonly emptyCells: Profile['emptyCells']
  /** The ID of the chosen profile. */
  readonly profileId: string | null
  /** In the order of the file. */
  readonly columns: readonly ColumnDraft[]
  /** Columns of a profile that the file lacks and a default fills. */
  readonly others: readonly ImportColumn[]
}

export const LEFT_OUT: ColumnDraft = { to: null, steps: [] }

/** The initial draft of the form. @param attributes of a schema */
export function draftOf(found: Import, attributes: (schemaId: string) => readonly Attribute[]): MappingDraft {
  const { mapping } = found
  if (mapping !== null && isOfColumns(mapping)) return draftOfProfile(mapping, found.columns, found.profileId)
  const schemaId = found.schemaId ?? ''
  const known = attributes(schemaId)
  const columns = found.columns.map(({ suggestion, samples }): ColumnDraft => {
    if (suggestion === null || isIgnored(suggestion)) return LEFT_OUT
    if ('field' in suggestion) return { to: suggestion, steps: stepsForField(suggestion.field, samples) }
    return { to: suggestion, steps: stepsFor(attributeOf(suggestion, known), samples) }
  })
  const hasId = columns.some(({ to }) => to !== null && 'field' in to && to.field === 'id')
  const matchBy = hasId ? null : uniqueIn(columns, known)
  const mode = hasId || matchBy !== null ? 'upsert' : 'create'
  return { schemaId, mode, matchBy, emptyCells: 'keep', profileId: null, columns, others: [] }
}

type Mapping = NonNullable<Import['mapping']>

/** A mapping of a zip has no columns. */
export type ColumnMapping = Extract<Mapping, { readonly columns: unknown }>

/**
 * Returns whether the mapping has columns. A command may have uploaded the file with a mapping that reads an export
 * instead.
 */
function isOfColumns(mapping: Mapping): mapping is ColumnMapping & Pick<Profile, 'schemaId' | 'columns'> {
  return 'columns' in mapping && mapping.columns !== null && mapping.schemaId !== null
}

/** Applies a profile or an earlier mapping to the columns of a file. */
export function draftOfProfile(
  profile: Omit<Profile, 'id' | 'name'>,
  columns: readonly FileColumn[],
  profileId: string | null,
): MappingDraft {
  const { schemaId, mode, matchBy, emptyCells } = profile
  const byHeader = new Map(profile.columns.map((column) => [column.header.trim(), column]))
  const found = columns.map(({ header }) => byHeader.get(header.trim()))
  return {
    schemaId,
    mode,
    matchBy,
    emptyCells,
    profileId,
    columns: found.map((column) => (column === undefined || isIgnored(column.to) ? LEFT_OUT : draftOfColumn(column))),
    others: profile.columns.filter((column) => !found.includes(column)),
  }
}

function draftOfColumn({
  to,
  with: steps = [],
  createOptions,
  createCategories,
  catalogId,
}: ImportColumn): ColumnDraft {
  const making = {
    ...(createOptions === undefined ? {} : { createOptions }),
    ...(createCategories === undefined ? {} : { createCategories }),
    ...(catalogId === undefined ? {} : { catalogId }),
  }
  return { to, steps, making }
}

/** Columns that the profile needs and the file lacks, without a default. */
export function lackedBy({ others }: Pick<MappingDraft, 'others'>): string[] {
  return others.filter(({ with: steps = [] }) => !steps.some(isDefault)).map(({ header }) => header)
}

/** Returns whether cells name files: a rehearsal fetches none of them, and may find no change. */
export function namesFiles({ columns }: Pick<MappingDraft, 'columns'>): boolean {
  return columns.some(({ steps }) => steps.includes('fetch') || steps.includes('fileName'))
}

/** The profile as stored and sent, without ignored columns. */
export function profileOf(draft: MappingDraft, columns: readonly FileColumn[]): Omit<Profile, 'id' | 'name'> {
  const { schemaId, mode, matchBy, emptyCells } = draft
  const mapped = draft.columns.flatMap(({ to, steps, making }, index): ImportColumn[] => {
    const header = columns[index]?.header
    if (to === null || header === undefined) return []
    return [{ header, to, ...(steps.length === 0 ? {} : { with: steps }), ...making }]
  })
  const made = draft.others.filter(({ with: steps = [] }) => steps.some(isDefault))
  return { schemaId, mode, matchBy, emptyCells, columns: [...mapped, ...made] }
}

/** Refers to the profile by ID, if the draft equals the profile. */
export function mappingBody(
  draft: MappingDraft,
  columns: readonly FileColumn[],
  profiles: readonly Profile[],
): MappingBody {
  const body = profileOf(draft, columns)
  const profile = profiles.find(({ id }) => id === draft.profileId)
  if (profile === undefined) return body
  const { id, name: _name, ...kept } = profile
  const named = { ...kept, columns: kept.columns.filter(({ to }) => !isIgnored(to)) }
  return isSameValue(sorted(named), sorted(body)) ? { profileId: id } : body
}

/** Indices of columns that share a target. */
export function doubled(draft: MappingDraft): ReadonlySet<number> {
  const places = Map.groupBy(draft.columns.keys(), (index) => keyOf(draft.columns[index]!.to))
  places.delete('')
  return new Set([...places.values()].flatMap((same) => (same.length > 1 ? same : [])))
}

/** Attributes of the file that can identify records. */
export function matchable(draft: MappingDraft, attributes: readonly Attribute[]): Attribute[] {
  const named = new Set(draft.columns.map(({ to }) => (to !== null && 'attributeAlias' in to ? to.attributeAlias : '')))
  return attributes.filter(({ alias, unique }) => unique && named.has(alias))
}

/** Changes the schema; targets that the new schema lacks are dropped. */
export function withSchema(draft: MappingDraft, schemaId: string, attributes: readonly Attribute[]): MappingDraft {
  const columns = draft.columns.map((column) => (fits(column.to, attributes) ? column : LEFT_OUT))
  const matchBy = attributes.some(({ alias }) => alias === draft.matchBy) ? draft.matchBy : null
  return { ...draft, schemaId, columns, matchBy }
}

/** Replaces a column. The unit or currency column of the same amount follows into the new scope. */
export function withColumn(columns: readonly ColumnDraft[], index: number, column: ColumnDraft): ColumnDraft[] {
  const [before, after] = [columns[index]?.to ?? null, column.to]
  return columns.map((one, at) => {
    if (at === index) return column
    const isBeside = isSameTarget(one.to, before) && after !== null && 'attributeAlias' in after
    if (!isBeside || one.to === null || 'field' in one.to || after.attributeAlias !== one.to.attributeAlias) return one
    const { scope: _before, ...to } = one.to
    return { ...one, to: after.scope === undefined ? to : { ...to, scope: after.scope } }
  })
}

function isSameTarget(one: Target | null, other: Target | null): boolean {
  if (one === null || other === null || 'field' in one || 'field' in other) return false
  return one.attributeAlias === other.attributeAlias && scopeKey(one.scope ?? {}) === scopeKey(other.scope ?? {})
}

/** Returns a target without members that do not apply to its attribute. */
export function targetFor(attribute: Attribute, part: 'unit' | 'currency' | undefined, scope: Scope): Target {
  return {
    attributeAlias: attribute.alias,
    ...withinScope(restrictScope(scope, attribute.dimensionIds)),
    ...(part === undefined ? {} : { part }),
  }
}

const NO_FACTS = { arrows: 0, datePattern: null, separator: null, unit: null }

/** Returns the steps for cells that are formatted for people, like those of a proposed schema. */
export function stepsFor(attribute: Attribute | undefined, samples: readonly string[]): Step[] {
  const written = samples.map((sample) => sample.trim()).filter((sample) => sample !== '')
  if (attribute === undefined || written.length === 0) return []
  const { dataType } = attribute
  if (dataType === 'date' && written.every((text) => /^\d{1,2}\.\d{1,2}\.\d{4}$/.test(text)))
    return stepsOf(dataType, { ...NO_FACTS, datePattern: 'd.M.yyyy' })
  if (dataType === 'boolean' && written.some((text) => own(TRUTH, text) !== text)) return stepsOf(dataType, NO_FACTS)
  // This step also finds IDs: the first cells may have names that are IDs, and later cells only names.
  if (dataType === 'select') return ['optionName']
  if (dataType !== 'multiSelect') return []
  const separator = [',', ';'].find((sign) => written.some((text) => text.includes(sign)))
  return [...(separator === undefined ? [] : stepsOf(dataType, { ...NO_FACTS, separator })), 'optionName']
}

/**
 * Returns the steps for a field. Paths of categories such as `Tea > Green` are read like in the import that made their
 * categories.
 */
export function stepsForField(field: string, samples: readonly string[]): Step[] {
  if (field !== 'categories') return []
  const arrows = samples.filter((sample) => sample.includes('>')).length
  return stepsOf('categories', { ...NO_FACTS, arrows })
}

function isDefault(step: Step): step is { readonly default: string } {
  return typeof step === 'object' && 'default' in step
}

function attributeOf(target: Target, attributes: readonly Attribute[]): Attribute | undefined {
  return 'attributeAlias' in target && target.part === undefined
    ? attributes.find(({ alias }) => alias === target.attributeAlias)
    : undefined
}

/** Returns the unique attribute that identifies records, if the file has exactly one. */
function uniqueIn(columns: readonly ColumnDraft[], attributes: readonly Attribute[]): string | null {
  const draft = { columns } as MappingDraft
  const found = matchable(draft, attributes)
  return found.length === 1 ? found[0]!.alias : null
}

function isIgnored(to: Target): boolean {
  return 'field' in to && to.field === 'ignore'
}

function fits(to: Target | null, attributes: readonly Attribute[]): boolean {
  return to === null || 'field' in to || attributes.some(({ alias }) => alias === to.attributeAlias)
}

function keyOf(to: Target | null): string {
  if (to === null || isIgnored(to)) return ''
  if ('field' in to) return `.${to.field}`
  return `${to.attributeAlias} ${scopeKey(to.scope ?? {})} ${to.part ?? 'amount'}`
}

function sorted(profile: Omit<Profile, 'id' | 'name'>): unknown {
  return { ...profile, columns: profile.columns.toSorted((one, other) => (one.header < other.header ? -1 : 1)) }
}
