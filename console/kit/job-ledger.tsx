// Jobs as lines: actions, state, progress.
import { writeAddress } from '../state/addresses.ts'
import type { Job } from '../state/jobs.ts'
import { t } from '../words/place.ts'
import { Ago } from './ago.tsx'
import { jobName, JobSign } from './job-sign.tsx'

export function JobLedger({ label, jobs }: { readonly label: string; readonly jobs: readonly Job[] }) {
  return (
    <table class="ledger" aria-label={label}>
      <tbody>
        {jobs.map((job) => (
          <tr key={job.id}>
            <th scope="row">
              <a href={writeAddress({ place: 'bulk', id: job.id })} dir="auto">
                {jobName(job)}
              </a>
              {job.dryRun && <span class="quiet"> · {t('dryRun')}</span>}
            </th>
            <td>
              <JobSign job={job} />
            </td>
            <td class="number wide">{t('jobs.progress', { done: job.done, total: job.selected })}</td>
            <td class="number">
              <Ago at={job.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
