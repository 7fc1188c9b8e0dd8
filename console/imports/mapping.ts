// What the columns of a file mean, as somebody is saying it: begun with the server's suggestions, a profile, or what was said before.
// Pure. Contract 3 §4.
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { type Scope, scopeKey } from '../../src/core/scopes/scope.ts'
import { canonicalJson } from '../../src/kernel/text.ts'
import type { Endpoints } from '../api/types.ts'

export type Import = Endpoints['GET /api/v1/imports/:id']['reply']
export type Profile = Endpoints['GET /api/v1/import-profiles/:id']['reply']
export type FileColumn = Import['columns'][number]
type ImportColumn = Profile['columns'][number]
export type Target = ImportColumn['to']
export type Step = NonNullable<ImportColumn['with']>[number]
type MappingBody = NonNullable<Endpoints['PUT /api/v1/imports/:id/mapping']['body']>

export interface ColumnDraft {
  /** Null: the column is left out. */
  readonly to: Target | null
  readonly steps: readonly Step[]
}

export interface MappingDraft {
  readonly schemaId: string
  readonly mode: Profile['mode']
  readonly matchBy: string | null
  readonly emptyCells: Profile['emptyCells']
  /** Of the profile that was chosen. */
  readonly profileId: string | null
  /** In the order of the file. */
  readonly columns: readonly ColumnDraft[]
  /** Of a profile: what the file has no column for, and a default makes. */
  readonly others: readonly ImportColumn[]
}

export const LEFT_OUT: ColumnDraft = { to: null, steps: [] }

/** What the form begins with. @param attributes of a schema */
export function draftOf(found: Import, attributes: (schemaId: string) => readonly Attribute[]): MappingDraft {
  const { mapping } = found
  if (mapping !== null && isOfColumns(mapping)) return draftOfProfile(mapping, found.columns, found.profileId)
  const schemaId = found.schemaId ?? ''
  const known = attributes(schemaId)
  const columns = found.columns.map(({ suggestion, samples }): ColumnDraft => {
    if (suggestion === null || isIgnored(suggestion)) return LEFT_OUT
    return { to: suggestion, steps: stepsFor(attributeOf(suggestion, known), samples) }
  })
  const hasId = columns.some(({ to }) => to !== null && 'field' in to && to.field === 'id')
  const matchBy = hasId ? null : uniqueIn(columns, known)
  const mode = hasId || matchBy !== null ? 'upsert' : 'create'
  return { schemaId, mode, matchBy, emptyCells: 'keep', profileId: null, columns, others: [] }
}

type Mapping = NonNullable<Import['mapping']>

/** A command may have brought the file, to be read as an export is. */
function isOfColumns(mapping: Mapping): mapping is Mapping & Pick<Profile, 'schemaId' | 'columns'> {
  return mapping.columns !== null && mapping.schemaId !== null
}

/** A profile, or a mapping of before, for the columns of a file. */
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
    columns: found.map((column) =>
      column === undefined || isIgnored(column.to) ? LEFT_OUT : { to: column.to, steps: column.with ?? [] },
    ),
    others: profile.columns.filter((column) => !found.includes(column)),
  }
}

/** What a profile asks for and the file lacks: nothing can be put there. */
export function lackedBy({ others }: Pick<MappingDraft, 'others'>): string[] {
  return others.filter(({ with: steps = [] }) => !steps.some(isDefault)).map(({ header }) => header)
}

/** As it is kept and sent: columns that are left out are not in it. */
export function profileOf(draft: MappingDraft, columns: readonly FileColumn[]): Omit<Profile, 'id' | 'name'> {
  const { schemaId, mode, matchBy, emptyCells } = draft
  const mapped = draft.columns.flatMap(({ to, steps }, index): ImportColumn[] => {
    const header = columns[index]?.header
    if (to === null || header === undefined) return []
    return [{ header, to, ...(steps.length === 0 ? {} : { with: steps }) }]
  })
  const made = draft.others.filter(({ with: steps = [] }) => steps.some(isDefault))
  return { schemaId, mode, matchBy, emptyCells, columns: [...mapped, ...made] }
}

/** By its name where it is just what a profile says. */
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
  return canonicalJson(sorted(named)) === canonicalJson(sorted(body)) ? { profileId: id } : body
}

/** Columns that are for the same: by their places. */
export function doubled(draft: MappingDraft): ReadonlySet<number> {
  const places = Map.groupBy(draft.columns.keys(), (index) => keyOf(draft.columns[index]!.to))
  places.delete('')
  return new Set([...places.values()].flatMap((same) => (same.length > 1 ? same : [])))
}

/** Attributes with which records can be found that the file names. */
export function matchable(draft: MappingDraft, attributes: readonly Attribute[]): Attribute[] {
  const named = new Set(draft.columns.map(({ to }) => (to !== null && 'attributeAlias' in to ? to.attributeAlias : '')))
  return attributes.filter(({ alias, unique }) => unique && named.has(alias))
}

/** With another schema: what it does not know is left out. */
export function withSchema(draft: MappingDraft, schemaId: string, attributes: readonly Attribute[]): MappingDraft {
  const columns = draft.columns.map((column) => (fits(column.to, attributes) ? column : LEFT_OUT))
  const matchBy = attributes.some(({ alias }) => alias === draft.matchBy) ? draft.matchBy : null
  return { ...draft, schemaId, columns, matchBy }
}

/** With another column in a place; the unit or currency beside an amount follows it into another scope. */
export function withColumn(columns: readonly ColumnDraft[], index: number, column: ColumnDraft): ColumnDraft[] {
  const [before, after] = [columns[index]?.to ?? null, column.to]
  return columns.map((one, at) => {
    if (at === index) return column
    const isBeside = isSameValue(one.to, before) && after !== null && 'attributeAlias' in after
    if (!isBeside || one.to === null || 'field' in one.to || after.attributeAlias !== one.to.attributeAlias) return one
    const { scope: _before, ...to } = one.to
    return { ...one, to: after.scope === undefined ? to : { ...to, scope: after.scope } }
  })
}

function isSameValue(one: Target | null, other: Target | null): boolean {
  if (one === null || other === null || 'field' in one || 'field' in other) return false
  return one.attributeAlias === other.attributeAlias && scopeKey(one.scope ?? {}) === scopeKey(other.scope ?? {})
}

/** A target without what its attribute has not. */
export function targetFor(attribute: Attribute, part: 'unit' | 'currency' | undefined, scope: Scope): Target {
  const kept = Object.fromEntries(Object.entries(scope).filter(([id]) => attribute.dimensionIds.includes(id)))
  return {
    attributeAlias: attribute.alias,
    ...(Object.keys(kept).length === 0 ? {} : { scope: kept }),
    ...(part === undefined ? {} : { part }),
  }
}

/** What is done to cells that are written as people write them. */
export function stepsFor(attribute: Attribute | undefined, samples: readonly string[]): Step[] {
  if (attribute === undefined) return []
  const written = samples.map((sample) => sample.trim()).filter((sample) => sample !== '')
  if (
    attribute.dataType === 'date' &&
    written.length > 0 &&
    written.every((text) => /^\d{1,2}\.\d{1,2}\.\d{4}$/.test(text))
  )
    return [{ date: 'd.M.yyyy' }]
  if (attribute.dataType !== 'select' && attribute.dataType !== 'multiSelect') return []
  const between =
    attribute.dataType === 'select' ? undefined : [',', ';'].find((sign) => written.some((text) => text.includes(sign)))
  const named = written.flatMap((text) => text.split(between ?? '|')).map((text) => text.trim())
  const isById = named.every((text) => attribute.options.some(({ id }) => id === text))
  return [...(between === undefined ? [] : [{ split: between }]), ...(isById ? [] : ['optionName' as const])]
}

function isDefault(step: Step): step is { readonly default: string } {
  return typeof step === 'object' && 'default' in step
}

function attributeOf(target: Target, attributes: readonly Attribute[]): Attribute | undefined {
  return 'attributeAlias' in target && target.part === undefined
    ? attributes.find(({ alias }) => alias === target.attributeAlias)
    : undefined
}

/** The one by which the file names records, where it names them by one alone. */
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

/** The second column of an amount. */
export function unitPartOf(attribute: Attribute): 'unit' | 'currency' | undefined {
  return dataTypeOf(attribute).unitField
}
