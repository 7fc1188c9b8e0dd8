// A receiver of events for tests: keeps accepted events in order, and misbehaves on demand.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { isSigned } from './webhook-sink.ts'

export interface EventBody {
  readonly type: string
  readonly timestamp: string
  readonly cursor: string
  readonly data: {
    readonly entry?: {
      readonly id: string
      readonly entityId: string
      readonly action: string
      readonly version: number
    }
    readonly record?: { readonly id: string; readonly values: Record<string, unknown> } | null
    readonly [member: string]: unknown
  }
}

/** Milliseconds that the server of `impatient-server.ts` waits for a response. */
export const PATIENCE = 300

/** The response to a request: a status; none; a reset connection; one drop by drop; late ones; one after `letGo`. */
export type Answering = number | 'hangs' | 'resets' | 'drips' | 'slow' | 'fails slowly' | 'held'

export interface EventReceiver {
  readonly url: string
  /** Events of requests with a 2xx response. */
  readonly accepted: EventBody[]
  /** Every request: its webhook-id, its response, its body, and its time of arrival in milliseconds. */
  readonly requests: {
    readonly id: string
    readonly answering: Answering
    readonly events: EventBody[]
    readonly arrived: number
  }[]
  readonly headers: IncomingMessage['headers'][]
  /** Responses to the next requests; the last one applies to all further requests. */
  answers: Answering[]
  /** Answers the held requests, and all later ones. */
  letGo(): void
  /** Resolves when this many events have been accepted. */
  untilAccepted(count: number): Promise<void>
  untilRequested(count: number): Promise<void>
  close(): Promise<void>
}

export async function startReceiver({ secret }: { readonly secret?: string } = {}): Promise<EventReceiver> {
  const watchers = new Set<() => void>()
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>()
  const receiver = {
    url: '',
    accepted: [] as EventBody[],
    requests: [] as EventReceiver['requests'][number][],
    headers: [] as IncomingMessage['headers'][],
    answers: [200] as Answering[],
    letGo,
    untilAccepted: (count: number) => until(() => receiver.accepted.length >= count),
    untilRequested: (count: number) => until(() => receiver.requests.length >= count),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (!isSo()) return
        watchers.delete(check)
        clearTimeout(timer)
        resolve()
      }
      const told = (): string => `${receiver.accepted.length} events in ${receiver.requests.length} requests`
      const timer = setTimeout(() => reject(new Error(`There were only ${told()}`)), 60_000)
      watchers.add(check)
      check()
    })
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const answering = receiver.answers.length > 1 ? receiver.answers.shift()! : receiver.answers[0]!
    const parsed = JSON.parse(body.toString()) as EventBody | EventBody[]
    const events = Array.isArray(parsed) ? parsed : [parsed]
    receiver.headers.push(request.headers)
    receiver.requests.push({ id: String(request.headers['webhook-id']), answering, events, arrived: performance.now() })
    for (const check of watchers) check()
    const isForged = secret !== undefined && !isSigned(secret, request.headers, body)
    if (answering === 'held') await released
    await answer(response, isForged ? 401 : answering, () => receiver.accepted.push(...events))
    for (const check of watchers) check()
  }
  const server = createServer((request, response) => {
    request.on('error', () => undefined)
    receive(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(receiver, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events` })
}

async function answer(response: ServerResponse, answering: Answering, accept: () => void): Promise<void> {
  if (answering === 'hangs') return
  if (answering === 'resets') return void response.socket?.resetAndDestroy()
  if (answering === 'drips') {
    const timer = setInterval(() => response.writeProcessing(), 20)
    return void response.on('close', () => clearInterval(timer))
  }
  if (answering === 'slow' || answering === 'fails slowly') await new Promise((resolve) => setTimeout(resolve, 100))
  const status = answering === 'fails slowly' ? 503 : typeof answering === 'number' ? answering : 204
  if (status >= 200 && status < 300) accept()
  response.writeHead(status).end()
}

/** Returns each event once, in the order of first arrival. Checks that repeated events are identical. */
export function withoutRepeats({ requests }: EventReceiver): EventBody[] {
  const bodies = new Map<string, string>()
  const seen = new Set<string>()
  const events: EventBody[] = []
  for (const { id, answering, events: told } of requests) {
    const body = JSON.stringify(told)
    assert.equal(bodies.get(id) ?? body, body)
    if (!bodies.has(id) && answering !== 500)
      for (const event of told) {
        assert.ok(!seen.has(event.data.entry!.id), 'under another ID an event comes once')
        seen.add(event.data.entry!.id)
        events.push(event)
      }
    if (answering !== 500) bodies.set(id, body)
  }
  return events
}
