// Records as lines: label, state, last author and time.
import type { Endpoints } from '../api/types.ts'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { labelOf } from '../state/labels.ts'
import { usePeople } from '../state/people.ts'
import { Ago } from './ago.tsx'
import { Person } from './avatar.tsx'
import { StateMark } from './state-mark.tsx'

export type LedgerRecord = Endpoints['POST /api/v1/search']['reply'][number]

export function RecordLedger(props: {
  readonly label: string
  readonly records: readonly LedgerRecord[]
  /** The records belong to several schemas. */
  readonly hasSchema?: boolean
}) {
  const { model, scope } = useConsole()
  const nameOfPerson = usePeople()
  return (
    <table class="ledger" aria-label={props.label}>
      <tbody>
        {props.records.map((record) => {
          const schema = model.schema(record.schemaId)
          return (
            <tr key={record.id}>
              <th scope="row">
                <a href={writeAddress({ place: 'records', id: record.id })} dir="auto">
                  {labelOf(record, schema, scope.current.value)}
                </a>
              </th>
              {props.hasSchema === true && (
                <td dir="auto" class="wide">
                  {model.schemaName(record.schemaId)}
                </td>
              )}
              <td>
                <StateMark workflowId={schema?.workflowId ?? ''} stateId={record.lifecycleStateId} />
              </td>
              {/* Without the right to read the trail, a role sees IDs instead of names. */}
              <td class="wide">
                {model.may('audit.read') && <Person id={record.updatedBy} name={nameOfPerson(record.updatedBy)} />}
              </td>
              <td class="number">
                <Ago at={record.updatedAt} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
