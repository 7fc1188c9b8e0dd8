// Defines the meaning of a search: a plain predicate over one record. `core/search/plan` makes sets from the same
// criteria, and `guards.ts` judges many combinations at once. Tests compare both with this file.
import { canRead, type Role } from '../../accounts/rules/permissions.ts'
import { askedAliases } from './asked-aliases.ts'
import { type CriteriaOperator, type Criterion, type FieldCriterion, isGroup, isOnField } from './criterion.ts'
import { dataTypeOf } from '../../datatypes/data-types.ts'
import { fieldOf } from './fields.ts'
import { inheritedValues } from '../../scopes/effective-values.ts'
import { denied, invalid, shorten } from '../../../kernel/errors.ts'
import { findCriterionFault, matchesCriterion } from './judge-attribute.ts'
import { findFieldFault, matchesField } from './judge-field.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import { all } from './operator.ts'
import { scopedValues, type ValueLayers } from '../../records/rules/record.ts'
import type { SearchedRecord, SearchWorld } from './searched-record.ts'
import type { ScopedValue } from '../../scopes/scope.ts'
import { findScopeFault } from '../../model/rules/schema.ts'
import { aliasOfWhole } from '../../values/value-parts.ts'
import { containsText, foldText } from '../../../kernel/text.ts'

export interface Criteria {
  readonly criteria: readonly Criterion[]
  readonly criteriaOperator: CriteriaOperator
}

/**
 * Checks criteria against the searched schemas.
 * @param at prefix of the criteria's path in messages: '' or `selection.`
 * @throws VALIDATION_ERROR naming the criterion, for an unknown alias, dimension, segment or state, or a value that
 * cannot be compared
 */
export function assertCriteria({ criteria }: Criteria, schemas: readonly Schema[], model: Model, at = ''): void {
  const fault = findFault(criteria, schemas, model)
  if (fault !== undefined) throw invalid(at + fault)
}

function findFault(criteria: readonly Criterion[], schemas: readonly Schema[], model: Model): string | undefined {
  for (const [index, criterion] of criteria.entries()) {
    const fault = isGroup(criterion)
      ? findFault(criterion.criteria, schemas, model)
      : isOnField(criterion)
        ? findFieldCriterionFault(criterion, schemas, model)
        : findCriterionFault(criterion, schemas, model)
    if (fault !== undefined) return `criteria[${index}].${fault}`
  }
  return undefined
}

function findFieldCriterionFault(
  criterion: FieldCriterion,
  schemas: readonly Schema[],
  model: Model,
): string | undefined {
  const { field, scope = {}, stateId, value = '' } = criterion
  if (stateId !== undefined && !schemas.some((schema) => hasState(schema, stateId, model)))
    return `stateId names '${shorten(stateId, 128)}', which is not a state of a workflow that is searched`
  const scopeFault = findScopeFault(scope, model)
  if (scopeFault !== undefined) return `scope ${scopeFault}`
  const isAsked = field === 'missing' && criterion.operator !== 'isNotEmpty'
  const unknown = isAsked ? all(value).find((alias) => !schemas.some((schema) => schema.attribute(alias))) : undefined
  if (unknown !== undefined) return `value names the unknown attribute '${shorten(unknown, 64)}'`
  return findFieldFault(criterion)
}

function hasState({ workflowId }: Schema, stateId: string, { workflows }: Model): boolean {
  return workflows.get(workflowId)?.states.some((state) => state.id === stateId) === true
}

/** @throws PERMISSION_DENIED for a criterion on an attribute that the role may not read in a schema with this attribute */
export function assertCanSearch({ criteria }: Criteria, schemas: readonly Schema[], role: Role): void {
  for (const alias of askedAliases(criteria)) {
    const hidden = schemas.find((schema) => schema.attribute(alias) && !canRead(role, schema.id, alias))
    if (hidden) throw denied(`Your role may not search the attribute '${shorten(alias, 64)}'`)
  }
}

/** Adds the state to criteria on completeness that name none. */
export function withState({ criteria, criteriaOperator }: Criteria, stateId: string | undefined): Criteria {
  if (stateId === undefined) return { criteria, criteriaOperator }
  return { criteria: criteria.map((criterion) => inState(criterion, stateId)), criteriaOperator }
}

function inState(criterion: Criterion, stateId: string): Criterion {
  if (isGroup(criterion)) return { ...criterion, ...withState(criterion, stateId) }
  const isScored = isOnField(criterion) && fieldOf(criterion).takes.includes('stateId')
  return isScored ? { stateId, ...criterion } : criterion
}

/** Whether the record satisfies the criteria. Every record satisfies an empty list and an empty group. */
export function matchesCriteria(
  { criteria, criteriaOperator }: Criteria,
  record: SearchedRecord,
  world: SearchWorld,
): boolean {
  if (criteria.length === 0) return true
  const holds = (criterion: Criterion): boolean => matchesAny(criterion, record, world)
  return criteriaOperator === 'and' ? criteria.every(holds) : criteria.some(holds)
}

function matchesAny(criterion: Criterion, record: SearchedRecord, world: SearchWorld): boolean {
  if (isGroup(criterion)) return matchesCriteria(criterion, record, world) !== (criterion.not ?? false)
  if (isOnField(criterion)) return matchesField(criterion, record, world)
  return matchesCriterion(criterion, record.layers, record.schema, world.model)
}

/** Returns whether any text value that `role` may read contains `query` (folded by `foldText`). */
export function matchesText(query: string, layers: ValueLayers, schema: Schema, role: Role, model: Model): boolean {
  return schema.searched.some((attribute) => {
    if (!dataTypeOf(attribute).isText || !canRead(role, schema.id, aliasOfWhole(attribute.alias))) return false
    const own = scopedValues(layers.own, attribute.alias)
    const contains = (item: ScopedValue): boolean => containsText(foldText(item.value as string), query)
    return own.some(contains) || inheritedValues(layers, schema, attribute.alias, model).some(contains)
  })
}
