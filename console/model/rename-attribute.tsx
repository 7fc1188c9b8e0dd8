// Renames an alias: a job of the server keeps every value, and updates every use of the alias.
// Contract 3 §2 (Renaming).
import { useState } from 'preact/hooks'
import { useActing } from '../kit/acting.ts'
import { Dialog, DialogFoot } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'

export function RenameAttribute(props: {
  readonly schemaId: string
  readonly from: string
  readonly onClose: () => void
}) {
  const { schemaId, from, onClose } = props
  const { call, cache, jobs, model, router, status } = useConsole()
  const { isBusy, act } = useActing()
  const [to, setTo] = useState(from)
  const isReady = to !== from && to !== ''
  const rename = () =>
    act(async () => {
      const answer = await call('POST /api/v1/schemas/:id/rename-attribute', {
        params: { id: schemaId },
        body: { from, to },
      })
      status.tell(t('model.asJob'))
      onClose()
      jobs.watch(answer.body, (job) => {
        if (job.status !== 'succeeded') status.complain(t('model.renameFailed', { name: from }))
        void model.load().then(() => {
          cache.refreshAll('model ')
          cache.refreshAll('record')
          router.setQuery({ at: to })
        })
      })
    })
  return (
    <Dialog guide="console#schemas" title={t('model.renameTitle', { name: from })} onClose={onClose}>
      <p>{t('model.renameHelp')}</p>
      <TextField {...hinted('model.newAlias')} value={to} hasFocus onInput={setTo} />
      <DialogFoot
        action={t('model.rename')}
        isBusy={isBusy}
        closedBecause={isReady ? undefined : t('model.aliasFirst')}
        onClick={rename}
        onClose={onClose}
      />
    </Dialog>
  )
}
