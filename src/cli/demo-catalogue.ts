// Creates the catalogue of the demonstration over HTTP, as a user would: a model, records, and later changes.
import { readDemoFile } from '../kernel/executable/assets.ts'
import type { Connection } from '../kernel/settings/workspace-place.ts'
import { call, getJson, readJson } from './client.ts'

/**
 * One request of `demo/*.json`. A text is a csv file. `kept` names the ID in the response, which replaces `{kept}` in
 * later paths. WAIT polls a job or run until it has ended.
 */
type Request = readonly [method: 'POST' | 'PUT' | 'WAIT', path: string, body: unknown, kept?: string]

interface DemoOptions {
  /** Target directory of exports. */
  readonly folder: string
  /** A password that nobody needs to know. */
  readonly secret: string
}

export async function makeDemoCatalogue(connection: Connection, options: DemoOptions): Promise<void> {
  await sendAll(connection, 'translator.json', options)
  await loadDemo(connection)
  await sendAll(connection, 'work.json', options)
  await sendAll(connection, 'story.json', options)
}

async function loadDemo(connection: Connection): Promise<void> {
  const job = await send(connection, 'POST', '/api/v1/demo', null)
  await whenEnded(connection, `/api/v1/bulk-jobs/${job}`)
  const { status, failed } = await getJson<{ status: string; failed: number }>(connection, `/api/v1/bulk-jobs/${job}`)
  if (status !== 'succeeded' || failed > 0)
    throw new Error(`The demonstration is not loaded: its job ${job} is ${status}`)
}

async function sendAll(connection: Connection, file: string, { folder, secret }: DemoOptions): Promise<void> {
  const text = readDemoFile(file)
    .replaceAll('"{folder}"', () => JSON.stringify(folder))
    .replaceAll('{secret}', secret)
  const kept = new Map<string, string>()
  for (const [method, resource, body, name] of JSON.parse(text) as Request[]) {
    const path = resource.replaceAll(/\{(\w+)\}/g, (_, hole: string) => kept.get(hole)!)
    const id = method === 'WAIT' ? await whenEnded(connection, path) : await send(connection, method, path, body)
    if (name !== undefined) kept.set(name, id)
  }
}

/** Resolves to the ID in the response. */
async function send(connection: Connection, method: 'POST' | 'PUT', path: string, body: unknown): Promise<string> {
  const content =
    typeof body === 'string'
      ? { type: 'text/csv', content: body }
      : { type: 'application/json', content: JSON.stringify(body) }
  const answer = await call(connection, method, path, body === null ? undefined : content)
  return (await readJson<{ id: string }>(answer)).id
}

async function whenEnded(connection: Connection, job: string): Promise<string> {
  for (;;) {
    const { id, status } = await getJson<{ id: string; status: string }>(connection, `${job}?wait=25`)
    if (status !== 'queued' && status !== 'running') return id
  }
}
