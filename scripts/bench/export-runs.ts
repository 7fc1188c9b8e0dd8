// Export jobs of the bench, which deliver to a receiver in the bench's own process by a webhook.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { API_KEY } from './processes.ts'
import type { Served } from './workspace.ts'

const POLL_MILLISECONDS = 20

export async function createJob(workspace: Pick<Served, 'server'>, url: string, more: object): Promise<string> {
  const job = {
    name: 'bench',
    destinationType: 'webhook',
    destinationConfig: { url },
    schedule: '0 0 1 1 *',
    includeVariants: true,
    filenameTemplate: 'all',
    ...more,
  }
  return (await call<{ id: string }>(workspace, 'POST', '/api/v1/export-jobs', job)).id
}

/** Resolves to seconds. */
export async function runExport(workspace: Pick<Served, 'server'>, jobId: string): Promise<number> {
  const begin = performance.now()
  const path = `/api/v1/export-jobs/${jobId}`
  const { id } = await call<{ id: string }>(workspace, 'POST', `${path}/trigger`)
  for (;;) {
    const run = await call<{ status: string; error: string | null }>(workspace, 'GET', `${path}/runs/${id}`)
    if (run.status === 'success') return (performance.now() - begin) / 1000
    if (run.status === 'failed') throw new Error(`The export failed: ${run.error}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS))
  }
}

export async function call<Answer>(
  { server }: Pick<Served, 'server'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { 'x-service-apikey': API_KEY, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return (await response.json()) as Answer
}

/** Opens a receiver that accepts every posted file. */
export async function openSink(): Promise<{ url: string; last: () => Buffer; close: () => Promise<void> }> {
  let last = Buffer.alloc(0)
  const server = createServer((request, response) => {
    const take = async (): Promise<void> => {
      last = await buffer(request)
      response.writeHead(204).end()
    }
    void take()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    last: () => last,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
