// One run: its result, a failure in plain words, and cancel for a running run.
import type { ComponentChildren } from 'preact'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { moment, number, time } from '../words/words.ts'
import { failureKind } from '../jobs/failure-kinds.ts'
import { useJobActions } from './job-actions.ts'
import type { ExportRun } from './job-draft.ts'
import { durationOf } from './run-bars.ts'
import { byteText, durationText } from '../fields/measures.ts'

const LOOKS = {
  running: { icon: 'wait', tone: 'wait' },
  success: { icon: 'good', tone: 'good' },
  failed: { icon: 'bad', tone: 'bad' },
} as const

export function RunLine({ run, children }: { readonly run: ExportRun; readonly children?: ComponentChildren }) {
  const { model } = useConsole()
  const actions = useJobActions()
  const { icon, tone } = LOOKS[run.status]
  return (
    <div class="run-line">
      <span class={`run-state ${tone}`}>
        <Icon name={icon} />
        {t(`run.${run.status}`)}
      </span>
      <span>{moment(run.startedAt)}</span>
      <span class="quiet">{factsOf(run).join(' · ')}</span>
      {run.status === 'running' && model.may('exportJobs.write') && (
        <Button isBusy={actions.isBusy} onClick={() => actions.cancel(run.jobId, run.id)}>
          {t('cancel')}
        </Button>
      )}
      {run.progress !== null && <RunProgress progress={run.progress} />}
      {run.keptUntil !== null && model.may('exportJobs.write') && (
        <Button icon="redo" isBusy={actions.isBusy} onClick={() => actions.redeliver(run.jobId, run.id)}>
          {t('exports.redeliver')}
        </Button>
      )}
      {children}
      {run.status === 'failed' && <Failure error={run.error} />}
      {run.files !== null && run.files.errors.length > 0 && <FileErrors errors={run.files.errors} />}
    </div>
  )
}

/** The sentence of Home about the failure, and an advice. */
export function causeOf(message: string | null): string {
  const kind = failureKind(message)
  return `${t(`home.fail.${kind}`)} ${t(`exports.fail.${kind}`)}`
}

/** The failure in plain words, and in the words of the server. */
function Failure({ error }: { readonly error: string | null }) {
  const kind = failureKind(error)
  return (
    <div class="run-failure">
      <p>{causeOf(error)}</p>
      {error !== null && error !== 'cancelled' && (
        <details open={kind === 'other' || kind === 'answer'}>
          <summary class="quiet">{t('exports.serverSays')}</summary>
          <p class="quiet" lang="en" dir="auto">
            {error}
          </p>
        </details>
      )}
    </div>
  )
}

/** Pictures that are missing in the feed, with the reasons in the server's words. */
function FileErrors({ errors }: { readonly errors: NonNullable<ExportRun['files']>['errors'] }) {
  return (
    <details class="run-failure">
      <summary>{t('exports.fileErrors')}</summary>
      <ul>
        {errors.map(({ recordId, n, message }) => (
          <li key={`${recordId} ${n}`} dir="auto">
            {recordId}, {n}: {message}
          </li>
        ))}
      </ul>
    </details>
  )
}

function factsOf(run: ExportRun): string[] {
  const duration = durationOf(run)
  return [
    run.kind === 'delta' ? t('exports.kind.delta') : '',
    run.redelivers === null ? '' : t('exports.isRedelivery'),
    run.recordCount === null ? '' : t('records', { count: run.recordCount }),
    run.fileSize === null ? '' : byteText(run.fileSize, number),
    duration === undefined ? '' : durationText(duration, number),
    run.destinationPath ?? '',
    run.files === null ? '' : t('exports.files', run.files),
    (run.attempts ?? 0) > 1 ? t('form.attempts', { count: run.attempts ?? 0 }) : '',
  ].filter((fact) => fact !== '')
}

/** The number of records in the file, or the attempt at delivery. */
function RunProgress({ progress }: { readonly progress: NonNullable<ExportRun['progress']> }) {
  const { phase, records, total, bytes, attempt, nextAttemptAt, files } = progress
  const isCounted = phase === 'rendering' && total !== null
  return (
    <span class="row">
      <progress
        aria-label={t(`exports.phase.${phase}`)}
        {...(isCounted ? { value: records, max: Math.max(1, total) } : {})}
      />
      {t(`exports.phase.${phase}`)}
      <span class="quiet">
        {[
          total === null ? t('records', { count: records }) : t('of', { at: records, total }),
          bytes === 0 ? '' : byteText(bytes, number),
          files === null ? '' : t('exports.filesDone', { count: files }),
          attempt > 1 ? t('exports.attempt', { attempt }) : '',
          nextAttemptAt === null ? '' : t('form.nextAttempt', { at: time(nextAttemptAt) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
  )
}
