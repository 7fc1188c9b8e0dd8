// Imports a zip of many pictures, and delivers the pictures with a feed to real servers.
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { PLACES } from '../../../test/helpers/places.ts'
import { call, everywhere, importZip, makePictured, makePictures, send, writeBare, writeZip } from '../pictures.ts'
import { perSecond, renderTable, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const MB = 1024 ** 2
const ZIP_PICTURE = 200_000
const ZIP_BAR = 0.5
const ZIP_MEMORY = 200
/** MB more that the server may take, and have on the disk, during a delivery: a part of an upload, and the list of files. */
const DELIVERY_MEMORY = 100
const DELIVERY_DISK = 32
const DELIVERED_TO = ['s3', 'azure-blob', 'sftp']
/** Pictures that are imported together before they are delivered. */
const ONE_ZIP = 1000
const LOOK_AGAIN = 250

const run = promisify(execFile)

interface Pictures {
  readonly count: number
  /** Bytes of each. */
  readonly size: number
}

export async function measureDeliveries(workspace: Workspace, { count, size }: Pictures): Promise<Row[]> {
  const pictureOf = await makePictures(size)
  const { port } = workspace.server
  const file = path.join(workspace.directory, 'pictures.zip')
  await makePictured(port, count)
  for (let from = 0; from < count; from += ONE_ZIP) {
    await writeZip(file, { from, count: Math.min(ONE_ZIP, count - from) }, pictureOf)
    await importZip(port, file)
    await rm(file)
  }
  const rows: Row[] = []
  for (const type of DELIVERED_TO) {
    const found = await measurePlace(workspace, type, { count, size }, pictureOf)
    rows.push(...found)
    // A run of many pictures takes long.
    process.stderr.write(`${renderTable(found)}\n`)
  }
  return rows
}

/** Imports a zip for as many products, twice; the reference writes and syncs the same bytes, before and after. */
export async function measureZip({ server, directory }: Workspace, count: number): Promise<Row[]> {
  const pictureOf = await makePictures(ZIP_PICTURE)
  const { port } = server
  const file = path.join(directory, 'pictures.zip')
  await makePictured(port, count)
  await writeZip(file, { count }, pictureOf)
  const before = await timeBare(directory, count, pictureOf)
  const memory = server.memory()
  server.forgetPeak()
  const first = await importZip(port, file)
  const more = Math.round((server.peakMemory() - memory) / MB)
  const second = await importZip(port, file)
  const bare = (before + (await timeBare(directory, count, pictureOf))) / 2
  await rm(file)
  if (first.changed !== count || second.unchanged !== count) throw new Error('The zip was not imported')
  const rateOf = (milliseconds: number): string => perSecond((count * 1000) / milliseconds)
  const ratio = bare / first.milliseconds
  return [
    {
      name: `a zip of ${count} pictures of 200 KB for as many records, in files per second (${more} MB more memory); reference: writing and syncing the same bytes`,
      pimlet: rateOf(first.milliseconds),
      reference: rateOf(bare),
      ratio,
      bar: `≥ ${ZIP_BAR}`,
      isHeld: ratio >= ZIP_BAR && more <= ZIP_MEMORY,
    },
    {
      name: 'the same zip a second time: all unchanged',
      pimlet: rateOf(second.milliseconds),
      reference: rateOf(bare),
      ratio: bare / second.milliseconds,
    },
  ]
}

/** Resolves to milliseconds. */
async function timeBare(directory: string, count: number, pictureOf: (index: number) => Buffer): Promise<number> {
  const names = Array.from({ length: count }, (_, index) => path.join(directory, `bare-${index}`))
  const begin = performance.now()
  for (const [index, name] of names.entries()) await writeBare(name, pictureOf(index))
  const milliseconds = performance.now() - begin
  for (const name of names) await rm(name)
  return milliseconds
}

interface FilesRun {
  readonly id: string
  readonly status: string
  readonly error: string | null
  readonly files: { readonly sent: number; readonly unchanged: number; readonly failed: number } | null
}

/** All pictures, then those that are new, then all in a zip. */
async function measurePlace(
  workspace: Workspace,
  type: string,
  { count, size }: Pictures,
  pictureOf: (index: number) => Buffer,
): Promise<Row[]> {
  const { port } = workspace.server
  // Each destination before this one has added a picture.
  const there = count + DELIVERED_TO.indexOf(type)
  const place = await PLACES[type]!()
  try {
    const jobTo = async (as: 'beside' | 'zip'): Promise<string> => {
      const job = {
        name: `pictures ${as}`,
        format: 'csv',
        schemaId: 'sch-pictured',
        schedule: '0 3 1 1 *',
        includeVariants: true,
        compress: false,
        destinationType: type,
        destinationConfig: place.config(place.address),
        filenameTemplate: as === 'zip' ? 'all.zip' : 'feed-{runId}.csv',
        files: { attributes: ['pictures'], name: '{sku}-{n}.{ext}', as },
      }
      return (await send<{ id: string }>(port, 'POST', '/api/v1/export-jobs', job)).id
    }
    const beside = await jobTo('beside')
    const all = await deliver(workspace, beside)
    await addPicture(port, pictureOf(there))
    const changed = await deliver(workspace, beside)
    const zip = await deliver(workspace, await jobTo('zip'))
    return [
      rowOf(`${count} pictures of ${Math.round(size / 1000)} KB beside a feed to ${type}`, all, all.sent === there),
      rowOf(`the same job with one more picture: ${changed.sent} sent`, changed, changed.sent === 1),
      rowOf(`all of them in a zip to ${type}`, zip, true),
    ]
  } finally {
    await place.close()
  }
}

interface Delivery {
  readonly milliseconds: number
  readonly sent: number
  /** MB more than before, at most. */
  readonly memory: number
  readonly disk: number
}

function rowOf(name: string, { milliseconds, memory, disk }: Delivery, isRight: boolean): Row {
  return {
    name: `${name} (${memory} MB more memory, ${disk} MB more on the disk)`,
    pimlet: `${(milliseconds / 1000).toFixed(1)} s`,
    bar: `≤ ${DELIVERY_MEMORY} MB, ≤ ${DELIVERY_DISK} MB`,
    isHeld: isRight && memory <= DELIVERY_MEMORY && disk <= DELIVERY_DISK,
  }
}

async function deliver({ server, directory }: Workspace, jobId: string): Promise<Delivery> {
  const data = path.join(directory, 'data')
  const [memory, disk] = [server.memory(), await bytesOn(data)]
  server.forgetPeak()
  const begin = performance.now()
  const job = `/api/v1/export-jobs/${jobId}`
  const { id } = await call<FilesRun>(server.port, 'POST', `${job}/trigger`)
  let most = disk
  for (;;) {
    const found = await call<FilesRun>(server.port, 'GET', `${job}/runs/${id}`)
    if (found.status === 'failed') throw new Error(`The delivery failed: ${found.error}`)
    most = Math.max(most, await bytesOn(data))
    if (found.status === 'success') {
      const { sent, failed } = found.files!
      if (failed > 0) throw new Error(`${failed} pictures failed`)
      const more = [server.peakMemory() - memory, most - disk].map((bytes) => Math.round(bytes / MB))
      return { milliseconds: performance.now() - begin, sent, memory: more[0]!, disk: more[1]! }
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN))
  }
}

/** A file with several names counts once. The logs of the databases have a size of their own, which earlier work decides. */
async function bytesOn(directory: string): Promise<number> {
  // Files go while they are counted.
  const { stdout } = await run('du', ['-s', '-B1', '--exclude=*-wal', directory]).catch(
    (error: unknown) => error as { stdout: string },
  )
  return Number(stdout.split('\t')[0])
}

/** Gives one of the records one more picture. */
async function addPicture(port: number, bytes: Buffer): Promise<void> {
  const list = '/api/v1/records?schemaId=sch-pictured&limit=1'
  const { sha256 } = await call<{ sha256: string }>(port, 'POST', '/api/v1/files', new Uint8Array(bytes))
  const values = { content: everywhere({ sha256, fileName: 'new.jpg' }) }
  const { id } = await send<{ id: string }>(port, 'POST', '/api/v1/records', { schemaId: 'sch-photo', values })
  const [record] = (await call<{ items: Pictured[] }>(port, 'GET', list)).items
  const pictures = everywhere([...record!.values.pictures[0]!.value, id])
  await send(port, 'PATCH', `/api/v1/records/${record!.id}`, { values: { pictures } })
}

interface Pictured {
  readonly id: string
  readonly values: { readonly pictures: readonly { readonly value: readonly string[] }[] }
}
