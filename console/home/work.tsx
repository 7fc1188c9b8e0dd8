// Background work: exports with their last and next run, and bulk jobs.
import { Icon } from '../kit/icon.tsx'
import type { IconName } from '../kit/icons.ts'
import { JobLedger } from '../kit/job-ledger.tsx'
import { Shown } from '../kit/states.tsx'
import type { Endpoints } from '../api/types.ts'
import { failureKind } from '../jobs/failure-kinds.ts'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useRead } from '../state/context.ts'
import { ago, day, moment, time, t } from '../words/words.ts'

export function Work() {
  const { model } = useConsole()
  return (
    <>
      {model.may('exportJobs.read') && <Exports />}
      <Jobs />
    </>
  )
}

const SHOWN = 6
const SIGNS: Readonly<Record<'running' | 'success' | 'failed', { icon: IconName; class: string }>> = {
  running: { icon: 'wait', class: 'wait' },
  success: { icon: 'good', class: 'good' },
  failed: { icon: 'bad', class: 'bad' },
}

function Exports() {
  const { browser } = useConsole()
  const query = useRead('home exports', 'GET /api/v1/export-jobs')
  if (query.data.value?.length === 0) return null
  return (
    <section>
      <h2>{t('place.exports')}</h2>
      <Shown query={query} isLive>
        {(jobs) => (
          <table class="ledger stacked">
            <tbody>
              {failedFirst(jobs)
                .slice(0, SHOWN)
                .map(({ id, name, lastRun, nextRunAt, active }) => (
                  <tr key={id}>
                    <th scope="row">
                      <a href={writeAddress({ place: 'exports', id })} dir="auto">
                        {name}
                      </a>
                      {lastRun?.status === 'failed' && <Cause error={lastRun.error} />}
                    </th>
                    <td>
                      {lastRun === null ? (
                        <span class="quiet">–</span>
                      ) : (
                        <span class={`sign ${SIGNS[lastRun.status].class}`}>
                          <Icon name={SIGNS[lastRun.status].icon} />
                          {t(`run.${lastRun.status}`)} {ago(lastRun.startedAt, browser.now())}
                        </span>
                      )}
                    </td>
                    <td class="number">
                      {active && nextRunAt !== null ? (
                        <time dateTime={nextRunAt} title={moment(nextRunAt)}>
                          {t('home.next', { time: nextText(nextRunAt, browser.now()) })}
                        </time>
                      ) : (
                        <span class="quiet">{t('home.paused')}</span>
                      )}
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

type ExportJob = Endpoints['GET /api/v1/export-jobs']['reply'][number]

/** Sorts failed jobs first, so that no failure is beyond the shown lines. */
function failedFirst(jobs: readonly ExportJob[]): ExportJob[] {
  const isFailed = ({ lastRun }: ExportJob) => Number(lastRun?.status === 'failed')
  return jobs.toSorted((one, other) => isFailed(other) - isFailed(one))
}

/** Returns the text of a time; a time of today has no day. */
function nextText(at: string, now: number): string {
  return day(at) === day(new Date(now).toISOString()) ? time(at) : moment(at)
}

/** The cause in the user's language; of an unknown cause, the words of the server. */
function Cause({ error }: { readonly error: string | null }) {
  const kind = failureKind(error)
  return (
    <small class="cause" dir="auto" title={error ?? undefined}>
      {kind === 'other' && error !== null ? error : t(`home.fail.${kind}`)}
    </small>
  )
}

function Jobs() {
  const query = useRead('home jobs', 'GET /api/v1/bulk-jobs', { query: { limit: SHOWN } })
  if ((query.data.value ?? []).length === 0) return null
  return (
    <section>
      <h2>{t('place.bulk')}</h2>
      <Shown query={query} isLive>
        {(jobs) => <JobLedger label={t('place.bulk')} jobs={jobs} />}
      </Shown>
    </section>
  )
}
