// A change of a schema that more than 1,000 records have to follow: nobody waits for it, a bulk job makes it, and goes on with it when
// the server was stopped or killed. Contract 3 §2.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { type BulkJobBody, errorsOf, untilEnded } from '../../../helpers/bulk-jobs.ts'
import type { Client } from '../../../helpers/client.ts'
import { importFile, lines } from '../../../helpers/importing.ts'
import { untilStanding } from '../../../helpers/model-change-stage.ts'
import { startServer, type TestServer } from '../../../helpers/server.ts'
import { startServerProcess } from '../../../helpers/server-process.ts'
import { everywhere, make, readAudit } from '../../../helpers/shirts.ts'
import { assertSound } from '../../../helpers/soundness.ts'
import { makeTempDirectory } from '../../../helpers/temp-directory.ts'

const RECORDS = 1200
const text = (alias: string, unique = false): object => ({ alias, dataType: 'text', unique })

async function fill(admin: Client, id: string, skuOf = (n: number): string => `S-${n}`): Promise<void> {
  await make(admin, '/api/v1/schemas', { id, name: 'S', attributes: [text('sku'), text('note')] })
  const all = Array.from({ length: RECORDS }, (_, n) => ({
    id: `${id}-${n}`,
    schemaId: id,
    values: { sku: everywhere(skuOf(n)), ...(n % 3 === 0 && { note: everywhere('note') }) },
  }))
  assert.equal((await importFile(admin, lines(...all))).created, RECORDS)
}

const put = (admin: Client, id: string, ...attributes: object[]) =>
  send<BulkJobBody>(admin, 'PUT', `/api/v1/schemas/${id}?dropValues=true`, { name: 'S', attributes })
const attributesOf = async (admin: Client, id: string) =>
  (await send<{ attributes: { alias: string; unique: boolean }[] }>(admin, 'GET', `/api/v1/schemas/${id}`)).body
    .attributes

let server: TestServer
before(async () => {
  server = await startServer({ maxRecords: 0 })
})
after(() => server.stop())

describe('A change of a schema with many records', () => {
  it('is answered with a job, which says how many it has changed', async () => {
    const { admin } = server
    await fill(admin, 'sch-drop')
    const { status, body } = await put(admin, 'sch-drop', text('sku', true))
    assert.deepEqual([status, body.kind, body.name], [202, 'schema', 'S'])
    const job = await untilEnded(admin, body.id)
    const counts = [job.selected, job.done, job.changed, job.unchanged, job.failed]
    assert.deepEqual([job.status, ...counts], ['succeeded', RECORDS, RECORDS, RECORDS / 3, (RECORDS * 2) / 3, 0])
    assert.deepEqual(
      (await attributesOf(admin, 'sch-drop')).map(({ alias, unique }) => [alias, unique]),
      [['sku', true]],
    )
    assert.deepEqual((await readAudit(admin, 'sch-drop-0'))[0]!.origin, { kind: 'schema', id: job.id })
    const twice = { schemaId: 'sch-drop', values: { sku: everywhere('S-7') } }
    assertRefused(await send(admin, 'POST', '/api/v1/records', twice), 'CONFLICT', 'sku')
  })

  it('that cannot be made fails its job, which says why, and leaves all as it was', async () => {
    const { admin } = server
    await fill(admin, 'sch-twice', (n) => (n === 900 ? 'S-3' : `S-${n}`))
    const { status, body } = await put(admin, 'sch-twice', text('sku', true))
    assert.equal(status, 202)
    const job = await untilEnded(admin, body.id)
    assert.deepEqual([job.status, job.changed], ['failed', 0])
    const [error] = await errorsOf(admin, job.id)
    assert.deepEqual([error!.recordId, error!.error], [null, 'CONFLICT'])
    assert.match(error!.message, /values\.sku/)
    assert.equal((await attributesOf(admin, 'sch-twice')).length, 2)
    await make(admin, '/api/v1/records', { schemaId: 'sch-twice', values: { sku: everywhere('S-3') } })
  })

  it('that changes no record is answered at once', async () => {
    const { admin } = server
    await fill(admin, 'sch-free')
    assert.equal((await put(admin, 'sch-free', text('sku'), text('note'), text('more'))).status, 200)
    const kept = { name: 'S', attributes: [text('sku')] }
    assertRefused(await send(admin, 'PUT', '/api/v1/schemas/sch-free', kept), 'CONFLICT', 'note')
  })

  it('goes on after a kill at each of its stages', { timeout: 600_000 }, async (t) => {
    const dataDir = makeTempDirectory()
    let own = await startServerProcess(dataDir)
    t.after(() => own.kill())
    await fill(own.admin, 'sch-killed')
    const { body } = await put(own.admin, 'sch-killed', text('sku', true))
    const never = new Promise<never>(() => undefined)
    for (const stage of ['claim', 'drop']) {
      await untilStanding(dataDir, (at) => at.stage === stage && at.cursor > 0, never)
      await own.kill()
      await assertSound(dataDir, stage)
      own = await startServerProcess(dataDir)
    }
    const job = await untilEnded(own.admin, body.id)
    assert.deepEqual([job.status, job.changed], ['succeeded', RECORDS / 3])
    assert.equal((await attributesOf(own.admin, 'sch-killed')).length, 1)
    await assertSound(dataDir)
  })
})
