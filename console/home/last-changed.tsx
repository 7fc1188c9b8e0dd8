// What was changed last, and by whom.
import { Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { labelOf } from '../state/labels.ts'
import type { SeenSchema } from '../state/model.ts'
import { usePeople } from '../state/people.ts'
import { t } from '../words/home.ts'
import { ago, moment } from '../words/words.ts'

const SHOWN = 8

export function LastChanged({ schema }: { readonly schema: SeenSchema }) {
  const { browser, call, model, scope } = useConsole()
  const nameOfPerson = usePeople()
  const query = useQuery(`home changed ${schema.id}`, async (signal) => {
    const sort = [{ field: 'updatedAt', direction: 'desc' }] as const
    const body = {
      criteria: [],
      criteriaOperator: 'and',
      schemaId: schema.id,
      sort,
      limit: SHOWN,
      total: false,
    } as const
    return (await call('POST /api/v1/search', { body, signal })).body
  })
  if (query.data.value?.length === 0) return null
  return (
    <section>
      <h2>{t('home.lastChanged')}</h2>
      <Shown query={query} isLive>
        {(records) => (
          <table class="ledger">
            <tbody>
              {records.map((record) => (
                <tr key={record.id}>
                  <th scope="row">
                    <a href={writeAddress({ place: 'records', id: record.id })} dir="auto">
                      {labelOf(record, schema, scope.current.value)}
                    </a>
                  </th>
                  <td>{model.stateName(schema.workflowId, record.lifecycleStateId)}</td>
                  <td dir="auto" class="wide">
                    {nameOfPerson(record.updatedBy)}
                  </td>
                  <td class="number">
                    <time dateTime={record.updatedAt} title={moment(record.updatedAt)}>
                      {ago(record.updatedAt, browser.now())}
                    </time>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Shown>
    </section>
  )
}
