// Creates the catalogue of the demonstration over HTTP, as a user would: a model, records, and later changes.
import { readDemoFile } from '../kernel/executable/assets.ts'
import { system } from '../kernel/machine/system.ts'
import type { Connection } from '../kernel/settings/workspace-place.ts'
import { call, getJson, readJson } from './client.ts'

/**
 * One request of `demo/*.json`. A text is a csv file. `kept` names the ID in the response, which replaces `{kept}` in
 * later requests. WAIT polls a job or run until it has ended.
 */
type Request = readonly [method: 'POST' | 'PUT' | 'WAIT', path: string, body: unknown, kept?: string]

/** Milliseconds until the work of a colleague is due. */
const SOON = 3 * 86_400_000

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
  const { url } = connection
  const login = JSON.stringify({ username: 'claire', password: options.secret })
  const answer = await call({ url }, 'POST', '/api/v1/auth/login', { type: 'application/json', content: login })
  const { accessToken } = await readJson<{ accessToken: string }>(answer)
  await sendAll({ url, accessToken }, 'colleague.json', options, await namesIn(connection))
}

/** Resolves to the values of `{admin}` and `{soon}` in the requests of the colleague. */
async function namesIn(connection: Connection): Promise<readonly [string, string][]> {
  const users = await getJson<readonly { id: string; username: string }[]>(connection, '/api/v1/users')
  const soon = new Date(system.now().getTime() + SOON).toISOString().slice(0, 10)
  return [
    ['admin', users.find(({ username }) => username === 'admin')!.id],
    ['soon', soon],
  ]
}

async function loadDemo(connection: Connection): Promise<void> {
  const job = await send(connection, 'POST', '/api/v1/demo', null)
  await whenEnded(connection, `/api/v1/bulk-jobs/${job}`)
  const { status, failed } = await getJson<{ status: string; failed: number }>(connection, `/api/v1/bulk-jobs/${job}`)
  if (status !== 'succeeded' || failed > 0)
    throw new Error(`The demonstration is not loaded: its job ${job} is ${status}`)
}

async function sendAll(
  connection: Connection,
  file: string,
  { folder, secret }: DemoOptions,
  names: readonly [string, string][] = [],
): Promise<void> {
  const text = readDemoFile(file)
    .replaceAll('"{folder}"', () => JSON.stringify(folder))
    .replaceAll('{secret}', secret)
  const kept = new Map(names)
  const fillIn = (template: string) => template.replaceAll(/\{(\w+)\}/g, (hole, name: string) => kept.get(name) ?? hole)
  for (const [method, resource, given, name] of JSON.parse(text) as Request[]) {
    const path = fillIn(resource)
    const body = JSON.parse(fillIn(JSON.stringify(given))) as unknown
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
