// A webhook receiver for tests: checks signatures after Standard Webhooks, keeps the files that arrived whole, and
// misbehaves on demand.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface WebhookSink {
  readonly host: string
  readonly port: number
  readonly path: string
  /** The required value of the header `X-Token`. */
  readonly token: string
  /** The secret that verifies signatures; null: signatures are not verified. */
  readonly secret: string | null
  behaviour: Behaviour
  /** Complete files by name. */
  readonly files: Map<string, Buffer>
  /** Every request, complete or not. */
  readonly requests: { method: string; url: string; headers: IncomingMessage['headers'] }[]
  close(): Promise<void>
}

export type Behaviour =
  | 'good'
  | 'never answers'
  | 'reads nothing'
  | 'answers at once'
  | 'answers at once and closes'
  | 'resets after the body'
  | 'resets after the head of its answer'
  | 'endless answer'
  | 'endless interim answers'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

export interface SinkOptions {
  readonly secret?: string | null
  readonly tls?: { readonly key: string; readonly cert: string }
}

export async function startWebhookSink({ secret = null, tls }: SinkOptions = {}): Promise<WebhookSink> {
  const sink: WebhookSink = {
    host: '127.0.0.1',
    port: 0,
    path: '/hooks/in',
    token: 'token-7c9e6679f7425de9',
    secret,
    behaviour: 'good',
    files: new Map(),
    requests: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    request.on('error', () => undefined)
    response.on('error', () => undefined)
    receive(sink, request, response).catch(() => response.destroy())
  }
  const server = tls ? createSecureServer(tls, listener) : createServer(listener)
  server.requestTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(sink, { port: (server.address() as AddressInfo).port })
}

async function receive(sink: WebhookSink, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = request
  sink.requests.push({ method, url, headers })
  const { behaviour } = sink
  if (behaviour === 'reads nothing') return void request.pause()
  if (behaviour === 'answers at once') return void response.writeHead(413).end()
  if (behaviour === 'answers at once and closes') {
    return void response
      .writeHead(413, { connection: 'close' })
      .end(() => setTimeout(() => request.socket.destroy(), 200))
  }
  const body = await buffer(request)
  if (behaviour === 'good') answer(response, accept(sink, request, body))
  else if (typeof behaviour === 'object') response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body)
  else misbehave(behaviour, request, response)
}

function misbehave(behaviour: Behaviour, request: IncomingMessage, response: ServerResponse): void {
  if (behaviour === 'resets after the body') request.socket.resetAndDestroy()
  if (behaviour === 'resets after the head of its answer') {
    response.writeHead(200, { 'content-length': '1000' }).flushHeaders()
    setTimeout(() => request.socket.resetAndDestroy(), 50)
  }
  if (behaviour === 'endless answer') {
    response.writeHead(200)
    const chunk = Buffer.alloc(16_384, 'x')
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', more)
    more()
  }
  if (behaviour === 'endless interim answers') {
    const timer = setInterval(() => response.writeProcessing(), 20)
    response.on('close', () => clearInterval(timer))
  }
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status).end(status < 300 ? 'thank you' : 'no')
}

function accept(sink: WebhookSink, request: IncomingMessage, body: Buffer): number {
  const { headers, method = '' } = request
  if (new URL(request.url ?? '', 'http://sink').pathname !== sink.path) return 404
  if (headers['x-token'] !== sink.token) return 403
  if (sink.secret !== null && !isSigned(sink.secret, headers, body)) return 401
  if (method === 'OPTIONS') return 204
  if (method !== 'POST' && method !== 'PUT') return 405
  if (Number(headers['content-length']) !== body.length) return 400
  sink.files.set(parseFilename(headers['content-disposition'] ?? ''), body)
  return 200
}

/** Verifies a signature as the specification describes. */
export function isSigned(secret: string, headers: IncomingMessage['headers'], body: Buffer): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`]))
  if (Math.abs(Number(timestamp) - Date.now() / 1000) > 300) return false
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return (signatures ?? '').split(' ').some((each) => {
    const [version, signature = ''] = each.split(',')
    const given = Buffer.from(signature, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

export function parseFilename(disposition: string): string {
  const exact = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1]
  return exact === undefined ? (/filename="([^"]*)"/.exec(disposition)?.[1] ?? '') : decodeURIComponent(exact)
}
