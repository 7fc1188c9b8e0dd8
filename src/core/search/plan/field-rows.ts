// Builds the index rows of a record that are not values: its fields, its completeness and its missing attributes.
// Contract 3 §1.
import type { Attribute } from '../../model/rules/attributes.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import { stateToScore } from '../../records/rules/transition.ts'
import { effectiveValueIn, scopedValues } from '../../records/rules/record.ts'
import { isScoreIndexed } from '../../records/rules/score-cost.ts'
import { percentageOfPrint, printScore } from '../../records/rules/score-print.ts'
import { inheritedValues } from '../../scopes/effective-values.ts'
import { scopeKey } from '../../scopes/scope.ts'
import type { CategoryTree, SearchedRecord } from '../rules/searched-record.ts'
import { indexKey, type IndexRow, valueKeys } from './index-rows.ts'
import type { IndexKey } from './sets.ts'

/** Aliases of fields in the index; no attribute has such an alias. */
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

/** The prints of records (`core/records/rules/score-print.ts`). */
export const PRINT_ALIAS = '#print'

/** Alias of inherited values that apply in no combination, only where a scope names no segment of a dimension. */
export function coveredAlias(alias: string): string {
  return `#covered ${alias}`
}

/** Returns the rows of a record, whose `categoryIds` include those of its parent. */
export function fieldRows(record: SearchedRecord, model: Model, categories: CategoryTree): IndexRow[] {
  const rows: IndexRow[] = []
  const add: AddRow = (alias, key) => void rows.push({ alias, scope: '', isInherited: false, key })
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

type AddRow = (alias: string, key: IndexKey) => void

/** Adds no print for a schema without required attributes, because all its records are equally complete. */
function addScores({ schema, layers, lifecycleStateId }: SearchedRecord, model: Model, add: AddRow): void {
  const workflow = model.workflows.get(schema.workflowId)
  const scored = workflow === undefined ? lifecycleStateId : stateToScore(workflow, lifecycleStateId)
  const print = printScore({ layers, schema, model })
  if (requiresAny(schema)) add(PRINT_ALIAS, print)
  add(FIELD_ALIASES.completeness, percentageOfPrint(print, scored, schema, model))
}

export function requiresAny({ attributes }: Schema): boolean {
  return attributes.some(({ requiredInStateIds }) => requiredInStateIds.length > 0)
}

/** Inherited values of a variant that apply only where a scope names no segment. Sorting needs these values. */
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
