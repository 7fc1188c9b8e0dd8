// The actions on a job and its runs, and the queries that each action renews.
import { type Acting, useActing } from '../kit/acting.ts'
import { useConsole } from '../state/context.ts'
import { newKey } from '../state/new-key.ts'
import { t } from '../words/place.ts'
import type { ExportJob } from './job-draft.ts'

interface JobActions extends Pick<Acting, 'isBusy'> {
  runNow(job: ExportJob): void
  setActive(job: ExportJob, isActive: boolean): void
  cancel(jobId: string, runId: string): void
  /** Sends the file of a failed delivery once more, as a new run. */
  redeliver(jobId: string, runId: string): void
}

export function useJobActions(): JobActions {
  const { call, cache, status } = useConsole()
  const { isBusy, act } = useActing()
  const renew = () => cache.refreshAll('exports ')
  return {
    isBusy,
    runNow: ({ id, name }) =>
      void act(async () => {
        await call('POST /api/v1/export-jobs/:id/trigger', { params: { id } })
        status.tell(t('exports.started', { name }))
      }).then(renew),
    setActive: ({ id }, isActive) =>
      void act(() =>
        isActive
          ? call('POST /api/v1/export-jobs/:id/resume', { params: { id } })
          : call('POST /api/v1/export-jobs/:id/pause', { params: { id } }),
      ).then(renew),
    cancel: (id, runId) =>
      void act(() => call('POST /api/v1/export-jobs/:id/runs/:runId/cancel', { params: { id, runId } })).then(renew),
    redeliver: (id, runId) =>
      void act(() =>
        call('POST /api/v1/export-jobs/:id/runs/:runId/redeliver', { params: { id, runId }, idempotencyKey: newKey() }),
      ).then(renew),
  }
}
