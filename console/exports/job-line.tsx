// One job in the list: content, destination, schedule, last runs, actions.
import { Button, LinkButton } from '../kit/button.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { locale } from '../words/words.ts'
import { useJobActions } from './job-actions.ts'
import { type ExportJob, type ExportRun, fileKind } from './job-draft.ts'
import type { RunBar } from './run-bars.ts'
import { RunLine } from './run-line.tsx'
import { scheduleText } from './schedule-text.ts'
import { knownZone, timeIn } from './schedule-texts.ts'

export function JobLine(props: {
  readonly job: ExportJob
  readonly bars: readonly RunBar[]
  readonly latest: ExportRun | null
}) {
  const { job, bars, latest } = props
  const { model } = useConsole()
  return (
    <li class="job-line">
      <div class="job-what">
        <a class="strong" href={writeAddress({ place: 'exports', id: job.id })} dir="auto">
          {job.name}
        </a>
        <span class="quiet" dir="auto">
          {[job.destinationType, fileKind(job), model.scopeName(job.dimensionScope ?? {})].filter(Boolean).join(' · ')}
        </span>
      </div>
      <div class="job-when">
        <NextRun job={job} />
        <span class="quiet" title={job.schedule}>
          {scheduleText(job.schedule)} · {job.timezone}
        </span>
      </div>
      <Bars bars={bars} />
      <JobButtons job={job} isRunning={latest?.status === 'running'} />
      {latest !== null && latest.status !== 'success' && (
        <div class="job-run">
          <RunLine run={latest} />
        </div>
      )}
    </li>
  )
}

function NextRun({ job }: { readonly job: ExportJob }) {
  if (!job.active) return <span class="wait">{t('exports.paused')}</span>
  if (job.nextRunAt === null) return <span>–</span>
  return <span>{t('exports.next', { at: timeIn(job.nextRunAt, knownZone(job.timezone), locale.value) })}</span>
}

export function JobButtons({ job, isRunning }: { readonly job: ExportJob; readonly isRunning: boolean }) {
  const { model } = useConsole()
  const actions = useJobActions()
  if (!model.may('exportJobs.write')) return null
  return (
    <div class="row end">
      <Button
        isBusy={actions.isBusy}
        closedBecause={isRunning ? t('exports.runsAlready') : undefined}
        onClick={() => actions.runNow(job)}
      >
        {t('exports.runNow')}
      </Button>
      <Button isBusy={actions.isBusy} onClick={() => actions.setActive(job, !job.active)}>
        {job.active ? t('form.pause') : t('form.resume')}
      </Button>
      <LinkButton href={writeAddress({ place: 'exports', id: job.id, query: { edit: '1' } })}>{t('edit')}</LinkButton>
    </div>
  )
}

/** The last runs: the height shows the duration; a gap with a dot is a failed run. Screen readers get words. */
function Bars({ bars }: { readonly bars: readonly RunBar[] }) {
  if (bars.length === 0) return <span class="quiet">{t('exports.neverRun')}</span>
  const count = (status: RunBar['status']) => bars.filter((bar) => bar.status === status).length
  const said = t('exports.lastRuns', { count: bars.length, done: count('success'), failed: count('failed') })
  return (
    <span class="bars" role="img" aria-label={said} title={said}>
      {bars.map(({ id, status, height }) => (
        <span
          key={id}
          class={`run-bar ${status}`}
          style={status === 'success' ? { height: `${height}%` } : undefined}
        />
      ))}
    </span>
  )
}
