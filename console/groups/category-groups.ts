// Groups by the highest categories of a catalog: a record is in the group of each top category that contains it,
// directly or below.
import type { Criterion } from '../../src/core/search/rules/criterion.ts'
import type { CallOptions } from '../api/call.ts'
import type { RowGroup } from '../grid/groups.ts'
import { EMPTY, FACET_VALUES, type Host, keyOf, MOST_GROUPS, type ReadGroups } from './group-keys.ts'

type PlacesBody = NonNullable<CallOptions<'POST /api/v1/search/places'>['body']>
type SearchBody = NonNullable<CallOptions<'POST /api/v1/search'>['body']>

export async function readCategoryGroups(host: Host, catalogId: string, signal: AbortSignal): Promise<ReadGroups> {
  const { call, model } = host.console
  const tree = await call('GET /api/v1/catalogs/:id/categories', { params: { id: catalogId }, signal })
  const highest = tree.body.filter(({ parentId }) => parentId === null).slice(0, MOST_GROUPS)
  const inCatalog: Criterion = { field: 'catalogId', operator: 'equals', value: catalogId }
  const criteria: Criterion[] = [
    ...highest.map(({ id }): Criterion => ({ field: 'categoryId', operator: 'equals', value: id })),
    { criteriaOperator: 'and', criteria: [inCatalog], not: true },
  ]
  const body = { ...host.selection(), select: [], limit: 1 } as unknown as SearchBody
  const [counts, { total = 0 }] = await Promise.all([
    countMarks(host, criteria, signal),
    call('POST /api/v1/search', { body, signal }),
  ])
  const groups = criteria.flatMap((criterion, at): RowGroup[] => {
    const [category, count] = [highest[at], counts[at]!]
    if (count === 0) return []
    if (category === undefined) return [{ key: EMPTY, value: null, isRest: false, count, criterion }]
    const { id } = category
    return [{ key: keyOf(id), value: id, isRest: false, label: model.nameOf(category), count, criterion }]
  })
  return { groups, total, hasMore: false }
}

/** Counts the records of the sheet that match each criterion. */
export async function countMarks(
  { console, selection }: Pick<Host, 'console' | 'selection'>,
  marks: readonly Criterion[],
  signal: AbortSignal,
): Promise<readonly number[]> {
  const counts: number[] = []
  for (let at = 0; at < marks.length; at += FACET_VALUES) {
    const body = { ...selection(), marks: marks.slice(at, at + FACET_VALUES), limit: 1 } as unknown as PlacesBody
    counts.push(...(await console.call('POST /api/v1/search/places', { body, signal })).body.counts)
  }
  return counts
}
