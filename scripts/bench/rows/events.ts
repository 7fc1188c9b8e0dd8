// Measures how fast a subscription catches up with a feed, and follows new changes.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { call } from '../export-runs.ts'
import { median } from '../statistics.ts'
import { perSecond, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const BATCH = 100
const BAR = 500
const ROUNDS = 3
const MOST = 20_000
const MEMORY_BAR = 100
const PATIENCE = 120_000

export async function measureEvents(workspace: Workspace, records: number): Promise<Row[]> {
  const receiver = await openReceiver()
  try {
    const count = Math.min(MOST, records - 1)
    const beginning = await passChanges(workspace, records - count)
    const id = await subscribe(workspace, receiver.url)
    const rates: number[] = []
    const grown: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      workspace.server.forgetPeak()
      const before = workspace.server.memory()
      const reached = receiver.expect(count)
      const begin = performance.now()
      await call(workspace, 'POST', `/api/v1/subscriptions/${id}/replay`, { after: beginning })
      const requests = await reached
      rates.push((count / (performance.now() - begin)) * 1000)
      grown.push((workspace.server.peakMemory() - before) / 1024 ** 2)
      process.stderr.write(`events: ${Math.round(rates.at(-1)!)}/s in ${requests} requests\n`)
    }
    const rate = median(rates)
    const megabytes = Math.max(...grown)
    return [
      {
        name: `events delivered to a receiver on the same machine, ${BATCH} at most in a request`,
        pimlet: perSecond(rate),
        bar: `≥ ${BAR}/s`,
        isHeld: rate >= BAR,
      },
      {
        name: 'memory that the server takes more meanwhile',
        pimlet: `${megabytes.toFixed(0)} MB`,
        bar: `< ${MEMORY_BAR} MB`,
        isHeld: megabytes < MEMORY_BAR,
      },
    ]
  } finally {
    await receiver.close()
  }
}

/** Returns the cursor behind the first changes, which are all creations. */
async function passChanges(workspace: Workspace, count: number): Promise<string> {
  let after = ''
  for (let passed = 0; passed < count;) {
    const limit = Math.min(1000, count - passed)
    const query = `limit=${limit}${after === '' ? '' : `&after=${after}`}`
    const page = await call<{ cursor: string; items: unknown[] }>(workspace, 'GET', `/api/v1/changes?${query}`)
    after = page.cursor
    passed += page.items.length
  }
  return after
}

async function subscribe(workspace: Workspace, url: string): Promise<string> {
  const body = { name: 'bench', url, events: ['record.created'], batchSize: BATCH, active: true }
  return (await call<{ id: string }>(workspace, 'POST', '/api/v1/subscriptions', body)).id
}

/** Counts the events posted to the receiver. */
async function openReceiver() {
  let [events, requests, wanted] = [0, 0, Infinity]
  let reach: ((requests: number) => void) | undefined
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      events += (JSON.parse(Buffer.concat(chunks).toString()) as unknown[]).length
      requests += 1
      response.writeHead(204).end()
      if (events >= wanted) reach?.(requests)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Resolves to the number of requests once this many more events have arrived. */
    expect: (count: number): Promise<number> =>
      new Promise((resolve, reject) => {
        ;[events, requests, wanted] = [0, 0, count]
        const timer = setTimeout(() => reject(new Error(`Only ${events} events came`)), PATIENCE)
        reach = (sent) => {
          clearTimeout(timer)
          resolve(sent)
        }
      }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
