// Finds export jobs that use a part of the model or a saved query. Jobs and their searches may be large, so few of them are
// in memory at a time.
import type { ExportJob } from '../../exports/rules/export-job.ts'
import { isBySavedQuery } from '../../exports/rules/job-selection.ts'
import { eachOf } from '../../store/each-of.ts'
import type { Reads } from '../../store/port.ts'
import { describeJob } from './rules/usage.ts'

/** The first export job that `uses` holds for, for a message, or undefined. */
export async function findJobUse(
  { exportJobs }: Pick<Reads, 'exportJobs'>,
  uses: (job: ExportJob) => boolean | Promise<boolean>,
): Promise<string | undefined> {
  for await (const job of eachOf(exportJobs)) if (await uses(job)) return describeJob(job)
  return undefined
}

/** The job's own search, or its saved query. undefined: the job has neither, or its saved query is gone. */
export async function searchOf(
  { savedQueries }: Pick<Reads, 'savedQueries'>,
  { selection }: Pick<ExportJob, 'selection'>,
) {
  if (selection === null) return undefined
  return isBySavedQuery(selection) ? savedQueries.get(selection.savedQueryId) : selection
}
