// `pimlet import --failed` and `pimlet files add`: the server keeps the file, imports it by a job, and returns the failed
// rows. Contract 3 §4, 3 §8, 4 §4.
import type { ImportResult } from '../imports/rules/import-outcome.ts'
import type { ErrorView } from '../core/jobs/rules/bulk-job.ts'
import type { Readable } from 'node:stream'
import { StartError } from '../kernel/machine/start-error.ts'
import type { Connection } from '../kernel/settings/workspace-place.ts'
import { followJob, type Job } from './bulk-watching.ts'
import { call, getJson, readJson } from './client.ts'
import { writeOutput } from './output-file.ts'

const JSON_TYPE = 'application/json'

export interface JobImport {
  readonly fileName: string
  /** The media type of the file. */
  readonly type: string
  /** The parts of the file that the progress counts. */
  readonly unit: 'rows' | 'files'
  /** Lets `work` read the file, and shows the progress. */
  readonly watched: <Result>(work: (open: () => Readable) => Promise<Result>) => Promise<Result>
  /** Parameters for reading the file, named as in the endpoint. */
  readonly reading: Readonly<Record<string, string>>
  /** The body of the request that sets the mapping. */
  readonly mapping: object
  /** Query parameters of the request that begins the job. */
  readonly beginning: Readonly<Record<string, string>>
  readonly dryRun: boolean
  /** Errors that are printed. */
  readonly shown: number
}

export interface JobResult extends Pick<ImportResult, 'created' | 'updated' | 'unchanged' | 'failed' | 'limit'> {
  readonly errors: readonly {
    readonly line: number
    readonly file: string | undefined
    readonly id: string | null
    readonly error: string
    readonly message: string
  }[]
  /** New records of pictures; 0 without a zip. */
  readonly pictures: number
  /** The samples of a dry run. */
  readonly sample: Job['sample']
}

/**
 * @param failed the file for the failed rows; undefined: nobody wants them
 * @throws StartError
 */
export async function importByJob(
  connection: Connection,
  asked: JobImport,
  failed: { readonly name: string; readonly mayReplace: boolean } | undefined,
): Promise<JobResult> {
  const query = new URLSearchParams({ ...asked.reading, fileName: asked.fileName })
  const { type, unit } = asked
  const send = (content: Readable) => call(connection, 'POST', `/api/v1/imports?${query.toString()}`, { type, content })
  const { id } = await readJson<{ id: string }>(await asked.watched((open) => send(open())))
  const place = `/api/v1/imports/${encodeURIComponent(id)}`
  try {
    const mapping = { type: JSON_TYPE, content: JSON.stringify(asked.mapping) }
    await readJson(await call(connection, 'PUT', `${place}/mapping`, mapping))
    const how = `${asked.dryRun ? 'dry-run' : 'run'}?${new URLSearchParams(asked.beginning).toString()}`
    const begun = await call(connection, 'POST', `${place}/${how}`)
    const job = await followJob(connection, await readJson<Job>(begun), { label: 'import', unit })
    const errors = await errorsOf(connection, job, asked.shown)
    if (job.failed > 0 && failed !== undefined)
      await writeOutput(failed.name, rowsOf(await call(connection, 'GET', `${place}/failed.csv`)), failed)
    return resultOf(job, errors)
  } finally {
    // The user has the failed rows now. The job stays, and can be undone.
    await call(connection, 'DELETE', place).catch(() => undefined)
  }
}

function errorsOf(connection: Connection, { id }: Job, limit: number): Promise<ErrorView[]> {
  return getJson<ErrorView[]>(connection, `/api/v1/bulk-jobs/${encodeURIComponent(id)}/errors?limit=${limit}`)
}

/** @throws StartError where the job did not complete */
function resultOf(
  { id, status, created, updated, unchanged, failed, limit, pictures = 0, sample = [] }: Job,
  errors: readonly ErrorView[],
): JobResult {
  if (status !== 'succeeded') {
    const reason = errors.find(({ line = null }) => line === null)
    throw new StartError(`The job '${id}' is ${status}${reason ? `: ${reason.error}: ${reason.message}` : ''}`)
  }
  const told = errors.map(({ line, file, recordId, error, message }) => ({
    line: line ?? 0,
    file,
    id: recordId,
    error,
    message,
  }))
  return { created: created ?? 0, updated: updated ?? 0, unchanged, failed, limit, errors: told, pictures, sample }
}

async function* rowsOf(answer: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  yield* answer
}
