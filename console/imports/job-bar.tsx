// A job on the file: its progress with cancel, or its result, with the failed rows as a file.
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { JobSign } from '../kit/job-sign.tsx'
import { saveFile } from '../kit/save-file.ts'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { isOver, type Job } from '../state/jobs.ts'
import { t } from '../words/place.ts'
import type { Import } from './mapping.ts'

export function JobBar({ job }: { readonly job: Job }) {
  const { call } = useConsole()
  const { isBusy, act } = useActing()
  const { id, done, selected, dryRun, created = 0, updated = 0, unchanged, failed, status, pausedReason } = job
  const cancel = () => act(() => call('POST /api/v1/bulk-jobs/:id/cancel', { params: { id } }))
  return (
    <section class="job-facts">
      <p class="row" role="status">
        <JobSign job={job} />
        {!isOver(job) && <progress value={done} max={Math.max(1, selected)} aria-label={t('imports.progress')} />}
        <span>{t('imports.rows', { done, count: selected })}</span>
        {!isOver(job) && (
          <Button icon="close" isBusy={isBusy} onClick={cancel}>
            {t('cancel')}
          </Button>
        )}
        <a href={writeAddress({ place: 'bulk', id })}>{t('imports.job')}</a>
      </p>
      {status === 'interrupted' && (
        <p class="warning" dir="auto">
          {pausedReason === null ? t('imports.interrupted') : pausedReason.message}
        </p>
      )}
      <p class="import-figures">
        {t(dryRun ? 'imports.wouldFigures' : 'imports.figures', { created, updated, unchanged, failed })}
      </p>
    </section>
  )
}

/** The page downloads the file itself, because a link cannot send the token. */
export function FailedRows({ job, found }: { readonly job: Job; readonly found: Import }) {
  const { call } = useConsole()
  const { isBusy, act } = useActing()
  if (job.failed === 0) return null
  const download = () =>
    act(async () => {
      const { body } = await call('GET /api/v1/imports/:id/failed.csv', { params: { id: found.id }, isFile: true })
      const ending = found.format === 'ndjson' ? 'jsonl' : 'csv'
      saveFile(body as unknown as Blob, `${found.fileName.replace(/\.\w+$/, '')}-failed.${ending}`)
    })
  return (
    <Button icon="imports" isBusy={isBusy} onClick={download}>
      {t('imports.downloadFailed', { count: job.failed })}
    </Button>
  )
}
