// Writes responses: the only place that touches status, headers and body.
import { PimletError } from '../../kernel/errors.ts'
import type { ServerResponse } from 'node:http'
import { ClientGone } from '../bodies/body.ts'
import { errorBody, STATUS_OF_ERROR } from './error-replies.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { acceptsGzip, isNear, MIN_PACKED, packWhole, Packing, tagOfPacked } from './gzip.ts'
import { ByteStream, FileBytes, formatEtag, JsonStream, JsonText, PlainText, Reply } from './replies.ts'
import { isNotModified } from '../pipeline/preconditions.ts'
import { AT_ONCE, noteUnsent, sendInSlices, writeBytes, writeInSlices } from './paced-sending.ts'
import type { PreparedRoute } from '../pipeline/prepared-route.ts'

export interface Answer {
  readonly status: number
  /** Undefined: no body, a stream or a file. */
  readonly text: string | undefined
  readonly stream?: JsonStream | ByteStream | undefined
  readonly file?: FileBytes | undefined
  /** Default: JSON. */
  readonly mediaType?: string | undefined
  readonly cacheControl?: string | undefined
  /** Name, value, name, value, … */
  readonly headers: string[]
}

/** Turns the result of a handler into an answer. */
export function toAnswer(prepared: PreparedRoute, result: unknown, exchange: Exchange): Answer {
  if (result instanceof PlainText)
    return { status: prepared.status, text: result.text, mediaType: result.mediaType, headers: [] }
  if (!(result instanceof Reply)) return { status: prepared.status, text: toText(result), headers: [] }
  const headers = result.options.headers === undefined ? [] : Object.entries(result.options.headers).flat()
  const status = result.status ?? prepared.status
  const { etag, cacheControl } = result.options
  if (result.body instanceof JsonStream) return { status, text: undefined, stream: result.body, headers }
  const answer = { status, ...contentOf(result.body), cacheControl, headers }
  if (etag === undefined) return answer
  const tag = formatEtag(etag)
  headers.push('ETag', tag)
  const isRead = prepared.method === 'GET' && (status === 200 || status === 206)
  const known = exchange.request.headers['if-none-match']
  if (!isRead || known === undefined || !isNotModified(known, tag)) return answer
  // With the same headers as the full answer.
  const notModified = { status: 304, text: undefined, cacheControl, headers }
  return isPackable(answer) ? markPackable(exchange, notModified) : notModified
}

function contentOf(body: unknown): Pick<Answer, 'text' | 'stream' | 'file' | 'mediaType'> {
  if (body instanceof ByteStream) return { text: undefined, stream: body }
  if (body instanceof FileBytes) return { text: undefined, file: body, mediaType: body.mediaType }
  return { text: toText(body), mediaType: body instanceof PlainText ? body.mediaType : undefined }
}

function toText(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  return body instanceof JsonText || body instanceof PlainText ? body.text : JSON.stringify(body)
}

export function toErrorAnswer(error: PimletError): Answer {
  const headers: string[] = []
  if (error.code === 'UNAUTHORIZED') headers.push('WWW-Authenticate', 'Bearer')
  if (error.retryAfter !== undefined) headers.push('Retry-After', String(Math.max(1, Math.ceil(error.retryAfter))))
  if (error.size !== undefined) headers.push('Content-Range', `bytes */${error.size}`)
  if (error.code === 'RATE_LIMITED') headers.push('X-RateLimit-Remaining', '0')
  return { status: STATUS_OF_ERROR[error.code], text: errorBody(error), headers }
}

/** Sends the chunks at the speed of the client. @throws errors of `chunks`, or ClientGone for a client that takes none */
export async function sendStream(exchange: Exchange, answer: Answer, stream: JsonStream | ByteStream): Promise<void> {
  const { response } = exchange
  const { chunks } = stream
  const isJson = stream instanceof JsonStream
  const packing = isJson && wantsPacked(exchange) ? Packing.begin() : undefined
  const { headers } = isJson ? markPackable(exchange, answer, packing !== undefined) : answer
  const mediaType = isJson ? 'application/json' : stream.mediaType
  const common = commonHeaders(exchange.id, answer.cacheControl)
  response.writeHead(answer.status, [...common, 'Content-Type', mediaType, ...headers])
  try {
    if (exchange.method === 'HEAD') {
      await abandon(chunks)
      response.end()
      return
    }
    for await (const chunk of chunks) {
      if (typeof chunk === 'string') await writeInSlices(exchange, chunk, Buffer.byteLength(chunk), packing)
      else await writeBytes(exchange, chunk)
      // Found records are sent at once, even if the rest takes long.
      if (packing !== undefined) response.write(await packing.flush())
      // The search continues when the client has taken these records and there is room for more unsent answers.
      await exchange.unsent.all.whenRoom(() => response.destroyed)
    }
    response.end(await packing?.end())
  } finally {
    packing?.close()
  }
  if (!exchange.request.complete) exchange.lingering.drain(exchange.request, response)
}

/** Ends an unread stream. A generator that never started would end without its `finally`, so it is started first. */
async function abandon(chunks: AsyncIterable<unknown>): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]()
  await iterator.next()
  await iterator.return?.()
}

/**
 * Limits the memory of unsent answers.
 * @throws UNAVAILABLE; or ClientGone for a write, where UNAVAILABLE would wrongly say that nothing was done: the connection
 * is closed instead
 */
export function assertRoom({ unsent }: Exchange, { text, file }: Answer, { method, permission }: PreparedRoute): void {
  const length = text?.length ?? file?.bytes.length ?? 0
  if (length <= AT_ONCE || unsent.all.hasRoom()) return
  if (method !== 'GET' && permission?.endsWith('.read') !== true) throw new ClientGone()
  const message = `Clients have not taken ${unsent.all.limits.maxUnsent} bytes of answers yet: try again later`
  throw new PimletError('UNAVAILABLE', message, { retryAfter: 1 })
}

export function send(exchange: Exchange, answer: Answer): void {
  if (answer.file !== undefined) sendFile(exchange, answer, answer.file)
  else if (isPackable(answer)) sendPackable(exchange, answer)
  else sendPlain(exchange, answer)
  if (!exchange.request.complete) exchange.lingering.drain(exchange.request, exchange.response)
}

/** `length`: of the text, in bytes. */
function sendPlain(exchange: Exchange, answer: Answer, length = Buffer.byteLength(answer.text ?? '')): void {
  const { response } = exchange
  const headers = commonHeaders(exchange.id, answer.cacheControl)
  if (answer.text !== undefined) {
    headers.push('Content-Type', answer.mediaType ?? 'application/json', 'Content-Length', String(length))
  } else if (answer.status === 200 || answer.status === 302) headers.push('Content-Length', '0')
  if (answer.headers.length > 0) headers.push(...answer.headers)
  response.writeHead(answer.status, headers)
  if (length > AT_ONCE && exchange.method !== 'HEAD') sendInSlices(exchange, answer.text!, length)
  else {
    response.end(answer.text)
    if (response.writableLength > 0) noteUnsent(exchange)
  }
}

function sendFile(exchange: Exchange, answer: Answer, { bytes, mediaType, coding }: FileBytes): void {
  const { response, method } = exchange
  const headers = commonHeaders(exchange.id, answer.cacheControl)
  headers.push('Content-Type', mediaType, 'Content-Length', String(bytes.length))
  if (coding !== undefined) headers.push('Content-Encoding', coding)
  response.writeHead(answer.status, [...headers, ...answer.headers])
  if (bytes.length > AT_ONCE && method !== 'HEAD')
    writeBytes(exchange, bytes).then(
      () => response.end(),
      () => response.destroy(),
    )
  else {
    response.end(bytes)
    noteUnsent(exchange)
  }
}

/** Large JSON, as the client wants it. */
function sendPackable(exchange: Exchange, answer: Answer): void {
  const { method, unsent } = exchange
  const text = answer.text!
  const length = Buffer.byteLength(text)
  const isSmall = length <= AT_ONCE
  const isHead = method === 'HEAD'
  const isWanted = wantsPacked(exchange)
  const packing = isWanted && !isSmall && !isHead ? Packing.begin() : undefined
  const isPacked = isWanted && (isSmall || isHead || packing !== undefined)
  const marked = markPackable(exchange, answer, isPacked)
  if (!isPacked) sendPlain(exchange, marked, length)
  else if (isHead) begin(exchange, marked).end()
  else if (packing !== undefined) {
    begin(exchange, marked)
    sendInSlices(exchange, text, length, packing)
  } else {
    unsent.hold(length)
    packWhole(text)
      .then((bytes) => begin(exchange, marked, bytes.length).end(bytes))
      .catch(() => exchange.response.destroy())
      .finally(() => {
        unsent.release(length)
        noteUnsent(exchange)
      })
  }
}

function begin(exchange: Exchange, answer: Answer, length?: number): ServerResponse {
  const headers = commonHeaders(exchange.id, answer.cacheControl)
  headers.push('Content-Type', 'application/json')
  if (length !== undefined) headers.push('Content-Length', String(length))
  return exchange.response.writeHead(answer.status, [...headers, ...answer.headers])
}

/** Whether it is JSON that is worth packing. */
function isPackable({ text, mediaType }: Answer): boolean {
  if (text === undefined || (mediaType !== undefined && mediaType !== 'application/json')) return false
  return text.length > MIN_PACKED || (text.length * 3 > MIN_PACKED && Buffer.byteLength(text) > MIN_PACKED)
}

function wantsPacked({ request, address }: Exchange): boolean {
  return acceptsGzip(request.headers['accept-encoding']) && !isNear(address)
}

/** Adds the headers of a packed or plain representation: caches must know on which header the choice depends. */
function markPackable(exchange: Exchange, answer: Answer, isPacked = wantsPacked(exchange)): Answer {
  const headers = [...answer.headers, 'Vary', 'Accept-Encoding']
  if (!isPacked) return { ...answer, headers }
  if (answer.status !== 304) headers.push('Content-Encoding', 'gzip')
  const tag = headers.indexOf('ETag') + 1
  if (tag > 0) headers[tag] = tagOfPacked(headers[tag]!)
  return { ...answer, headers }
}

/** The headers of every response. Answers are private, so nobody may cache them unless the route allows it. */
export function commonHeaders(requestId: string, cacheControl = 'no-store'): string[] {
  return ['X-Request-Id', requestId, 'Cache-Control', cacheControl, 'X-Content-Type-Options', 'nosniff']
}
