// Shows the changes of a restoration before it happens. Contract 3 §3 (`?version=`). Y2.
import { Dialog, DialogFoot } from '../kit/dialog.tsx'
import { Shown } from '../kit/states.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { moment } from '../words/words.ts'
import { ChangeText } from './change-text.tsx'
import { differences } from './past.ts'
import { useRecord, useRecordQuery } from './use-record.ts'

const SHOWN = 50

export function RestoreDialog(props: {
  readonly version: number
  readonly timestamp: string
  readonly onRestore: () => void
  readonly onClose: () => void
}) {
  const { call } = useConsole()
  const { form } = useRecord()
  const { version, timestamp, onRestore, onClose } = props
  const id = form.recordId
  const query = useRecordQuery(
    `version ${version}`,
    async (signal) => (await call('GET /api/v1/records/:id', { params: { id }, query: { version }, signal })).body,
  )
  return (
    <Dialog
      guide="console#history"
      title={t('record.momentOf', { when: moment(timestamp) })}
      class="restore-dialog"
      onClose={onClose}
    >
      <Shown query={query}>
        {(past) => {
          const changes = differences(form.stored.value?.record.values ?? {}, past.values)
          return (
            <>
              <p>{t('record.wouldChange', { count: changes.length })}</p>
              <ul>
                {changes.slice(0, SHOWN).map((change) => (
                  <li key={`${change.attributeAlias} ${JSON.stringify(change.scope)}`} class="entry-change">
                    <ChangeText change={change} />
                  </li>
                ))}
              </ul>
              {changes.length > SHOWN && <p class="hint">{t('record.more', { count: changes.length - SHOWN })}</p>}
              <DialogFoot
                action={t('record.restore')}
                closedBecause={changes.length === 0 ? t('record.wouldChange', { count: 0 }) : undefined}
                onClick={() => {
                  onClose()
                  onRestore()
                }}
                onClose={onClose}
              />
            </>
          )
        }}
      </Shown>
    </Dialog>
  )
}
