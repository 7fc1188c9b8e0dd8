// Judges whether a record satisfies a criterion on a field. Contract 3 §1, 3 §10.
import { boundsOf, findOrderFault, isWithin, parseComparand } from './comparisons.ts'
import type { FieldCriterion } from './criterion.ts'
import { fieldOf, type FieldName } from './fields.ts'
import { all } from './operator.ts'
import { operatorOf } from './operators.ts'
import { scoreWithin } from './scoped-score.ts'
import type { CategoryTree, SearchedRecord, SearchWorld } from './searched-record.ts'
import { foldText } from '../../../kernel/text.ts'

/** Returns the fault of the value, as `field problem`, or undefined. */
export function findFieldFault(criterion: FieldCriterion): string | undefined {
  const { operator, value = '' } = criterion
  const { order } = fieldOf(criterion)
  if (order === 'time') return findOrderFault(operator, value, ['time'])
  if (order === 'none') return undefined
  const isPercent = all(value).every((text) => isWithin(parseComparand(text, 'number') ?? -1, PERCENT))
  return isPercent ? findOrderFault(operator, value, ['number']) : 'value must be a number from 0 to 100'
}

const PERCENT = { from: 0, to: 100, isFromIncluded: true, isToIncluded: true }

export function matchesField(criterion: FieldCriterion, record: SearchedRecord, world: SearchWorld): boolean {
  const { field, value = '' } = criterion
  switch (field) {
    case 'createdAt':
    case 'updatedAt':
      return testNumber(criterion, 'time')(Date.parse(record[field]))
    case 'completeness': {
      const score = scoreWithin(record, criterion, world)
      return score !== undefined && testNumber(criterion, 'number')(score.percentage)
    }
    case 'missing': {
      const missing = scoreWithin(record, criterion, world)?.missing ?? new Set()
      return criterion.operator === 'isNotEmpty' ? missing.size > 0 : all(value).some((alias) => missing.has(alias))
    }
    default: {
      const test = testKeys(criterion, world)
      return test(keysOf(field, record, world)) !== operatorOf(criterion).isNegated
    }
  }
}

/** Returns the test of a criterion that compares with one or more numbers (time: milliseconds). */
export function testNumber({ operator, value = '' }: FieldCriterion, order: 'number' | 'time') {
  if (operator === 'equals') {
    const wanted = parseComparand(all(value)[0]!, order)
    return (number: number): boolean => number === wanted
  }
  const bounds = boundsOf(operator as Parameters<typeof boundsOf>[0], value, order)
  return (number: number): boolean => bounds !== undefined && isWithin(number, bounds)
}

type KeyedField = Exclude<FieldName, 'createdAt' | 'updatedAt' | 'completeness' | 'missing'>

/** Returns the keys of the record for the field. */
function keysOf(field: KeyedField, record: SearchedRecord, { categories }: SearchWorld): readonly string[] {
  switch (field) {
    case 'parentId':
      return record.parentId === null ? [] : [record.parentId]
    case 'categoryId':
      return record.categoryIds
    case 'catalogId':
      return record.categoryIds.flatMap((id) => categories.catalogOf(id) ?? [])
    default:
      return [record[field]]
  }
}

/** Returns the test of the operator; for a negated operator, the test of its opposite. */
function testKeys(criterion: FieldCriterion, world: SearchWorld): (keys: readonly string[]) => boolean {
  switch (criterion.operator) {
    case 'isEmpty':
    case 'isNotEmpty':
      return (keys) => keys.length > 0
    case 'startsWith': {
      const begin = foldText(all(criterion.value ?? '')[0]!)
      return (keys) => keys.some((key) => foldText(key).startsWith(begin))
    }
    default: {
      const wanted = wantedKeys(criterion, world)
      return (keys) => keys.some((key) => wanted.has(key))
    }
  }
}

/** Families of categories, read once for all records of a search. */
const families = new WeakMap<CategoryTree, WeakMap<FieldCriterion, ReadonlySet<string>>>()

/** Returns the keys that the criterion names. Categories include their descendants, unless `includeChildren` is false. */
export function wantedKeys(
  criterion: FieldCriterion,
  { categories }: Pick<SearchWorld, 'categories'>,
): ReadonlySet<string> {
  const { field, value = '', includeChildren = true } = criterion
  if (field !== 'categoryId' || !includeChildren) return new Set(all(value))
  const known = families.get(categories) ?? new WeakMap<FieldCriterion, ReadonlySet<string>>()
  families.set(categories, known)
  const family = known.get(criterion) ?? categories.withDescendants(all(value))
  known.set(criterion, family)
  return family
}
