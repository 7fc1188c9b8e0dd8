// Labels of records that a list names by ID.
import type { CallOptions } from '../api/call.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { labelOf } from '../state/labels.ts'

type SearchBody = NonNullable<CallOptions<'POST /api/v1/search'>['body']>

/** The label of a record; undefined: it is loading, or deleted. */
export function useRecordLabels(ids: readonly (string | null)[]): (id: string) => string | undefined {
  const { call, model, scope } = useConsole()
  const asked = [...new Set(ids.filter((id) => id !== null))].sort()
  const query = useQuery(`labels ${asked.join(' ')}`, async (signal) => {
    if (asked.length === 0) return []
    const criteria = [{ field: 'id', operator: 'in', value: asked }]
    const body = { criteria, criteriaOperator: 'and', limit: asked.length, total: false } as unknown as SearchBody
    return (await call('POST /api/v1/search', { body, signal })).body
  })
  const labels = new Map(
    query.data.value?.map((record) => [record.id, labelOf(record, model.schema(record.schemaId), scope.current.value)]),
  )
  return (id) => labels.get(id)
}
