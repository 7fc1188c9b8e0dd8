// Bulk jobs for tests: posts a job and waits for its end.
import assert from 'node:assert/strict'
import { type Answer, send } from './answers.ts'
import type { Client } from './client.ts'

export interface BulkJobBody {
  id: string
  name: string | null
  kind: string
  status: string
  dryRun: boolean
  selected: number
  done: number
  changed: number
  unchanged: number
  failed: number
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  createdBy: string
  ownerId: string
  pausedReason: { code: string; message: string } | null
  undoes: string | null
  undoneBy: string | null
  created?: number
  updated?: number
  importId?: string
  sample?: { recordId: string; line?: number; changes: unknown[] }[]
}

export interface BulkErrorBody {
  line?: number
  recordId: string | null
  error: string
  message: string
}

const PATH = '/api/v1/bulk-jobs'

export function postJob(client: Client, body: unknown): Promise<Answer<BulkJobBody>> {
  return send<BulkJobBody>(client, 'POST', PATH, body)
}

/** Resolves to the ended job. Checks that its counts always add up. */
export async function untilEnded(client: Client, id: string): Promise<BulkJobBody> {
  for (;;) {
    const { status, body, text } = await send<BulkJobBody>(client, 'GET', `${PATH}/${id}?wait=5`)
    assert.equal(status, 200, text)
    assert.equal(body.done, body.changed + body.unchanged + body.failed)
    if (body.completedAt === null) continue
    if (body.status === 'succeeded') assert.equal(body.done, body.selected)
    return body
  }
}

/** Posts a job, which must be accepted, and waits for its end. */
export async function runJob(client: Client, body: object): Promise<BulkJobBody> {
  const posted = await postJob(client, body)
  assert.equal(posted.status, 202, posted.text)
  return untilEnded(client, posted.body.id)
}

export async function undoJob(client: Client, id: string): Promise<BulkJobBody> {
  const answer = await send<BulkJobBody>(client, 'POST', `${PATH}/${id}/undo`)
  assert.equal(answer.status, 202, answer.text)
  return untilEnded(client, answer.body.id)
}

export async function errorsOf(client: Client, id: string): Promise<BulkErrorBody[]> {
  const { status, body, text } = await send<BulkErrorBody[]>(client, 'GET', `${PATH}/${id}/errors?limit=1000`)
  assert.equal(status, 200, text)
  return body
}

export const byIds = (...ids: string[]) => ({ ids })
export const byQuery = (criteria: object[] = [], more: object = {}) => ({
  query: { criteria, criteriaOperator: 'and', ...more },
})
