// A server that is killed (`kill -9`) while an import gives the files of a zip to records: it goes on at the next start, and takes
// each file once. Contract 4 §4.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../helpers/answers.ts'
import { undoJob, untilEnded } from '../helpers/bulk-jobs.ts'
import { ask } from '../helpers/files.ts'
import { startServerProcess } from '../helpers/server-process.ts'
import { sizeOf } from '../helpers/in-full.ts'
import { everywhere, make, readRecord } from '../helpers/shirts.ts'
import { assertSound } from '../helpers/soundness.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { part } from '../helpers/zip-file.ts'
import { makeProductSchemas, mappedZip, postZipJob, type ZipJob } from '../helpers/zip-imports.ts'

const PRODUCTS = sizeOf({ full: 150, short: 80 })
const FILES = PRODUCTS * 2
/** Files that were given when the server is killed. */
const KILLS = sizeOf({ full: [20, 100, 200], short: [20, 80] })
const sku = (n: number) => `K${n}`

describe('A server that is killed while it imports a zip', () => {
  it('goes on at its next start, takes each file once, and undoes all', { timeout: 600_000 }, async (t) => {
    const dataDir = makeTempDirectory()
    let server = await startServerProcess(dataDir)
    t.after(() => server.kill())
    await makeProductSchemas(server.admin)
    const ids: string[] = []
    for (let n = 0; n < PRODUCTS; n += 1) {
      const body = { schemaId: 'sch-product', values: { sku: everywhere(sku(n)) } }
      ids.push((await make<{ id: string }>(server.admin, '/api/v1/records', body)).id)
    }
    const parts = ids.flatMap((_id, n) => [part(`${sku(n)}-2.jpg`), part(`${sku(n)}-1.jpg`)])
    const { id: jobId } = await postZipJob(server.admin, await mappedZip(server.admin, parts, {}))
    const seen: number[] = []
    for (const point of KILLS) {
      for (let done = 0; done < point;) {
        const { body } = await send<ZipJob>(server.admin, 'GET', `/api/v1/bulk-jobs/${jobId}`)
        done = body.completedAt === null ? body.done : FILES
        if (done >= point) seen.push(done)
        else await sleep(5)
      }
      await server.kill()
      server = await startServerProcess(dataDir)
    }
    t.diagnostic(`killed after ${seen.join(', ')} files`)
    assert.ok(new Set(seen).size >= 2, 'it was killed on the way')
    const job = (await untilEnded(server.admin, jobId)) as ZipJob
    assert.deepEqual([job.status, job.updated, job.failed, job.pictures], ['succeeded', FILES, 0, FILES])
    for (const [n, id] of ids.entries()) {
      const { values } = await readRecord(server.admin, id)
      const names: string[] = []
      for (const picture of values['pictures']![0]!.value as string[]) {
        const found = (await readRecord(server.admin, picture)).values['content']![0]!.value
        const { fileName, sha256 } = found as { fileName: string; sha256: string }
        names.push(fileName)
        const bytes = await ask(server.admin, `/api/v1/records/${picture}/files/${sha256}`)
        assert.equal(bytes.bytes.toString(), fileName)
      }
      assert.deepEqual(names, [`${sku(n)}-1.jpg`, `${sku(n)}-2.jpg`])
    }
    const undone = await undoJob(server.admin, jobId)
    assert.deepEqual([undone.status, undone.changed, undone.failed], ['succeeded', PRODUCTS + FILES, 0])
    await server.kill()
    await assertSound(dataDir)
  })
})
