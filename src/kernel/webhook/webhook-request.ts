// One HTTP request over the guarded agents, for `../webhook.ts`: every wait has an end, redirects are not followed, and at
// most 64 KB of the answer are read and thrown away.
import { plainTls } from '../egress/tls-faults.ts'
import { once } from 'node:events'
import { request as requestPlain, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestSecure } from 'node:https'
import { finished } from 'node:stream/promises'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { PermanentError, type RunContext } from '../destination.ts'

export interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  /** The server's URL without its query. */
  readonly where: string
}

interface Outgoing {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Body
  /** Milliseconds for the connection, for every pause, and for the answer after the last byte. */
  readonly timeoutMs: number
}

interface Body {
  readonly stream: Readable
  readonly size: number
}

type GiveUp = (what: string) => void

const MOST_ANSWER_BYTES = 64 * 1024
const ANSWER_BODY_MS = 5_000

/** The answer, after the whole body was sent. Any other end is an error; it is permanent if a retry cannot help. */
export async function send(outgoing: Outgoing, context: Pick<RunContext, 'network' | 'signal'>): Promise<Answer> {
  const { origin, pathname } = new URL(outgoing.url)
  const where = `${origin}${pathname}`
  const late = new AbortController()
  const signal = AbortSignal.any([context.signal, late.signal])
  const isSecure = origin.startsWith('https:')
  const { url, method, headers, body } = outgoing
  try {
    const agent = isSecure ? context.network.httpsAgent : context.network.httpAgent
    const request = (isSecure ? requestSecure : requestPlain)(url, { method, headers, agent, signal })
    const response = await exchange(request, outgoing, (what) => late.abort(new Error(what)))
    return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], where }
  } catch (error) {
    const fault: unknown = late.signal.aborted ? late.signal.reason : error
    throw context.signal.aborted ? context.signal.reason : explainFault(where, fault)
  } finally {
    body?.stream.destroy()
  }
}

async function exchange(
  request: ClientRequest,
  { body, timeoutMs }: Outgoing,
  giveUp: GiveUp,
): Promise<IncomingMessage> {
  const answered = Promise.withResolvers<IncomingMessage>()
  request.on('error', answered.reject)
  request.on('response', answered.resolve)
  const clock = watch(request, timeoutMs, giveUp)
  try {
    const sent = sendBody(request, body)
    sent.catch(answered.reject)
    const response = await answered.promise
    // A success counts only after the whole body was sent; any other answer ends the sending.
    if (isSuccess(response)) await sent
    else body?.stream.destroy()
    clock.stop()
    await drain(response)
    return response
  } finally {
    clock.stop()
    if (!request.writableEnded) request.destroy()
  }
}

/**
 * Resolves when the last byte was handed over. Bytes are counted, because a quick server answers after the last byte,
 * before the stream reports its end.
 */
async function sendBody(request: ClientRequest, body: Body | undefined): Promise<void> {
  if (!body || body.size === 0) return void request.end()
  const gone = new AbortController()
  request.once('close', () => gone.abort(new Error('the connection was closed before the whole file was sent')))
  let left = body.size
  try {
    for await (const chunk of body.stream as AsyncIterable<Buffer>) {
      gone.signal.throwIfAborted()
      left -= chunk.length
      if (left === 0) return void request.end(chunk)
      if (!request.write(chunk)) await once(request, 'drain', { signal: gone.signal })
    }
    throw new Error(`the file has ${body.size - left} bytes, not ${body.size}`)
  } catch (error) {
    throw gone.signal.aborted ? gone.signal.reason : error
  }
}

/** Gives up when no connection is made, nothing moves, or the answer does not come. */
function watch(request: ClientRequest, timeoutMs: number, giveUp: GiveUp) {
  const seconds = `${timeoutMs / 1000} s`
  const rest = (): void => giveUp(`nothing moved for ${seconds}`)
  let socket: Socket | undefined
  let isOver = false
  let timer = setTimeout(() => giveUp(`no connection within ${seconds}`), timeoutMs)
  const expectAnswer = (): void => {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(() => giveUp(`no answer within ${seconds}`), timeoutMs)
  }
  const connected = (): void => {
    clearTimeout(timer)
    if (!isOver) socket?.setTimeout(timeoutMs).on('timeout', rest)
  }
  request.once('finish', expectAnswer)
  request.once('socket', (given) => {
    socket = given
    if (given.connecting) given.once('encrypted' in given ? 'secureConnect' : 'connect', connected)
    else connected()
  })
  return {
    /** The socket may serve another request: nothing of this one stays with it. */
    stop: (): void => {
      isOver = true
      clearTimeout(timer)
      socket?.setTimeout(0).off('timeout', rest)
    },
  }
}

/** Lets a polite server finish its sentence; a talkative one is cut off. */
async function drain(response: IncomingMessage): Promise<void> {
  let bytes = 0
  const timer = setTimeout(() => response.destroy(), ANSWER_BODY_MS)
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MOST_ANSWER_BYTES) response.destroy()
  })
  await finished(response).catch(() => undefined)
  clearTimeout(timer)
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300
}

function explainFault(where: string, error: unknown): Error {
  if (error instanceof PermanentError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  const text = `${where}: ${plainTls(message) || code}`
  const isCertificate = code.includes('CERT') || code.startsWith('UNABLE_TO_')
  return isCertificate ? new PermanentError(text, { cause: error }) : new Error(text, { cause: error })
}

const LONGEST_WAIT_MS = 5 * 60_000

/** Milliseconds that a Retry-After header (seconds, or an HTTP date) asks for, five minutes at most; undefined for none or nonsense. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  const isDate = /^[A-Z][a-z]{2}[a-z]*,? /.test(text)
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : isDate ? Date.parse(text) - now : Number.NaN
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS)
}
