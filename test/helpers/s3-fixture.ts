// A small S3 server for tests, on node:http: verifies signature, payload hash and checksums as strictly as the real one,
// knows multipart uploads, refuses what many stores refuse (aws-chunked trailers: 501), and can be told to fail.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import { FixtureStore } from './s3-fixture-store.ts'
import { S3Refusal, verifyHead, verifyPayload, type Account } from './s3-fixture-sign.ts'

export interface S3Fixture {
  readonly host: string
  readonly port: number
  readonly account: Account
  readonly store: FixtureStore
  /** Every received request, oldest first. */
  readonly requests: readonly SeenRequest[]
  /** Sets the responses to the next requests of this method, which are not carried out. */
  failNext(method: string, answers: readonly FixtureFailure[]): void
  close(): Promise<void>
}

export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
}

export interface FixtureFailure {
  readonly status: number
  readonly code: string
  readonly message?: string
  readonly headers?: Record<string, string>
}

export interface FixtureOptions {
  readonly account: Account
  readonly buckets: readonly string[]
  /** Required as x-amz-security-token. */
  readonly sessionToken?: string
}

interface Call {
  readonly store: FixtureStore
  readonly request: IncomingMessage
  readonly bucket: string
  readonly key: string
  readonly query: URLSearchParams
  readonly body: Buffer
}

interface Answer {
  readonly status: number
  readonly headers?: Record<string, string | number>
  readonly body?: Buffer | string
}

export async function startS3Fixture(options: FixtureOptions): Promise<S3Fixture> {
  const store = new FixtureStore(options.buckets)
  const requests: SeenRequest[] = []
  const failures = new Map<string, FixtureFailure[]>()
  const server = createServer({ keepAliveTimeout: 1000 }, (request, response) => {
    requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers })
    const failure = failures.get(request.method ?? '')?.shift()
    void answer(request, options, store, failure).then(
      (result) => send(request, response, result),
      // An incomplete body is never stored, and nobody waits for the response.
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    account: options.account,
    store,
    requests,
    failNext: (method, answers) => void failures.set(method, [...answers]),
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function answer(
  request: IncomingMessage,
  options: FixtureOptions,
  store: FixtureStore,
  failure: FixtureFailure | undefined,
): Promise<Answer> {
  try {
    if (failure) throw failure
    verifyHead(request, options.account)
    if ((options.sessionToken ?? undefined) !== request.headers['x-amz-security-token']) {
      throw new S3Refusal(403, 'InvalidToken')
    }
    refuseTrailers(request)
    const url = new URL(request.url ?? '/', 'http://fixture')
    const [bucket = '', ...rest] = url.pathname.slice(1).split('/').map(decodeURIComponent)
    store.assertBucket(bucket)
    const body = await readBody(request)
    verifyPayload(request, body)
    verifyChecksums(request, body)
    return route({ store, request, bucket, key: rest.join('/'), query: url.searchParams, body })
  } catch (error) {
    if (!isRefusal(error)) throw error
    await readBody(request)
    const { status, code, message = code, headers = {} } = error
    return { status, headers, body: xml('Error', { Code: code, Message: message, RequestId: 'fixture' }) }
  }
}

function route(call: Call): Answer {
  const { request, query, key } = call
  const method = request.method ?? ''
  if (key === '') return onBucket(call, method)
  const uploadId = query.get('uploadId')
  if (method === 'POST' && query.has('uploads')) return beginUpload(call)
  if (method === 'POST' && uploadId) return completeUpload(call, uploadId)
  if (method === 'PUT' && uploadId) return putPart(call, uploadId)
  if (method === 'DELETE' && uploadId) {
    call.store.abort(call.bucket, key, uploadId)
    return { status: 204 }
  }
  if (uploadId || query.has('uploads')) throw new S3Refusal(501, 'NotImplemented')
  return onObject(call, method)
}

/** Small, so that tests see several pages. */
const LISTED_AT_ONCE = 50

function onBucket({ store, bucket, query }: Call, method: string): Answer {
  if (method === 'HEAD') return { status: 200 }
  if (method !== 'GET') throw new S3Refusal(501, 'NotImplemented')
  const prefix = query.get('prefix') ?? ''
  if (!query.has('uploads')) {
    const keys = [...store.objects.keys()].filter((name) => name.startsWith(`${bucket}/${prefix}`)).sort()
    const first = Number(query.get('continuation-token') ?? 0)
    const page = keys.slice(first, first + LISTED_AT_ONCE)
    const contents = page.map((name) => xml('Contents', { Key: name.slice(bucket.length + 1) })).join('')
    const next = first + page.length
    const more = next < keys.length ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''
    return { status: 200, body: `<ListBucketResult>${contents}${more}</ListBucketResult>` }
  }
  const open = [...store.uploads].filter(([, upload]) => upload.bucket === bucket && upload.key.startsWith(prefix))
  const uploads = open.map(([id, { key, initiated }]) =>
    xml('Upload', { Key: key, UploadId: id, Initiated: initiated.toISOString() }),
  )
  return { status: 200, body: `<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>` }
}

function onObject({ store, request, bucket, key, body }: Call, method: string): Answer {
  if (method === 'PUT') {
    if (request.headers['x-amz-copy-source']) throw new S3Refusal(501, 'NotImplemented')
    return { status: 200, headers: { etag: store.put(bucket, key, body, contentType(request)) } }
  }
  if (method === 'DELETE') {
    store.objects.delete(`${bucket}/${key}`)
    return { status: 204 }
  }
  if (method !== 'GET' && method !== 'HEAD') throw new S3Refusal(405, 'MethodNotAllowed')
  const object = store.get(bucket, key)
  const headers = { etag: object.etag, 'content-type': object.contentType }
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
  if (range === null) return { status: 200, headers, body: object.body }
  const [start, end] = [Number(range[1]), Math.min(Number(range[2]), object.body.length - 1)]
  const part = { 'content-range': `bytes ${start}-${end}/${object.body.length}` }
  return { status: 206, headers: { ...headers, ...part }, body: object.body.subarray(start, end + 1) }
}

function beginUpload({ store, request, bucket, key }: Call): Answer {
  const id = store.begin(bucket, key, contentType(request))
  return { status: 200, body: xml('InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId: id }) }
}

function putPart({ store, bucket, key, query, body }: Call, uploadId: string): Answer {
  const etag = store.putPart(bucket, key, uploadId, Number(query.get('partNumber')), body)
  return { status: 200, headers: { etag } }
}

function completeUpload({ store, bucket, key, body }: Call, uploadId: string): Answer {
  const parts = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    etag: (/<ETag>([^<]*)</.exec(part)?.[1] ?? '').replaceAll('&quot;', '"'),
  }))
  const etag = store.complete(bucket, key, uploadId, parts)
  return { status: 200, body: xml('CompleteMultipartUploadResult', { Bucket: bucket, Key: key, ETag: etag }) }
}

function refuseTrailers({ headers }: IncomingMessage): void {
  const chunked = headers['content-encoding']?.includes('aws-chunked') ?? false
  const streaming = String(headers['x-amz-content-sha256']).startsWith('STREAMING-')
  if (chunked || streaming || headers['x-amz-trailer']) throw new S3Refusal(501, 'NotImplemented')
}

function verifyChecksums({ headers }: IncomingMessage, body: Buffer): void {
  const digest = (name: string): string => createHash(name).update(body).digest('base64')
  const crc = Buffer.alloc(4)
  crc.writeUInt32BE(crc32(body))
  const known: Record<string, () => string> = {
    'content-md5': () => digest('md5'),
    'x-amz-checksum-sha1': () => digest('sha1'),
    'x-amz-checksum-sha256': () => digest('sha256'),
    'x-amz-checksum-crc32': () => crc.toString('base64'),
  }
  for (const [name, compute] of Object.entries(known)) {
    if (headers[name] !== undefined && headers[name] !== compute()) throw new S3Refusal(400, 'BadDigest')
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers = {}, body = '' }: Answer): void {
  response.writeHead(status, {
    'content-type': 'application/xml',
    'content-length': Buffer.byteLength(body),
    ...headers,
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function xml(name: string, fields: Record<string, string>): string {
  const inner = Object.entries(fields).map(([field, value]) => `<${field}>${escape(value)}</${field}>`)
  return `<${name}>${inner.join('')}</${name}>`
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const contentType = (request: IncomingMessage): string => request.headers['content-type'] ?? 'binary/octet-stream'

function isRefusal(error: unknown): error is FixtureFailure {
  return typeof error === 'object' && error !== null && 'status' in error && 'code' in error
}
