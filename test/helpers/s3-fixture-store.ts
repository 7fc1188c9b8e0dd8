// Stores the S3 fixture's data in memory: buckets, objects, and incomplete uploads, with a store's rules about parts.
// Independent of HTTP.
import { createHash, randomUUID } from 'node:crypto'
import { S3Refusal } from './s3-fixture-sign.ts'

export interface StoredObject {
  readonly body: Buffer
  readonly contentType: string
  readonly etag: string
}

interface Upload {
  readonly bucket: string
  readonly key: string
  readonly contentType: string
  readonly initiated: Date
  readonly parts: Map<number, { body: Buffer; etag: string }>
}

const MIN_PART_BYTES = 5 * 1024 * 1024

export class FixtureStore {
  readonly objects = new Map<string, StoredObject>()
  readonly uploads = new Map<string, Upload>()
  readonly #buckets: ReadonlySet<string>

  constructor(buckets: readonly string[]) {
    this.#buckets = new Set(buckets)
  }

  assertBucket(bucket: string): void {
    if (!this.#buckets.has(bucket)) throw new S3Refusal(404, 'NoSuchBucket')
  }

  put(bucket: string, key: string, body: Buffer, contentType: string, etag = quotedMd5(body)): string {
    this.objects.set(`${bucket}/${key}`, { body, contentType, etag })
    return etag
  }

  get(bucket: string, key: string): StoredObject {
    const object = this.objects.get(`${bucket}/${key}`)
    if (!object) throw new S3Refusal(404, 'NoSuchKey')
    return object
  }

  begin(bucket: string, key: string, contentType: string, initiated = new Date()): string {
    const id = randomUUID()
    this.uploads.set(id, { bucket, key, contentType, initiated, parts: new Map() })
    return id
  }

  upload(bucket: string, key: string, id: string): Upload {
    const upload = this.uploads.get(id)
    if (upload?.bucket !== bucket || upload.key !== key) throw new S3Refusal(404, 'NoSuchUpload')
    return upload
  }

  putPart(bucket: string, key: string, id: string, number: number, body: Buffer): string {
    if (!(number >= 1 && number <= 10_000)) throw new S3Refusal(400, 'InvalidArgument')
    const etag = quotedMd5(body)
    this.upload(bucket, key, id).parts.set(number, { body, etag })
    return etag
  }

  complete(bucket: string, key: string, id: string, wanted: readonly { number: number; etag: string }[]): string {
    const upload = this.upload(bucket, key, id)
    if (wanted.length === 0) throw new S3Refusal(400, 'MalformedXML')
    if (wanted.some(({ number }, index) => number <= (wanted[index - 1]?.number ?? 0))) {
      throw new S3Refusal(400, 'InvalidPartOrder')
    }
    const bodies = wanted.map(({ number, etag }) => {
      const part = upload.parts.get(number)
      if (part?.etag.replaceAll('"', '') !== etag.replaceAll('"', '')) throw new S3Refusal(400, 'InvalidPart')
      return part.body
    })
    if (bodies.slice(0, -1).some(({ length }) => length < MIN_PART_BYTES)) throw new S3Refusal(400, 'EntityTooSmall')
    this.uploads.delete(id)
    // Like the real one: the digests of the parts, as a whole object may be too large for one digest.
    const etags = Buffer.from(wanted.map(({ etag }) => etag.replaceAll('"', '')).join(''), 'hex')
    const etag = `${quotedMd5(etags).slice(0, -1)}-${wanted.length}"`
    return this.put(bucket, key, Buffer.concat(bodies), upload.contentType, etag)
  }

  abort(bucket: string, key: string, id: string): void {
    this.upload(bucket, key, id)
    this.uploads.delete(id)
  }
}

const quotedMd5 = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`
