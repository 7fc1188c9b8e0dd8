// Import profiles: named mappings that explain the columns of files. Contract 3 §4.
import * as v from 'valibot'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import { toldUnits } from '../../core/datatypes/numbers.ts'
import { invalid, shorten } from '../../kernel/errors.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { Alias, choiceOf, Flag, Id, listOf, Name, NewId, type OutputOf } from '../../kernel/input/validation.ts'
import type { AttributeRenaming } from '../../core/model/rules/attribute-renaming.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import { type NewModel, NewModelInput } from '../../core/model/rules/new-model.ts'
import { EMPTY_CELLS, IMPORT_MODES } from './import-outcome.ts'
import { type Scope, scopeKey } from '../../core/scopes/scope.ts'
import { ScopeInput } from '../../core/search/rules/criterion.ts'
import { countGroups, PatternBudget } from '../../core/values/patterns.ts'
import { readScope } from '../../core/values/values.ts'
import { pictureAttribute } from './picture-attribute.ts'
import { FILE_STEPS, groupsOf, Header, type Step, StepsInput } from './profile-steps.ts'

const TARGET_FIELDS = ['id', 'parentId', 'schemaId', 'categories', 'ignore'] as const
type TargetField = (typeof TARGET_FIELDS)[number]
const PARTS = ['amount', 'unit', 'currency'] as const
export type Part = (typeof PARTS)[number]
export const MAX_PROFILE_COLUMNS = 500

export const FieldTarget = exactObject({
  field: v.pipe(
    v.picklist(TARGET_FIELDS, `must be one of ${TARGET_FIELDS.join(', ')}`),
    v.description('categories: IDs, or names from the root of a catalog joined by /; several are joined by |.'),
  ),
})
export const AttributeTarget = exactObject({
  attributeAlias: Alias,
  scope: v.optional(v.pipe(ScopeInput, v.description('Default: the global scope.'))),
  part: v.optional(
    v.pipe(
      v.picklist(PARTS, `must be one of ${PARTS.join(', ')}`),
      v.description('A part of a price or measurement. Default: the amount.'),
    ),
  ),
})
const isField = (input: unknown): boolean => typeof input === 'object' && input !== null && 'field' in input
const TargetInput = choiceOf([FieldTarget, AttributeTarget], (input) =>
  isField(input) ? FieldTarget : AttributeTarget,
)
export type Target =
  | { readonly field: TargetField }
  | { readonly attributeAlias: string; readonly scope?: Scope | undefined; readonly part?: Part | undefined }

export const ProfileColumn = exactObject({
  header: v.pipe(Header, v.description('The text in the first row of the file.')),
  to: TargetInput,
  with: v.optional(v.pipe(StepsInput, v.description('Steps that change a cell before it is read, in this order.'))),
  createOptions: v.optional(
    v.pipe(
      Flag,
      v.description(
        'Make the options that a select or multiSelect lacks. Cells name options by ID or by name. Needs model.write.',
      ),
    ),
  ),
  createCategories: v.optional(
    v.pipe(Flag, v.description('Make the categories that are missing from paths. Needs categories.write.')),
  ),
  catalogId: v.optional(
    v.pipe(
      Id,
      v.description(
        'The catalog of paths that several catalogs have, and, with createCategories, of paths whose first name none has.',
      ),
    ),
  ),
})
export type ImportColumn = OutputOf<typeof ProfileColumn>

const members = {
  schemaId: v.pipe(v.string('must be a string'), v.description('The schema of the records, if no column has it.')),
  mode: v.optional(v.picklist(IMPORT_MODES, `must be one of ${IMPORT_MODES.join(', ')}`), 'create'),
  matchBy: v.optional(
    v.nullable(
      v.pipe(
        Alias,
        v.description(
          'A unique attribute that identifies records, instead of their ID. Your role must be able to read it.',
        ),
      ),
    ),
    null,
  ),
  emptyCells: v.optional(
    v.pipe(
      v.picklist(EMPTY_CELLS, `must be one of ${EMPTY_CELLS.join(', ')}`),
      v.description('What an empty cell does to a stored value: keep it, or clear it.'),
    ),
    'keep',
  ),
  columns: v.pipe(listOf(ProfileColumn, MAX_PROFILE_COLUMNS), v.minLength(1, 'must name a column')),
}

export const ImportProfileInput = exactObject({ id: v.optional(NewId), name: Name, ...members })
const model = v.optional(
  v.pipe(
    NewModelInput,
    v.description('What the import makes before the first line, schemas above all. Needs model.write.'),
  ),
)
/** The mapping of one import: a profile without a name. */
export const MappingInput = exactObject({
  model,
  id: v.optional(NewId),
  name: v.optional(Name),
  ...members,
  columns: v.pipe(
    v.optional(listOf(ProfileColumn, MAX_PROFILE_COLUMNS), []),
    v.description('A file of JSON lines has none.'),
  ),
})

/** Replaces a mapping: the file has the columns of an export, or is JSON lines. */
export const PlainInput = exactObject({
  model,
  schemaId: v.optional(v.nullable(members.schemaId), null),
  mode: members.mode,
  matchBy: members.matchBy,
  emptyCells: v.optional(members.emptyCells.wrapped, 'clear'),
  columns: v.pipe(v.null('must be null'), v.description('The columns of the csv export.')),
})

export type ImportMapping = Omit<OutputOf<typeof MappingInput>, 'id' | 'name' | 'model'> & {
  readonly model?: NewModel | undefined
}

/** How the file of one import is read. */
export type ImportPlan = ImportMapping | v.InferOutput<typeof PlainInput>

export const ImportProfileShape = v.object({
  id: v.string(),
  name: v.string(),
  schemaId: v.string(),
  mode: v.picklist(IMPORT_MODES),
  matchBy: v.nullable(v.string()),
  emptyCells: v.picklist(EMPTY_CELLS),
  columns: v.array(ProfileColumn),
})
export type ImportProfile = OutputOf<typeof ImportProfileShape>

/** @throws VALIDATION_ERROR naming the part that does not fit the model */
export function assertMapping(mapping: ImportMapping, model: Model): void {
  const { schemaId, matchBy, columns } = mapping
  const schema = model.schemas.get(schemaId)
  if (schema === undefined) throw invalid(`schemaId names the unknown schema '${shorten(schemaId, 128)}'`)
  if (matchBy !== null) assertMatchBy(schema, matchBy)
  const targets = new Set<string>()
  const patterns = new PatternBudget()
  for (const [index, column] of columns.entries()) {
    const { to, with: steps = [] } = column
    for (const [at, step] of steps.entries()) {
      assertStep(step, to, schema, patterns, `columns[${index}].with[${at}]`)
      if (FILE_STEPS.some((name) => name === step))
        assertFileStep(column, at, { schema, model }, `columns[${index}].with[${at}]`)
    }
    assertCreates(column, schema, `columns[${index}]`)
    const place = `columns[${index}].to`
    const target = 'field' in to ? to.field : assertTarget(to, schema, model, place)
    if (target === 'ignore') continue
    if (targets.has(target)) throw invalid(`${place} has the same target as another column`)
    targets.add(target)
  }
}

/** @throws VALIDATION_ERROR */
function assertStep(step: Step, to: Target, schema: Schema, patterns: PatternBudget, place: string): void {
  if (typeof step === 'string') return
  if ('replace' in step) assertReplacement(step.replace, patterns, `${place}.replace`)
  if ('unit' in step) assertUnit(step.unit, to, schema, `${place}.unit`)
}

/** @throws VALIDATION_ERROR */
function assertReplacement(
  { find, by }: { readonly find: string; readonly by: string },
  patterns: PatternBudget,
  place: string,
): void {
  const fault = patterns.add(find, 'the mapping')
  if (fault !== undefined) throw invalid(`${place}.find ${fault}`)
  const strange = groupsOf(by).find((group) => group > countGroups(find))
  if (strange !== undefined) throw invalid(`${place}.by names the group $${strange}, which find does not have`)
}

/** @throws VALIDATION_ERROR */
function assertUnit(unit: string, to: Target, schema: Schema, place: string): void {
  const attribute = 'field' in to ? undefined : schema.attribute(to.attributeAlias)
  const isAmount = 'attributeAlias' in to && (to.part === undefined || to.part === 'amount')
  if (!isAmount || (attribute !== undefined && dataTypeOf(attribute).unitField === undefined))
    throw invalid(`${place} is for amounts of a measurement or a price`)
  const units = attribute === undefined ? [] : (dataTypeOf(attribute).choices?.list(attribute) ?? [])
  if (units.length > 0 && !units.includes(unit)) throw invalid(`${place} must be one of ${toldUnits(units)}`)
}

/** @throws VALIDATION_ERROR */
function assertFileStep(
  { to, with: steps = [] }: ImportColumn,
  at: number,
  { schema, model }: { readonly schema: Schema; readonly model: Model },
  place: string,
): void {
  const attribute = 'field' in to ? undefined : schema.attribute(to.attributeAlias)
  const isPicture = attribute !== undefined && pictureAttribute(attribute, model) !== undefined
  if (attribute?.dataType !== 'file' && !isPicture)
    throw invalid(`${place} is for a file, or for references to a schema that has a file`)
  if (at < steps.length - 1) throw invalid(`${place} must be the last step`)
}

/** @throws VALIDATION_ERROR */
function assertCreates(
  { to, createOptions, createCategories, catalogId }: ImportColumn,
  schema: Schema,
  place: string,
) {
  const dataType = 'field' in to ? undefined : schema.attribute(to.attributeAlias)?.dataType
  if (createOptions === true && dataType !== 'select' && dataType !== 'multiSelect')
    throw invalid(`${place}.createOptions is for a select or a multiSelect`)
  const isCategories = 'field' in to && to.field === 'categories'
  if (createCategories === true && !isCategories) throw invalid(`${place}.createCategories is for the field categories`)
  if (catalogId !== undefined && !isCategories) throw invalid(`${place}.catalogId is for the field categories`)
}

/** @throws VALIDATION_ERROR */
export function assertMatchBy(schema: Schema, matchBy: string): Attribute {
  const attribute = schema.attribute(matchBy)
  if (attribute?.unique === true) return attribute
  const what = attribute === undefined ? 'the schema does not define' : 'is not unique'
  throw invalid(`matchBy names '${shorten(matchBy, 64)}', which ${what}`)
}

function assertTarget(
  { attributeAlias: alias, scope, part }: Extract<Target, { attributeAlias: string }>,
  schema: Schema,
  model: Model,
  place: string,
): string {
  const attribute = schema.attribute(alias)
  if (attribute === undefined)
    throw invalid(`${place}.attributeAlias names '${shorten(alias, 64)}', which the schema does not define`)
  const key = scopeKey(scope === undefined ? {} : readScope(scope, attribute, model, `${place}.scope`))
  const { unitField } = dataTypeOf(attribute)
  if (part !== undefined && (unitField === undefined || (part !== 'amount' && part !== unitField)))
    throw invalid(`${place}.part: the attribute '${alias}' has no ${part}`)
  return `values ${alias} [${key}] ${part === undefined || part === 'amount' ? '' : part}`
}

/** Returns the mapping after an attribute got a new alias. */
export function renameInMapping<Mapping extends ImportPlan>(
  mapping: Mapping,
  { schemaId, from, to }: AttributeRenaming,
): Mapping {
  if (mapping.schemaId !== schemaId) return mapping
  const columns = mapping.columns?.map((column) =>
    'attributeAlias' in column.to && column.to.attributeAlias === from
      ? { ...column, to: { ...column.to, attributeAlias: to } }
      : column,
  )
  return { ...mapping, columns: columns ?? null, ...(mapping.matchBy === from ? { matchBy: to } : {}) }
}

/** The mapping without steps that need the decimal sign of the file. */
export function withoutNumberSteps<Mapping extends { readonly columns: readonly ImportColumn[] }>(
  mapping: Mapping,
): Mapping {
  const columns = mapping.columns.map((column) => ({
    ...column,
    with: column.with?.filter((step) => step !== 'number'),
  }))
  return { ...mapping, columns }
}
