// The button that undoes a job, and leads to the job of the undo.
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { useConsole } from '../state/context.ts'
import type { Job } from '../state/jobs.ts'
import { t } from '../words/place.ts'

/** An import that changed no record may have made a schema, options or categories. */
export function UndoButton({ job: { id, changed, undoneBy, ownerId } }: { readonly job: Job }) {
  const { call, jobs, model, router } = useConsole()
  const { isBusy, act } = useActing()
  const undo = () =>
    act(async () => {
      const { body } = await call('POST /api/v1/bulk-jobs/:id/undo', { params: { id } })
      if (ownerId === model.me.value?.id) jobs.watch(body)
      router.go({ place: 'bulk', id: body.id })
    })
  return (
    <Button
      icon="undo"
      isBusy={isBusy}
      closedBecause={undoneBy === null ? undefined : t('bulk.undoneAlready')}
      onClick={undo}
    >
      {changed === 0 ? t('bulk.undoMade') : t('bulk.undo', { count: changed })}
    </Button>
  )
}
