// Labels of records that a list names by ID.
import type { CallOptions } from '../api/call.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { labelOf } from '../state/labels.ts'

type SearchBody = NonNullable<CallOptions<'POST /api/v1/search'>['body']>

/** The most records whose labels are read at once; later records keep their IDs. */
const MOST = 200

interface NamedRecord {
  readonly label: string
  readonly schemaId: string
}

/** Returns the label and the schema of a record; undefined: they are loading, or the record is deleted. */
export function useNamedRecords(ids: readonly (string | null)[]): (id: string) => NamedRecord | undefined {
  const { call, model, scope } = useConsole()
  const asked = [...new Set(ids.filter((id) => id !== null))].slice(0, MOST).sort()
  const query = useQuery(`labels ${asked.join(' ')}`, async (signal) => {
    if (asked.length === 0) return []
    const criteria = [{ field: 'id', operator: 'in', value: asked }]
    const body = { criteria, criteriaOperator: 'and', limit: asked.length, total: false } as unknown as SearchBody
    return (await call('POST /api/v1/search', { body, signal })).body
  })
  const named = new Map(
    query.data.value?.map((record) => {
      const label = labelOf(record, model.schema(record.schemaId), scope.current.value)
      return [record.id, { label, schemaId: record.schemaId }]
    }),
  )
  return (id) => named.get(id)
}

export function useRecordLabels(ids: readonly (string | null)[]): (id: string) => string | undefined {
  const named = useNamedRecords(ids)
  return (id) => named(id)?.label
}

/** The IDs of records in values of references. */
export function namedIn(attribute: { readonly dataType: string } | undefined, values: readonly unknown[]): string[] {
  if (attribute?.dataType !== 'reference' && attribute?.dataType !== 'references') return []
  return values.flat().filter((value) => typeof value === 'string')
}
