// All jobs, the newest first.
import { PlaceHead } from '../kit/place-head.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { MoreButton } from '../kit/more-button.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { usePagedQuery } from '../state/paged-query.ts'
import type { Job } from '../state/jobs.ts'
import { t } from '../words/bulk.ts'
import { ago, moment } from '../words/words.ts'
import { jobName, JobSign } from '../jobs/job-sign.tsx'

const PAGE = 50

export function BulkJobs() {
  const { browser, call } = useConsole()
  const jobs = usePagedQuery<Job>('bulk jobs', async (after, signal) => {
    const offset = Number(after ?? 0)
    const query = { limit: PAGE, offset }
    const { body, total } = await call('GET /api/v1/bulk-jobs', { query, ...(signal === undefined ? {} : { signal }) })
    return { items: body, total, next: body.length < PAGE ? undefined : String(offset + PAGE) }
  })
  return (
    <>
      <PlaceHead title={t('bulk.jobs')} />
      <Shown query={jobs.query} class="page" isLive>
        {(page) =>
          page.items.length === 0 ? (
            <Empty icon="activity" title={t('bulk.noJobs')}>
              <p>{t('bulk.noJobsHelp')}</p>
            </Empty>
          ) : (
            <>
              <table class="ledger">
                <tbody>
                  {page.items.map((job) => (
                    <tr key={job.id}>
                      <th scope="row">
                        <a href={writeAddress({ place: 'bulk', id: job.id })} dir="auto">
                          {jobName(job)}
                        </a>
                        {job.dryRun && <span class="quiet"> · {t('bulk.dryRun')}</span>}
                      </th>
                      <td>
                        <JobSign job={job} />
                      </td>
                      <td class="number wide">{t('jobs.progress', { done: job.done, total: job.selected })}</td>
                      <td class="number">
                        <time dateTime={job.createdAt} title={moment(job.createdAt)}>
                          {ago(job.createdAt, browser.now())}
                        </time>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <MoreButton paged={jobs} />
            </>
          )
        }
      </Shown>
    </>
  )
}
