// What the search index holds of a record besides its values: what its fields are compared by, how complete it is, and what it
// lacks where. Contract 3 §1.
import type { Attribute } from '../../domain/model/attributes.ts'
import type { Model, Schema } from '../../domain/model/model.ts'
import { percentageOf, requiredFields } from '../../domain/records/completeness.ts'
import { stateToScore } from '../../domain/records/lifecycle.ts'
import { effectiveValueIn, scopedValues } from '../../domain/records/record.ts'
import { isQuicklyScored } from '../../domain/records/score-cost.ts'
import { combinationAt, type Grid } from '../../domain/scopes/grid.ts'
import { inheritedValues } from '../../domain/scopes/effective-values.ts'
import { type Scope, scopeKey } from '../../domain/scopes/scope.ts'
import type { CategoryTree, SearchedRecord } from '../../domain/search/searched-record.ts'
import { EMPTY_KEY, indexKey, type IndexRow, valueKeys } from './index-rows.ts'
import type { IndexKey } from './sets.ts'

/** What the index calls fields: no attribute has such an alias. */
export const FIELD_ALIASES = {
  id: '#id',
  lifecycleStateId: '#state',
  createdBy: '#createdBy',
  updatedBy: '#updatedBy',
  parentId: '#parent',
  createdAt: '#createdAt',
  updatedAt: '#updatedAt',
  categoryId: '#category',
  catalogId: '#catalog',
  completeness: '#completeness',
} as const

/** How complete records are for one of the states that require the same. */
export function completenessAlias(stateId: string): string {
  return `#completeness ${stateId}`
}

/** The scopes in which records lack an attribute that some state requires. */
export function missingAlias(alias: string): string {
  return `#missing ${alias}`
}

/** Inherited values that are in force in no combination, but where a scope names no segment of a dimension. */
export function coveredAlias(alias: string): string {
  return `#covered ${alias}`
}

/** Combinations of an attribute that are told apart: of one that has more the index knows only that something is missing. */
export const MAX_TOLD_APART = 64

/** The rows of a record, whose categories are those of its parent as well. */
export function fieldRows(record: SearchedRecord, model: Model, categories: CategoryTree): IndexRow[] {
  const rows: IndexRow[] = []
  const add = (alias: string, key: IndexKey, scope = ''): void =>
    void rows.push({ alias, scope, isInherited: false, key })
  add(FIELD_ALIASES.id, indexKey(record.id, true))
  add(FIELD_ALIASES.lifecycleStateId, record.lifecycleStateId)
  add(FIELD_ALIASES.createdBy, record.createdBy)
  add(FIELD_ALIASES.updatedBy, record.updatedBy)
  add(FIELD_ALIASES.createdAt, Date.parse(record.createdAt))
  add(FIELD_ALIASES.updatedAt, Date.parse(record.updatedAt))
  if (record.parentId !== null) add(FIELD_ALIASES.parentId, record.parentId)
  for (const id of record.categoryIds) add(FIELD_ALIASES.categoryId, id)
  const catalogs = new Set(record.categoryIds.flatMap((id) => categories.catalogOf(id) ?? []))
  for (const id of catalogs) add(FIELD_ALIASES.catalogId, id)
  rows.push(...coveredRows(record, model))
  if (isScoreIndexed(record.schema, model)) addScores(record, model, add)
  return rows
}

/** Whether the index knows how complete records of the schema are: to score one must not take long. */
export function isScoreIndexed(schema: Schema, model: Model): boolean {
  return isQuicklyScored(schema, [...representatives(schema, model).values()], model, 0)
}

const representativesOf = new WeakMap<Schema, { workflows: Model['workflows']; states: ReadonlyMap<string, string> }>()

/** For each state that requires something the first one that requires the same. */
export function representatives(schema: Schema, { workflows }: Model): ReadonlyMap<string, string> {
  const known = representativesOf.get(schema)
  if (known?.workflows === workflows) return known.states
  const first = new Map<string, string>()
  const states = new Map<string, string>()
  for (const { id } of workflows.get(schema.workflowId)?.states ?? []) {
    const required = schema.attributes.filter(({ requiredInStateIds }) => requiredInStateIds.includes(id))
    if (required.length === 0) continue
    const key = required.map(({ alias }) => alias).join()
    if (!first.has(key)) first.set(key, id)
    states.set(id, first.get(key)!)
  }
  representativesOf.set(schema, { workflows, states })
  return states
}

type AddRow = (alias: string, key: IndexKey, scope?: string) => void

function addScores({ schema, layers, lifecycleStateId }: SearchedRecord, model: Model, add: AddRow): void {
  const workflow = model.workflows.get(schema.workflowId)
  const states = representatives(schema, model)
  const sums = new Map([...new Set(states.values())].map((stateId) => [stateId, { filled: 0, total: 0 }]))
  for (const { attribute, grid, isMissing, total, lacking } of requiredFields({ layers, schema, model })) {
    for (const [stateId, sum] of sums) {
      if (!attribute.requiredInStateIds.includes(stateId)) continue
      sum.total += total
      sum.filled += total - lacking
    }
    if (lacking > 0)
      for (const scope of scopesOfGaps(grid, isMissing)) add(missingAlias(attribute.alias), EMPTY_KEY, scope)
  }
  const percentageIn = (stateId: string): number | undefined => {
    const sum = sums.get(stateId)
    return sum && percentageOf(sum.filled, sum.total)
  }
  for (const stateId of sums.keys()) add(completenessAlias(stateId), percentageIn(stateId)!)
  const scored = workflow === undefined ? lifecycleStateId : stateToScore(workflow, lifecycleStateId)
  add(FIELD_ALIASES.completeness, percentageIn(states.get(scored) ?? '') ?? 100)
}

/** Most records lack the same as others. */
const gapsOf = new WeakMap<Grid, Map<string, readonly string[]>>()
const MAX_GAPS = 1000

/** Scopes (`scopeKey`) in each of which the attribute is missing throughout: few where it is missing in many combinations. */
function scopesOfGaps(grid: Grid, isMissing: Uint8Array): readonly string[] {
  if (grid.size === 1 || grid.size > MAX_TOLD_APART) return ['']
  let known = gapsOf.get(grid)
  if (known === undefined || known.size > MAX_GAPS) gapsOf.set(grid, (known = new Map()))
  const gaps = isMissing.join('')
  let scopes = known.get(gaps)
  if (scopes === undefined) known.set(gaps, (scopes = findScopesOfGaps(grid, isMissing)))
  return scopes
}

function findScopesOfGaps(grid: Grid, isMissing: Uint8Array): readonly string[] {
  const cells = [...isMissing.keys()].filter((cell) => isMissing[cell] === 1)
  if (cells.length === grid.size) return ['']
  const combinations = cells.map((cell) => combinationAt(grid, cell))
  return joinCombinations(combinations, grid)
}

/** One scope for the combinations that are all of a segment of the first dimension. */
function joinCombinations(combinations: readonly Scope[], { dimensionIds, places, size }: Grid): readonly string[] {
  const [first] = dimensionIds
  if (first === undefined || dimensionIds.length === 1) return combinations.map(scopeKey)
  const whole = size / places[0]!.size
  return [...Map.groupBy(combinations, (combination) => combination[first]!)].flatMap(([segment, within]) =>
    within.length === whole ? [scopeKey({ [first]: segment })] : within.map(scopeKey),
  )
}

/** What a variant inherits and what is in force only where a scope names no segment: for the order of records. */
function coveredRows({ schema, layers }: SearchedRecord, model: Model): IndexRow[] {
  if (layers.inherited === null) return []
  return schema.attributes.flatMap((attribute) => {
    const { alias, dimensionIds } = attribute
    const known = inheritedValues(layers, schema, alias, model)
    const covered = scopedValues(layers.inherited!, alias).filter(
      (value) => !known.includes(value) && effectiveValueIn(layers, alias, value.scope, dimensionIds) === value,
    )
    return covered.flatMap(({ scope, value }) => keyRows(attribute, coveredAlias(alias), scopeKey(scope), value))
  })
}

function keyRows(attribute: Attribute, alias: string, scope: string, value: unknown): IndexRow[] {
  return valueKeys(attribute, value).map((key) => ({ alias, scope, isInherited: true, key }))
}
