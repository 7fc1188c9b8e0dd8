// Returns whether a record still belongs to its group, as far as its values show. Pure.
import { cellValue } from '../grid/cell-value.ts'
import type { GroupBy, GroupedRecord, RowGroup } from '../grid/groups.ts'
import { scopedValues } from '../../src/core/records/rules/record.ts'

/** @param isGroup returns whether a value has its own group */
export function belongs(
  record: GroupedRecord,
  { value, isRest }: Pick<RowGroup, 'value' | 'isRest'>,
  by: GroupBy,
  isGroup: (value: string) => boolean,
): boolean {
  const values = valuesOf(record, by)
  if (values === undefined) return true
  if (isRest) return values.length > 0 && !values.some(isGroup)
  return value === null ? values.length === 0 : values.includes(value)
}

/** Returns the values that the record is grouped by; undefined: the record does not contain them. */
function valuesOf(record: GroupedRecord, by: GroupBy): readonly string[] | undefined {
  if (by.kind === 'catalog') return undefined
  if (by.kind === 'field') return [record[by.field]]
  const { alias, dimensionIds } = by.attribute
  const isOne = dimensionIds.every((dimension) => Object.hasOwn(by.scope, dimension))
  // Without the scope of one cell, a record is in the group of each of its values.
  const found: unknown[] = isOne
    ? [cellValue(record, alias, by.scope, by.attribute).value]
    : scopedValues(record.effectiveValues ?? record.values, alias).map((scoped) => scoped.value)
  return found
    .flat()
    .filter((one) => one !== undefined && one !== null && one !== '')
    .map(String)
}
