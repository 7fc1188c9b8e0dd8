// The bytes of a request's body: their type, and reading them within limits of size and time. Contract 2 §1.
import type { IncomingMessage } from 'node:http'
import type { Encoding } from '../../core/csv/source-dialect.ts'
import { invalid, PimletError } from '../../kernel/errors.ts'
import { GatheredBytes } from '../../kernel/json/gathered-bytes.ts'

export interface BodyLimits {
  /** Bytes. */
  readonly maxBody: number
  /** Maximum number of objects, arrays and their members; per line if the body is read line by line. */
  readonly maxValues: number
  /** Milliseconds from the headers to the last byte. */
  readonly bodyTimeout: number
}

/** The client closed the connection; an answer is pointless. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** @throws VALIDATION_ERROR */
export function assertJsonType(request: IncomingMessage): void {
  if (request.headers['content-type'] !== 'application/json') readContentType(request, ['application/json'])
}

/** Encodings of csv besides UTF-8. */
const OTHER_CHARSET = /^charset="?(windows-1252|utf-16le)"?$/

/** The charset of a request whose content type was checked; undefined: UTF-8. */
export function readCharset(request: IncomingMessage): Exclude<Encoding, 'utf-8'> | undefined {
  const parameters = (request.headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.map((part) => OTHER_CHARSET.exec(part.trim())?.[1]).find((found) => found !== undefined)
  return charset as Exclude<Encoding, 'utf-8'> | undefined
}

/** Among the types of a route: its body may have any. */
export const ANY_TYPE = '*/*'

/** The one of `types` that the request names, or its whole Content-Type where any is allowed. @throws VALIDATION_ERROR */
export function readContentType<Type extends string>(request: IncomingMessage, types: readonly Type[]): Type {
  const header = request.headers['content-type'] ?? ''
  if ((types as readonly string[]).includes(ANY_TYPE)) return header as Type
  const [name = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase())
  const type = types.find((candidate) => candidate === name)
  const isKnown = (parameter: string): boolean =>
    parameter === '' ||
    /^charset="?utf-?8"?$/.test(parameter) ||
    (name === 'text/csv' && (parameter === 'header=present' || OTHER_CHARSET.test(parameter)))
  if (type === undefined || !parameters.every(isKnown))
    throw invalid(`The Content-Type must be ${types.join(' or ')} in UTF-8`)
  return type
}

interface ByteOptions {
  readonly maxBytes: number
  /** The setting that the error message names. */
  readonly setting: string | undefined
  /** Milliseconds from now to the last byte. */
  readonly timeout: number
  /** A buffer of the announced size: arriving bytes are copied there, so they are in memory once. */
  readonly into?: Buffer | undefined
  /** Sees each arriving part. A returned promise pauses the reading. May throw. */
  readonly look: (part: Buffer) => void | Promise<void>
}

/**
 * All bytes of the body, in `into` if it is given. @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE, ClientGone, errors of `look`
 */
export function readBytes(request: IncomingMessage, options: ByteOptions): Promise<GatheredBytes> {
  const gathered = new GatheredBytes()
  // A request that announces no body has no events either: see `optimizeEmptyRequests` in `server.ts`.
  if (request.readableEnded) return Promise.resolve(gathered)
  // A client may hang up while its request waits for its turn: then all events are over.
  if (request.destroyed) return Promise.reject(clientGone())
  return new Promise((resolve, reject) => {
    let size = 0
    const settle = (error?: unknown): void => {
      clearTimeout(timer)
      request.off('data', take).off('end', finish).off('close', leave).off('error', leave)
      if (error !== undefined) return reject(error)
      if (options.into !== undefined) gathered.add(options.into.subarray(0, size))
      resolve(gathered)
    }
    const take = (part: Buffer): void => {
      size += part.length
      if (size > options.maxBytes) return settle(tooLarge(options.maxBytes, options.setting))
      if (options.into === undefined) gathered.add(part)
      else part.copy(options.into, size - part.length)
      try {
        const pause = options.look(part)
        if (pause === undefined) return
        request.pause()
        pause.then(() => request.resume(), settle)
      } catch (error) {
        settle(error)
      }
    }
    const finish = (): void => settle()
    const leave = (): void => settle(clientGone())
    const timer = setTimeout(() => settle(invalid('The body did not arrive in time')), options.timeout)
    request.on('data', take).on('end', finish).on('close', leave).on('error', leave)
  })
}

export function tooLarge(maxBytes: number, setting: string | undefined): PimletError {
  const name = setting === undefined ? '' : ` (${setting})`
  return new PimletError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes${name}`)
}

function clientGone(): ClientGone {
  return new ClientGone('The client went away before the body was complete')
}
