// Uploads pictures, makes renditions and serves them, and reads lists with pictures.
import { open } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { httpRequest, runLoad } from '../load.ts'
import { addressOf, call, everywhere, noisyPicture, send, unlike, writeBare } from '../pictures.ts'
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
  return [uploads, making, serving, lists]
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

async function makePicture(port: number, id: string, bytes: Buffer): Promise<{ recordId: string; sha256: string }> {
  const { sha256 } = await upload(port, bytes)
  const values = { content: everywhere({ sha256, fileName: 'a.jpg' }) }
  await send(port, 'POST', '/api/v1/records', { id, schemaId: 'sch-picture', values })
  return { recordId: id, sha256 }
}

async function upload(port: number, bytes: Buffer): Promise<{ sha256: string }> {
  return call(port, 'POST', '/api/v1/files?fileName=a.jpg', new Uint8Array(bytes))
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
