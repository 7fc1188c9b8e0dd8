// Finds records by the index keys of fields. `core/search/rules/judge-field.ts` defines their meaning.
import type { Schema } from '../../model/rules/model.ts'
import { boundsOf } from '../rules/comparisons.ts'
import type { FieldCriterion } from '../rules/criterion.ts'
import { wantedKeys } from '../rules/judge-field.ts'
import { all } from '../rules/operator.ts'
import type { Asked } from './asked.ts'
import { indexKey } from './index-rows.ts'
import { type KeyRange, NOTHING, type Place, type RecordSet } from './sets.ts'
import { keyPrefix } from './text-keys.ts'

/** Returns the key; for a negated operator, the key of its opposite; undefined: no key. */
export function rangeOf(criterion: FieldCriterion, { categories }: Asked): KeyRange | undefined {
  const { field, operator, value = '' } = criterion
  switch (operator) {
    case 'isEmpty':
    case 'isNotEmpty':
      return { kind: 'any' }
    case 'startsWith':
      return { kind: 'prefix', text: keyPrefix(all(value)[0]!).text }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'between': {
      const bounds = boundsOf(operator, value, field === 'completeness' ? 'number' : 'time')
      return bounds && { kind: 'range', ...bounds }
    }
    default: {
      if (field === 'completeness') return { kind: 'point', key: Number(all(value)[0]) }
      const keys = Array.from(wantedKeys(criterion, { categories }), (key) => indexKey(key, field === 'id'))
      return keys.length === 1 ? { kind: 'point', key: keys[0]! } : { kind: 'either', keys }
    }
  }
}

/** Returns records of the schemas by keys under an alias that exists only in the index. */
export function keysOf(
  alias: string,
  range: KeyRange | undefined,
  isMany: boolean,
  schemas: readonly Schema[],
  { lookUp }: Asked,
): RecordSet {
  const indexed = lookUp(alias)
  const places = schemas.flatMap(({ id }): Place[] => {
    const attribute = indexed.get(id)
    return attribute === undefined ? [] : [{ attribute: attribute.n, scopes: attribute.scopes.map(({ n }) => n) }]
  })
  if (places.length === 0 || range === undefined) return NOTHING
  const isExact = range.kind !== 'prefix' || range.text.length < MAX_EXACT_PREFIX
  return { kind: 'keys', places, range, isMany: isMany && range.kind !== 'point', isExact }
}

/** Longer prefixes may exceed the indexed part of a text. */
const MAX_EXACT_PREFIX = 60
