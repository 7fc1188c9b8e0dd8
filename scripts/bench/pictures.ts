// Pictures of the bench, requests that send them, and imports of zips of them.
import { randomBytes } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import sharp from 'sharp'
import { ZipFile } from 'yazl'
import { API_KEY } from './processes.ts'

/** Records of one request. */
const BATCH = 1000

/** A JPEG that is as hard to read as a photograph. */
export function noisyPicture(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  return sharp({ create: { width, height, channels: 3, background: '#888888', noise } })
    .blur(2)
    .jpeg({ quality: 85 })
    .toBuffer()
}

/** The same picture with other bytes behind it: another content. */
export function unlike(picture: Buffer, size: number): Buffer {
  return Buffer.concat([picture, randomBytes(Math.max(16, size - picture.length))])
}

/** Writes, syncs and renames a file. */
export async function writeBare(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(`${file}.part`, 'wx')
  await handle.writeFile(bytes)
  await handle.sync()
  await handle.close()
  await rename(`${file}.part`, file)
}

/** Makes many pictures of some bytes, each when it is asked for. */
export async function makePictures(size: number): Promise<(index: number) => Buffer> {
  const picture = unlike(await noisyPicture(1000, 700), size)
  return (index) => {
    const bytes = Buffer.from(picture)
    bytes.writeUInt32LE(index, bytes.length - 4)
    return bytes
  }
}

/** Makes records that may refer to pictures; each has the SKU of its number. */
export async function makePictured(port: number, count: number): Promise<void> {
  const attributes = [
    { alias: 'sku', dataType: 'text', unique: true },
    { alias: 'pictures', dataType: 'references', validation: { schemaId: 'sch-photo' } },
  ]
  await send(port, 'POST', '/api/v1/schemas/picture', { id: 'sch-photo', name: 'Photo' })
  await send(port, 'POST', '/api/v1/schemas', { id: 'sch-pictured', name: 'Pictured', attributes })
  for (let from = 0; from < count; from += BATCH) {
    const operations = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => ({
      op: 'create',
      schemaId: 'sch-pictured',
      values: { sku: everywhere(`P${from + index}`) },
    }))
    await send(port, 'POST', '/api/v1/records/batch', { operations })
  }
}

/** Writes a zip with a picture for each of some of those records. */
export async function writeZip(
  file: string,
  { from = 0, count }: { readonly from?: number; readonly count: number },
  pictureOf: (index: number) => Buffer,
): Promise<void> {
  const zip = new ZipFile()
  const size = pictureOf(0).length
  // A picture is in memory while it is written, not before.
  for (let index = from; index < from + count; index += 1)
    zip.addReadStreamLazy(`P${index}_1.jpg`, { compress: false, size }, (take) => {
      take(null, Readable.from([pictureOf(index)]))
    })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(file))
}

interface ZipJob {
  readonly id: string
  readonly status: string
  readonly changed: number
  readonly unchanged: number
}

/** Sends a zip, and resolves when its files are given to their records. */
export async function importZip(port: number, file: string): Promise<ZipJob & { readonly milliseconds: number }> {
  const begin = performance.now()
  const { id } = await call<{ id: string }>(port, 'POST', '/api/v1/imports?fileName=a.zip', await openAsBlob(file))
  const mapping = { schemaId: 'sch-pictured', matchBy: 'sku', attributeAlias: 'pictures' }
  await send(port, 'PUT', `/api/v1/imports/${id}/mapping`, mapping)
  let job = await call<ZipJob>(port, 'POST', `/api/v1/imports/${id}/run`, '{}')
  while (job.status === 'queued' || job.status === 'running')
    job = await call<ZipJob>(port, 'GET', `/api/v1/bulk-jobs/${job.id}?wait=10`)
  return { ...job, milliseconds: performance.now() - begin }
}

export function send<Body>(port: number, method: string, path: string, body: object): Promise<Body> {
  return call(port, method, path, JSON.stringify(body))
}

export async function call<Body>(
  port: number,
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer> | Blob,
): Promise<Body> {
  const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream'
  const headers = { 'x-service-apikey': API_KEY, ...(body !== undefined && { 'content-type': type }) }
  const response = await fetch(addressOf(port, path), { method, headers, ...(body !== undefined && { body }) })
  if (response.status >= 300) throw new Error(`${path}: ${await response.text()}`)
  return (await response.json()) as Body
}

export function addressOf(port: number, path: string): string {
  return `http://127.0.0.1:${port}${path}`
}

export function everywhere(value: unknown): object[] {
  return [{ scope: {}, value }]
}
