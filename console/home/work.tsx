// Background work: exports with their last and next run, and bulk jobs.
import { Icon } from '../kit/icon.tsx'
import type { IconName } from '../kit/icons.ts'
import { JobLedger } from '../kit/job-ledger.tsx'
import { Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useRead } from '../state/context.ts'
import { ago, moment, time, t } from '../words/words.ts'

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
          <table class="ledger">
            <tbody>
              {jobs.slice(0, SHOWN).map(({ id, name, lastRun, nextRunAt, active }) => (
                <tr key={id}>
                  <th scope="row">
                    <a href={writeAddress({ place: 'exports', id })} dir="auto">
                      {name}
                    </a>
                    {lastRun?.error && (
                      <small class="cause" dir="auto">
                        {lastRun.error}
                      </small>
                    )}
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
                  <td class="number wide">
                    {active && nextRunAt !== null ? (
                      <time dateTime={nextRunAt} title={moment(nextRunAt)}>
                        {t('home.next', { time: time(nextRunAt) })}
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

function Jobs() {
  const query = useRead('home jobs', 'GET /api/v1/bulk-jobs', { query: { limit: SHOWN } })
  if ((query.data.value ?? []).length === 0) return null
  return (
    <section>
      <h2>{t('home.jobs')}</h2>
      <Shown query={query} isLive>
        {(jobs) => <JobLedger label={t('home.jobs')} jobs={jobs} />}
      </Shown>
    </section>
  )
}
