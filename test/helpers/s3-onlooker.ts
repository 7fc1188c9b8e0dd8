// Inspects an S3 server by hand-signed requests, without the tested SDK.
import { request as httpRequest } from 'node:http'
import { sign, type Account } from './s3-fixture-sign.ts'

export interface S3Server {
  readonly host: string
  readonly port: number
  readonly account: Account
}

export interface RawAnswer {
  readonly status: number
  /** The store's code of a refusal. */
  readonly code: string | undefined
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: Buffer
}

export interface RawRequest {
  readonly method: string
  /** Path and query, percent-encoded. */
  readonly url: string
  readonly body?: Buffer
  readonly headers?: Record<string, string>
  /** The time used in the signature. */
  readonly at?: Date
  readonly account?: Account
  /** Changes headers after signing, to forge a request. */
  readonly forge?: (headers: Record<string, string>) => Record<string, string>
}

export function askS3(server: S3Server, ask: RawRequest): Promise<RawAnswer> {
  const { host, port } = server
  const signed = sign({ ...ask, host: `${host}:${port}` }, ask.account ?? server.account)
  const headers = { 'content-length': String(ask.body?.length ?? 0), ...(ask.forge?.(signed) ?? signed) }
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host, port, method: ask.method, path: ask.url, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const body = Buffer.concat(chunks)
          const code = response.statusCode === 200 ? undefined : /<Code>([^<]*)</.exec(body.toString())?.[1]
          resolve({ status: response.statusCode ?? 0, code, headers: response.headers, body })
        })
      },
    )
    request.on('error', reject)
    request.end(ask.body)
  })
}

export async function readObject(server: S3Server, bucket: string, key: string): Promise<Buffer | undefined> {
  const { status, body } = await askS3(server, { method: 'GET', url: `/${bucket}/${encodeKey(key)}` })
  if (status === 404) return undefined
  if (status !== 200) throw new Error(`HTTP ${status} for ${key}: ${body.toString()}`)
  return body
}

export async function listObjects(server: S3Server, bucket: string): Promise<string[]> {
  const { body } = await askS3(server, { method: 'GET', url: `/${bucket}?list-type=2` })
  return texts(body, /<Key>([^<]*)</g)
}

/** Lists uploads that were begun and neither completed nor aborted, as `key uploadId`. */
export async function listUploads(server: S3Server, bucket: string): Promise<string[]> {
  const { body } = await askS3(server, { method: 'GET', url: `/${bucket}?uploads=` })
  const uploads = texts(body, /<Upload>(.*?)<\/Upload>/gs)
  return uploads.map((upload) => `${/<Key>([^<]*)</.exec(upload)?.[1]} ${/<UploadId>([^<]*)</.exec(upload)?.[1]}`)
}

export const encodeKey = (key: string): string =>
  key
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/')

const texts = (body: Buffer, pattern: RegExp): string[] =>
  [...body.toString().matchAll(pattern)].map(([, text = '']) => text)
