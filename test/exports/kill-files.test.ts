// Files with the feed to each destination, on real servers, and a server that is killed in the middle of them. Contract 4 §4.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { litterIn, makeJob, type RunBody, trigger, whenEnded } from '../helpers/export-jobs.ts'
import { assertInterrupted, makeWorkspaces, type OpenWorkspace, type Workspace } from '../helpers/export-workspace.ts'
import { hashOf, uploaded } from '../helpers/files.ts'
import { PLACES } from '../helpers/places.ts'
import { eventually } from '../helpers/puppet.ts'
import { readZip } from '../helpers/read-zip.ts'
import { everywhere, make } from '../helpers/shirts.ts'
import { startTcpProxy } from '../helpers/tcp-proxy.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const FILES = 24
const SIZE = 150_000

interface FilesRun extends RunBody {
  readonly files: { sent: number; unchanged: number; failed: number } | null
}

/** Bytes that differ from file to file. */
const bytesOf = (index: number): Buffer => Buffer.alloc(SIZE, `file ${index}, `)

let openWorkspace: OpenWorkspace
before(async () => {
  openWorkspace = await makeWorkspaces()
})

/** A workspace whose records have files. */
async function openSheets(): Promise<Workspace> {
  const workspace = await openWorkspace()
  const { admin } = workspace.server
  const attributes = [
    { alias: 'sku', dataType: 'text' },
    { alias: 'sheet', dataType: 'file' },
  ]
  await make(admin, '/api/v1/schemas', { id: 'sch-sheet', name: 'Sheets', attributes })
  for (let index = 0; index < FILES; index += 1) {
    const sheet = everywhere(await uploaded(admin, bytesOf(index), `sheet-${index}.bin`))
    await make(admin, '/api/v1/records', { schemaId: 'sch-sheet', values: { sku: everywhere(`s${index}`), sheet } })
  }
  return workspace
}

const jobTo = (type: string, config: object, as: 'beside' | 'zip') => ({
  name: 'Files',
  format: 'csv',
  schemaId: 'sch-sheet',
  schedule: '0 3 1 1 *',
  includeVariants: true,
  compress: false,
  destinationType: type,
  destinationConfig: config,
  filenameTemplate: as === 'zip' ? 'all.zip' : 'feed.csv',
  checksum: 'sha256',
  files: { attributes: ['sheet'], name: '{sku}.{ext}', as },
})

describe('Files with the feed', { concurrency: true, timeout: 600_000 }, () => {
  let workspace: Workspace
  before(async () => {
    workspace = await openSheets()
  })
  after(() => workspace.stop())

  const run = async (jobId: string): Promise<FilesRun> => {
    const { admin } = workspace.server
    return (await whenEnded(admin, await trigger(admin, jobId))) as FilesRun
  }

  for (const [type, openPlace] of Object.entries(PLACES)) {
    it(`go to ${type} beside the feed, and as a zip`, async (t) => {
      const place = await openPlace()
      t.after(() => place.close())
      const { admin } = workspace.server
      const beside = await makeJob(admin, jobTo(type, place.config(place.address), 'beside'))
      const first = await run(beside.id)
      assert.deepEqual([first.status, first.error, first.files?.sent], ['success', null, FILES])
      for (let index = 0; index < FILES; index += 1)
        assert.ok((await place.read(`s${index}.bin`))?.equals(bytesOf(index)))
      assert.equal(hashOf((await place.read('feed.csv'))!), first.sha256)
      const { sent, unchanged } = (await run(beside.id)).files!
      assert.deepEqual([sent, unchanged], [0, FILES])

      const zipped = await run((await makeJob(admin, jobTo(type, place.config(place.address), 'zip'))).id)
      assert.equal(zipped.status, 'success', zipped.error!)
      const bytes = (await place.read('all.zip'))!
      assert.deepEqual([hashOf(bytes), bytes.length], [zipped.sha256, zipped.fileSize])
      const file = path.join(makeTempDirectory(), 'all.zip')
      writeFileSync(file, bytes)
      const entries = await readZip(file)
      assert.equal(entries.size, FILES + 1)
      for (let index = 0; index < FILES; index += 1) assert.ok(entries.get(`s${index}.bin`)!.equals(bytesOf(index)))
      assert.equal((await place.read('all.zip.sha256'))!.toString(), `${zipped.sha256}  all.zip\n`)
    })
  }
})

describe('A server that is killed while it sends files with a feed', { concurrency: true, timeout: 600_000 }, () => {
  for (const [type, openPlace] of Object.entries(PLACES))
    it(`to ${type} sends the rest with the next run`, async (t) => {
      const place = await openPlace()
      t.after(() => place.close())
      const workspace = await openSheets()
      t.after(() => workspace.stop())
      const { admin } = workspace.server
      const proxy = await startTcpProxy(place.address)
      t.after(() => proxy.kill())
      proxy.blackHoleAfter((FILES * SIZE) / 2)
      const job = await makeJob(admin, jobTo(type, place.config(proxy), 'beside'))
      const begun = await trigger(admin, job.id)
      await eventually(async () => {
        const received = proxy.received
        await sleep(300)
        return received > 1_000_000 && proxy.received === received
      })
      await workspace.killAndRestart(() => proxy.pass())
      await assertInterrupted(workspace, [begun])
      assert.equal(await place.read('feed.csv'), undefined)
      for (let index = 0; index < FILES; index += 1) {
        const there = await place.read(`s${index}.bin`)
        assert.ok(there === undefined || there.equals(bytesOf(index)), 'whole or absent')
      }
      const next = (await whenEnded(workspace.server.admin, await trigger(workspace.server.admin, job.id))) as FilesRun
      assert.equal(next.status, 'success', next.error!)
      const { sent, unchanged } = next.files!
      assert.equal(sent + unchanged, FILES)
      assert.ok(unchanged > 0, 'confirmed files were not sent again')
      for (let index = 0; index < FILES; index += 1)
        assert.ok((await place.read(`s${index}.bin`))?.equals(bytesOf(index)))
      await eventually(async () => place.hidden === undefined || (await place.hidden()).length === 0)
      assert.deepEqual(await litterIn(path.join(workspace.dataDir, 'spool'), workspace.server.admin), [])
    })
})
