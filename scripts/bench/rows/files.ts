// Uploads pictures, makes renditions and serves them, and reads lists with pictures.
import { randomBytes } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { ZipFile } from 'yazl'
import { httpRequest, runLoad } from '../load.ts'
import { API_KEY, startReference } from '../processes.ts'
import { median } from '../statistics.ts'
import { milliseconds, perSecond, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const UPLOADS = 200
const UPLOAD_BYTES = 200_000
const AT_ONCE = 8
const UPLOAD_BAR = 0.5
const MAKINGS = 7
const MAKING_BAR = 1.3
const PRESET = { id: 'bench', width: 400, height: 400, fit: 'inside', format: 'webp', quality: 80 }
const ROUNDS = 5
const MILLISECONDS = 1500
const CONNECTIONS = 16
const SERVING_BAR = 0.5
const PRODUCTS = 50
const LIST_BAR = 1.3

export async function measureFiles(workspace: Workspace): Promise<Row[]> {
  const { port } = workspace.server
  await send(port, 'POST', '/api/v1/schemas/picture', { id: 'sch-picture', name: 'Picture' })
  await send(port, 'POST', '/api/v1/rendition-presets', PRESET)
  const uploads = await measureUploads(workspace)
  const making = await measureMaking(port)
  const serving = await measureServing(workspace)
  const lists = await measureLists(port)
  return [uploads, making, serving, lists, ...(await measureZip(workspace))]
}

/** Uploads pictures; the reference writes, syncs and renames the same bytes. */
async function measureUploads({ server, directory }: Workspace): Promise<Row> {
  const picture = await noisyPicture(1000, 700)
  const ratios: number[] = []
  const rates: { pimlet: number; bare: number }[] = []
  for (let round = 0; round < 3; round += 1) {
    const bare = await rateOf(
      (bytes, index) => writeBare(path.join(directory, `bare-${round}-${index}`), bytes),
      picture,
    )
    const pimlet = await rateOf((bytes) => upload(server.port, bytes), picture)
    ratios.push(pimlet / bare)
    rates.push({ pimlet, bare })
  }
  const ratio = median(ratios)
  return {
    name: `uploads of pictures of ${Math.round(UPLOAD_BYTES / 1000)} KB, ${AT_ONCE} at once; reference: writing and syncing the same bytes`,
    pimlet: perSecond(median(rates.map((rate) => rate.pimlet))),
    reference: perSecond(median(rates.map((rate) => rate.bare))),
    ratio,
    bar: `≥ ${UPLOAD_BAR}`,
    isHeld: ratio >= UPLOAD_BAR,
  }
}

/** Files per second. */
async function rateOf(work: (bytes: Buffer, index: number) => Promise<unknown>, picture: Buffer): Promise<number> {
  const files = Array.from({ length: UPLOADS }, () => unlike(picture, UPLOAD_BYTES))
  const begin = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, lane) => {
      for (let index = lane; index < files.length; index += AT_ONCE) await work(files[index]!, index)
    }),
  )
  return (files.length * 1000) / (performance.now() - begin)
}

async function writeBare(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(`${file}.part`, 'wx')
  await handle.writeFile(bytes)
  await handle.sync()
  await handle.close()
  await rename(`${file}.part`, file)
}

const PICTURED = 1000
const ZIP_BAR = 0.5
const ZIP_MEMORY = 200

/** Imports a zip of pictures for as many products, twice; the reference writes and syncs the same bytes. */
async function measureZip({ server, directory }: Workspace): Promise<Row[]> {
  const { port } = server
  const skus = Array.from({ length: PICTURED }, (_, index) => `P${index}`)
  const attributes = [
    { alias: 'sku', dataType: 'text', unique: true },
    { alias: 'pictures', dataType: 'references', validation: { schemaId: 'sch-picture' } },
  ]
  await send(port, 'POST', '/api/v1/schemas', { id: 'sch-pictured', name: 'Pictured', attributes })
  const operations = skus.map((sku) => ({ op: 'create', schemaId: 'sch-pictured', values: { sku: everywhere(sku) } }))
  await send(port, 'POST', '/api/v1/records/batch', { operations })
  const picture = await noisyPicture(1000, 700)
  const files = skus.map(() => unlike(picture, UPLOAD_BYTES))
  const begin = performance.now()
  for (const [index, bytes] of files.entries()) await writeBare(path.join(directory, `zipped-${index}`), bytes)
  const bare = performance.now() - begin
  const zip = new ZipFile()
  for (const [index, bytes] of files.entries()) zip.addBuffer(bytes, `${skus[index]}_1.jpg`, { compress: false })
  zip.end()
  const content = await buffer(zip.outputStream)
  const before = server.memory()
  server.forgetPeak()
  const first = await importZip(port, content)
  const memory = Math.round((server.peakMemory() - before) / 1024 ** 2)
  const second = await importZip(port, content)
  if (first.changed !== PICTURED || second.unchanged !== PICTURED) throw new Error('The zip was not imported')
  const ratio = bare / first.milliseconds
  return [
    {
      name: `a zip of ${PICTURED} pictures of 200 KB for as many records, in files per second (${memory} MB more memory); reference: writing and syncing the same bytes`,
      pimlet: perSecond((PICTURED * 1000) / first.milliseconds),
      reference: perSecond((PICTURED * 1000) / bare),
      ratio,
      bar: `≥ ${ZIP_BAR}`,
      isHeld: ratio >= ZIP_BAR && memory <= ZIP_MEMORY,
    },
    {
      name: 'the same zip a second time: all unchanged',
      pimlet: perSecond((PICTURED * 1000) / second.milliseconds),
    },
  ]
}

interface ZipJob {
  readonly id: string
  readonly status: string
  readonly changed: number
  readonly unchanged: number
}

async function importZip(port: number, content: Buffer): Promise<ZipJob & { readonly milliseconds: number }> {
  const begin = performance.now()
  const { id } = await call<{ id: string }>(port, 'POST', '/api/v1/imports?fileName=a.zip', new Uint8Array(content))
  const mapping = { schemaId: 'sch-pictured', matchBy: 'sku', attributeAlias: 'pictures' }
  await send(port, 'PUT', `/api/v1/imports/${id}/mapping`, mapping)
  let job = await call<ZipJob>(port, 'POST', `/api/v1/imports/${id}/run`, '{}')
  while (job.status === 'queued' || job.status === 'running') {
    const answer = await fetch(addressOf(port, `/api/v1/bulk-jobs/${job.id}?wait=10`), {
      headers: { 'x-service-apikey': API_KEY },
    })
    job = (await answer.json()) as ZipJob
  }
  return { ...job, milliseconds: performance.now() - begin }
}

/** The first request of a rendition; the reference is the library alone, in this process. */
async function measureMaking(port: number): Promise<Row> {
  const picture = await noisyPicture(4000, 3000)
  const samples: { pimlet: number; alone: number }[] = []
  for (let round = 0; round <= MAKINGS; round += 1) {
    const bytes = unlike(picture, picture.length + 100)
    const { recordId, sha256 } = await makePicture(port, `large-${round}`, bytes)
    const begin = performance.now()
    await render(bytes)
    const alone = performance.now() - begin
    const pimlet = await timeOf(port, renditionPath(recordId, sha256))
    // The first one starts a process.
    if (round > 0) samples.push({ pimlet, alone })
  }
  const ratio = median(samples.map(({ pimlet, alone }) => pimlet / alone))
  return {
    name: '12 megapixels as a webp of 400 pixels, first request; reference: sharp alone',
    pimlet: milliseconds(median(samples.map(({ pimlet }) => pimlet))),
    reference: milliseconds(median(samples.map(({ alone }) => alone))),
    ratio,
    bar: `≤ ${MAKING_BAR} ×`,
    isHeld: ratio <= MAKING_BAR,
  }
}

/** With the settings of the server. */
function render(bytes: Buffer): Promise<Buffer> {
  return sharp(bytes).autoOrient().resize(400, 300).webp({ quality: 80, effort: 2 }).toBuffer()
}

async function measureServing({ server, directory }: Workspace): Promise<Row> {
  const { recordId, sha256 } = await makePicture(server.port, 'served', await noisyPicture(1600, 1200))
  const kept = renditionPath(recordId, sha256)
  const answer = await fetch(addressOf(server.port, kept), { headers: { 'x-service-apikey': API_KEY } })
  const file = path.join(directory, 'served.webp')
  const handle = await open(file, 'w')
  await handle.writeFile(Buffer.from(await answer.arrayBuffer()))
  await handle.close()
  const reference = await startReference('file-server', file)
  const rate = async (port: number): Promise<number> => {
    const nextRequest = (): string => httpRequest('GET', kept, API_KEY)
    return (await runLoad({ port, connections: CONNECTIONS, nextRequest, milliseconds: MILLISECONDS })).perSecond
  }
  try {
    await Promise.all([rate(server.port), rate(reference.port)])
    const rounds: { pimlet: number; bare: number }[] = []
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push({ pimlet: await rate(server.port), bare: await rate(reference.port) })
    const ratio = median(rounds.map(({ pimlet, bare }) => pimlet / bare))
    return {
      name: `GET a kept rendition at ${CONNECTIONS} connections; reference: node:http with the file`,
      pimlet: perSecond(median(rounds.map(({ pimlet }) => pimlet))),
      reference: perSecond(median(rounds.map(({ bare }) => bare))),
      ratio,
      bar: `≥ ${SERVING_BAR}`,
      isHeld: ratio >= SERVING_BAR,
    }
  } finally {
    await reference.stop()
  }
}

async function measureLists(port: number): Promise<Row> {
  const attributes = [
    { alias: 'name', dataType: 'text' },
    { alias: 'pictures', dataType: 'references', validation: { schemaId: 'sch-picture' } },
  ]
  await send(port, 'POST', '/api/v1/schemas', {
    id: 'sch-shown',
    name: 'Shown',
    imageAttribute: 'pictures',
    attributes,
  })
  const picture = await noisyPicture(200, 200)
  for (let index = 0; index < PRODUCTS; index += 1) {
    const { recordId } = await makePicture(port, `shown-${index}`, unlike(picture, picture.length + 100))
    const values = { name: everywhere(`Product ${index}`), pictures: everywhere([recordId]) }
    await send(port, 'POST', '/api/v1/records', { id: `product-${index}`, schemaId: 'sch-shown', values })
  }
  const list = `/api/v1/records?schemaId=sch-shown&limit=${PRODUCTS}`
  const rounds: { with: number; without: number }[] = []
  for (let round = 0; round < 200; round += 1)
    rounds.push({ with: await timeOf(port, `${list}&include=image`), without: await timeOf(port, list) })
  const measured = rounds.slice(50)
  const ratio = median(measured.map((one) => one.with)) / median(measured.map((one) => one.without))
  return {
    name: `list of ${PRODUCTS} records with include=image; reference: without`,
    pimlet: milliseconds(median(measured.map((one) => one.with))),
    reference: milliseconds(median(measured.map((one) => one.without))),
    ratio,
    bar: `≤ ${LIST_BAR} ×`,
    isHeld: ratio <= LIST_BAR,
  }
}

/** A JPEG that is as hard to read as a photograph. */
function noisyPicture(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  return sharp({ create: { width, height, channels: 3, background: '#888888', noise } })
    .blur(2)
    .jpeg({ quality: 85 })
    .toBuffer()
}

/** The same picture with other bytes behind it: another content. */
function unlike(picture: Buffer, size: number): Buffer {
  return Buffer.concat([picture, randomBytes(Math.max(16, size - picture.length))])
}

async function makePicture(port: number, id: string, bytes: Buffer): Promise<{ recordId: string; sha256: string }> {
  const { sha256 } = await upload(port, bytes)
  const values = { content: everywhere({ sha256, fileName: 'a.jpg' }) }
  await send(port, 'POST', '/api/v1/records', { id, schemaId: 'sch-picture', values })
  return { recordId: id, sha256 }
}

async function upload(port: number, bytes: Buffer): Promise<{ sha256: string }> {
  return call(port, 'POST', '/api/v1/files?fileName=a.jpg', new Uint8Array(bytes))
}

function send(port: number, method: string, path: string, body: object): Promise<unknown> {
  return call(port, method, path, JSON.stringify(body))
}

async function call<Body>(
  port: number,
  method: string,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<Body> {
  const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream'
  const headers = { 'x-service-apikey': API_KEY, 'content-type': type }
  const response = await fetch(addressOf(port, path), { method, headers, body })
  if (response.status >= 300) throw new Error(`${path}: ${await response.text()}`)
  return (await response.json()) as Body
}

/** Milliseconds until the whole answer is there. */
async function timeOf(port: number, path: string): Promise<number> {
  const begin = performance.now()
  const response = await fetch(addressOf(port, path), { headers: { 'x-service-apikey': API_KEY } })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  return performance.now() - begin
}

function renditionPath(recordId: string, sha256: string): string {
  return `/api/v1/records/${recordId}/files/${sha256}/renditions/${PRESET.id}`
}

function addressOf(port: number, path: string): string {
  return `http://127.0.0.1:${port}${path}`
}

function everywhere(value: unknown): object[] {
  return [{ scope: {}, value }]
}
