// From the bytes of a request's body to JSON that is safe to look at: limited in size, time and depth, valid UTF-8,
// without lone surrogates. Decisions §1.
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { invalid, PimletError, shorten } from '../domain/errors.ts'

/** Objects and arrays inside each other. Anything that walks a body by recursion may rely on it. */
export const MAX_DEPTH = 600

export interface BodyLimits {
  /** Bytes. */
  readonly maxBody: number
  /** Milliseconds from the headers to the last byte. */
  readonly bodyTimeout: number
}

/** The client went away: there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE */
export async function readJson(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  assertContentType(request)
  const bytes = await readBytes(request, limits)
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8')
  return parseJson(bytes.toString('utf8'))
}

/** `what` begins the messages. @throws VALIDATION_ERROR */
export function parseJson(text: string, what = 'The body'): unknown {
  if (text === '') throw invalid(`${what} is empty: JSON is expected`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid(`${what} is not valid JSON`)
  }
  if (isDeeperThan(text, MAX_DEPTH)) throw invalid(`${what} nests deeper than ${MAX_DEPTH} levels`)
  if (text.includes('\\ud') || text.includes('\\uD')) assertWellFormed(value, '')
  return value
}

function assertContentType(request: IncomingMessage): void {
  if (request.headers['content-type'] !== 'application/json') readContentType(request, ['application/json'])
}

/** The one of `types` that the request names. @throws VALIDATION_ERROR */
export function readContentType<Type extends string>(request: IncomingMessage, types: readonly Type[]): Type {
  const header = request.headers['content-type'] ?? ''
  const [name = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase())
  const type = types.find((candidate) => candidate === name)
  const isKnown = (parameter: string): boolean =>
    parameter === '' ||
    /^charset="?utf-?8"?$/.test(parameter) ||
    (name === 'text/csv' && parameter === 'header=present')
  if (type === undefined || !parameters.every(isKnown))
    throw invalid(`The Content-Type must be ${types.join(' or ')} in UTF-8`)
  return type
}

function readBytes(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBody) return Promise.reject(tooLarge(limits.maxBody))
  // A request that announces no body has no events either: see `optimizeEmptyRequests` in `server.ts`.
  if (request.readableEnded) return Promise.resolve(Buffer.alloc(0))
  // A client may hang up while its request waits for its turn: then all events are over.
  if (request.destroyed) return Promise.reject(clientGone())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (error?: Error): void => {
      clearTimeout(timer)
      request.off('data', take).off('end', finish).off('close', leave).off('error', leave)
      if (error === undefined) resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size))
      else reject(error)
    }
    const take = (chunk: Buffer): void => {
      size += chunk.length
      if (size > limits.maxBody) settle(tooLarge(limits.maxBody))
      else chunks.push(chunk)
    }
    const finish = (): void => settle()
    const leave = (): void => settle(clientGone())
    const timer = setTimeout(() => settle(invalid('The body did not arrive in time')), limits.bodyTimeout)
    request.on('data', take).on('end', finish).on('close', leave).on('error', leave)
  })
}

function clientGone(): ClientGone {
  return new ClientGone('The client went away before the body was complete')
}

function tooLarge(maxBody: number): PimletError {
  return new PimletError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBody} bytes`)
}

/** `text` is valid JSON. Looks at the text, not the value: it costs no stack. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (isInString) {
      if (code === 0x5c) index += 1
      else if (code === 0x22) isInString = false
    } else if (code === 0x22) isInString = true
    else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > limit) return true
    } else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return false
}

function assertWellFormed(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw invalid(`${path || 'The body'} contains a lone surrogate, which is no character`)
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => assertWellFormed(item, `${path}[${index}]`))
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (!key.isWellFormed()) throw invalid(`A field name in ${path || 'the body'} contains a lone surrogate`)
      assertWellFormed(member, path === '' ? shorten(key, 64) : `${path}.${shorten(key, 64)}`)
    }
  }
}
