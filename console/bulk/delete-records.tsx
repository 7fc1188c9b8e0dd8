// Deletes many records by a job, so that undo also restores their variants. G5.
import { Confirm } from '../kit/confirm.tsx'
import { sayFailure } from '../kit/failure-text.ts'
import type { Console } from '../state/console.ts'
import { useConsole } from '../state/context.ts'
import type { DeletePanelProps } from '../state/panel-props.ts'
import { t } from '../words/place.ts'
import type { JobBody } from './action-drafts.ts'
import { jobStep, watched } from './job-step.ts'

export function DeleteRecords({ count, onClose, ...rest }: DeletePanelProps) {
  const console = useConsole()
  return (
    <Confirm
      title={t('records.deleteTitle', { count })}
      action={t('delete')}
      icon="delete"
      onClose={onClose}
      onYes={() => {
        onClose()
        void deleteRecords(console, { count, ...rest })
      }}
    >
      <p>{t('records.deleteHelp')}</p>
    </Confirm>
  )
}

async function deleteRecords(
  console: Console,
  { selection, count, onBegun, onDone }: Omit<DeletePanelProps, 'onClose'>,
): Promise<void> {
  const body = { selection, actions: [{ delete: true }] } as unknown as JobBody
  try {
    const { body: job } = await console.call('POST /api/v1/bulk-jobs', { body })
    onBegun()
    const ended = await watched(console, job)
    onDone()
    console.status.tell(t('records.deleted', { count: ended.changed }))
    if (ended.failed > 0)
      console.status.complain(t('records.notDeleted', { count: ended.failed }), {
        title: t('open'),
        run: () => console.router.go({ place: 'bulk', id: ended.id }),
      })
    if (ended.changed > 0) console.undo.push(jobStep(console, ended, body, t('records.stepDelete', { count }), onDone))
  } catch (error) {
    console.status.complain(sayFailure(error as Error))
  }
}
