// Export jobs in tests: bodies of requests, and shapes of jobs and runs in responses.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { send } from './answers.ts'
import type { Client } from './client.ts'
import { eventually, type Puppet } from './puppet.ts'
import { make } from './shirts.ts'

export interface RunBody {
  id: string
  jobId: string
  status: 'running' | 'success' | 'failed'
  startedAt: string
  completedAt: string | null
  recordCount: number | null
  fileSize: number | null
  destinationPath: string | null
  error: string | null
  kind: 'full' | 'delta' | null
  durationMs: number | null
  attempts: number | null
  sha256: string | null
  redelivers: string | null
  keptUntil: string | null
  progress: { phase: string; records: number; total: number | null; bytes: number; attempt: number } | null
}

/** Lists files of the spool, except those kept for another delivery. */
export async function litterIn(spool: string, client: Client): Promise<string[]> {
  const { body } = await send<RunBody[]>(client, 'GET', '/api/v1/export-runs?limit=1000')
  const kept = body.filter(({ keptUntil }) => keptUntil !== null).map(({ id }) => id)
  return readdirSync(spool).filter((name) => !kept.includes(name.split('.')[0]!))
}

export interface JobBody {
  id: string
  name: string
  description: string
  destinationType: string
  destinationConfig: Record<string, unknown>
  format: string
  schemaId: string | null
  catalogId: string | null
  dimensionScope: Record<string, string> | null
  includeLifecycleStateIds: string[] | null
  files: object | null
  schedule: string
  timezone: string
  missedRunPolicy: string
  includeVariants: boolean
  variantValues: string
  compress: boolean
  spreadsheetSafe: boolean
  selection: object | null
  sort: object[]
  columns: object[] | null
  delimiter: string
  decimal: string
  bom: boolean
  sheet: string | null
  filenameTemplate: string
  maxAttempts: number
  active: boolean
  createdAt: string
  updatedAt: string
  createdBy: string
  ownerId: string
  pausedReason: { code: string; message: string } | null
  nextRunAt: string | null
  lastRun: RunBody | null
}

export const TOKEN = 'tOken/of the+puppet&4711'

/** Returns the minimal body that creates a job for the puppet. */
export function jobFor(puppet: Puppet, behaviour: string, more: object = {}) {
  return {
    name: 'Nightly',
    destinationType: 'puppet',
    destinationConfig: { behaviour, directory: puppet.directory, token: TOKEN },
    format: 'csv',
    schedule: '0 3 1 1 *',
    includeVariants: true,
    compress: false,
    filenameTemplate: 'export-{runId}.csv',
    ...more,
  }
}

export function makeJob(client: Client, body: object): Promise<JobBody> {
  return make<JobBody>(client, '/api/v1/export-jobs', body)
}

export async function getJob(client: Client, id: string): Promise<JobBody> {
  const answer = await send<JobBody>(client, 'GET', `/api/v1/export-jobs/${id}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export async function listRuns(client: Client, jobId: string): Promise<RunBody[]> {
  const answer = await send<RunBody[]>(client, 'GET', `/api/v1/export-jobs/${jobId}/runs`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export async function trigger(client: Client, jobId: string): Promise<RunBody> {
  const answer = await send<RunBody>(client, 'POST', `/api/v1/export-jobs/${jobId}/trigger`)
  assert.equal(answer.status, 202, answer.text)
  assert.equal(answer.body.status, 'running')
  return answer.body
}

export async function cancel(client: Client, { jobId, id }: RunBody): Promise<RunBody> {
  const answer = await send<RunBody>(client, 'POST', `/api/v1/export-jobs/${jobId}/runs/${id}/cancel`)
  assert.equal(answer.status, 202, answer.text)
  return answer.body
}

/** Resolves to the ended run. */
export function whenEnded(client: Client, { jobId, id }: RunBody): Promise<RunBody> {
  return eventually(async () => {
    const answer = await send<RunBody>(client, 'GET', `/api/v1/export-jobs/${jobId}/runs/${id}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.status !== 'running' && answer.body
  })
}

/** Makes a job with these settings and lets it run once. */
export async function runOnce(client: Client, body: object): Promise<RunBody> {
  const job = await makeJob(client, body)
  return whenEnded(client, await trigger(client, job.id))
}
