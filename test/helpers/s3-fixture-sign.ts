// Implements Signature Version 4 for a store: verifies requests, and signs hand-written requests of tests. Written from
// AWS's description without its SDK, because it tests the SDK.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface Account {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

/** A refusal in the store's words. */
export class S3Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message = code) {
    super(message)
    this.status = status
    this.code = code
  }
}

const MAX_SKEW_MS = 15 * 60_000

export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

/** @throws S3Refusal unless the request has a current signature by the account's key over all required parts */
export function verifyHead(request: IncomingMessage, account: Account): void {
  const authorization = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    request.headers.authorization ?? '',
  )
  if (!authorization) throw new S3Refusal(403, 'AccessDenied', 'the request is not signed')
  const [, credential = '', signedHeaders = '', signature = ''] = authorization
  const [accessKeyId, date, region, service, terminator] = credential.split('/')
  if (accessKeyId !== account.accessKeyId) throw new S3Refusal(403, 'InvalidAccessKeyId')
  const stamp = header(request, 'x-amz-date')
  assertFresh(stamp)
  if (region !== account.region || service !== 's3' || terminator !== 'aws4_request' || date !== stamp.slice(0, 8)) {
    throw new S3Refusal(400, 'AuthorizationHeaderMalformed')
  }
  const names = signedHeaders.split(';')
  const unsigned = Object.keys(request.headers).filter(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !names.includes(name),
  )
  if (unsigned.length > 0 || !names.includes('host')) throw new S3Refusal(403, 'AccessDenied', 'headers are not signed')
  const expected = Buffer.from(
    computeSignature(request.method ?? '', request.url ?? '', names, request.headers, account),
  )
  if (!timingSafeEqual(expected, Buffer.from(signature))) throw new S3Refusal(403, 'SignatureDoesNotMatch')
}

/** @throws S3Refusal unless the body matches the signed hash */
export function verifyPayload(request: IncomingMessage, body: Buffer): void {
  const claimed = header(request, 'x-amz-content-sha256')
  if (claimed !== 'UNSIGNED-PAYLOAD' && claimed !== sha256(body)) throw new S3Refusal(400, 'XAmzContentSHA256Mismatch')
}

export interface SignedRequest {
  readonly method: string
  /** Path and query, percent-encoded. */
  readonly url: string
  readonly host: string
  readonly body?: Buffer
  readonly headers?: Record<string, string>
  readonly at?: Date
}

/** Returns the headers with which a hand-written request is accepted. */
export function sign(request: SignedRequest, account: Account): Record<string, string> {
  const stamp = (request.at ?? new Date()).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const headers: Record<string, string> = {
    host: request.host,
    'x-amz-date': stamp,
    'x-amz-content-sha256': sha256(request.body ?? ''),
    ...request.headers,
  }
  const names = Object.keys(headers).sort()
  const signature = computeSignature(request.method, request.url, names, headers, account)
  const credential = `${account.accessKeyId}/${stamp.slice(0, 8)}/${account.region}/s3/aws4_request`
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

function computeSignature(
  method: string,
  url: string,
  names: readonly string[],
  headers: Record<string, string | readonly string[] | undefined>,
  account: Account,
): string {
  const [path, query] = splitOnce(url, '?')
  const canonical = [
    method,
    path,
    canonicalQuery(query),
    ...names.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}`,
    ),
    '',
    names.join(';'),
    String(headers['x-amz-content-sha256']),
  ].join('\n')
  const stamp = String(headers['x-amz-date'])
  const scope = `${stamp.slice(0, 8)}/${account.region}/s3/aws4_request`
  let key: Buffer | string = `AWS4${account.secretAccessKey}`
  for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest()
  return createHmac('sha256', key)
    .update(['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n'))
    .digest('hex')
}

function canonicalQuery(query: string): string {
  if (query === '') return ''
  const pairs = query.split('&').map((pair) => {
    const [name, value] = splitOnce(pair, '=')
    return [encode(decodeURIComponent(name)), encode(decodeURIComponent(value))] as const
  })
  const sorted = pairs.sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : 1))
  return sorted.map(([name, value]) => `${name}=${value}`).join('&')
}

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function assertFresh(stamp: string): void {
  const iso = stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const at = Date.parse(iso)
  if (Number.isNaN(at)) throw new S3Refusal(403, 'AccessDenied', 'x-amz-date is missing or no date')
  if (Math.abs(Date.now() - at) > MAX_SKEW_MS) throw new S3Refusal(403, 'RequestTimeTooSkewed')
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name]
  if (typeof value !== 'string') throw new S3Refusal(403, 'AccessDenied', `${name} is missing`)
  return value
}
