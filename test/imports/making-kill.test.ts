// A server that is killed (`kill -9`) while an import makes options and categories, and while its undo takes them back: nothing is
// made twice, and nothing stays behind.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../helpers/answers.ts'
import { type BulkJobBody, untilEnded } from '../helpers/bulk-jobs.ts'
import type { Client } from '../helpers/client.ts'
import { startServerProcess } from '../helpers/server-process.ts'
import { make } from '../helpers/shirts.ts'
import { assertSound } from '../helpers/soundness.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const CATEGORIES = 1500
const FILE = ['id,colour,group', ...Array.from({ length: CATEGORIES }, (_, n) => `k-${n},c ${n},New/${n}`), ''].join(
  '\n',
)
const MAPPING = {
  schemaId: 'sch-kill',
  columns: [
    { header: 'id', to: { field: 'id' } },
    { header: 'colour', to: { attributeAlias: 'colour' }, createOptions: true },
    { header: 'group', to: { field: 'categories' }, createCategories: true },
  ],
}
const countCategories = async (client: Client) =>
  (await send<{ name: string; parentId: string | null }[]>(client, 'GET', '/api/v1/catalogs/cat-web/categories')).body
    .length
const countOptions = async (client: Client) =>
  (await send<{ attributes: { options: object[] }[] }>(client, 'GET', '/api/v1/schemas/sch-kill')).body.attributes[0]!
    .options.length

async function until(isThere: () => Promise<boolean>): Promise<void> {
  while (!(await isThere())) await sleep(1)
}

describe('A server that is killed while an import makes options and categories', () => {
  it('goes on at its next start, makes nothing twice, and takes all back', { timeout: 300_000 }, async (t) => {
    const dataDir = makeTempDirectory()
    let server = await startServerProcess(dataDir)
    t.after(() => server.kill())
    const restart = async () => {
      await server.kill()
      server = await startServerProcess(dataDir)
    }
    await make(server.admin, '/api/v1/schemas', {
      id: 'sch-kill',
      name: 'K',
      attributes: [{ alias: 'colour', dataType: 'select' }],
    })
    await make(server.admin, '/api/v1/catalogs', { id: 'cat-web', name: 'Web' })
    const options = { method: 'POST', headers: { ...server.admin.headers, 'content-type': 'text/csv' }, body: FILE }
    const { id } = (await (await fetch(`${server.admin.url}/api/v1/imports?fileName=k.csv`, options)).json()) as {
      id: string
    }
    const mapped = await send(server.admin, 'PUT', `/api/v1/imports/${id}/mapping`, MAPPING)
    assert.equal(mapped.status, 200, mapped.text)
    const job = await send<BulkJobBody>(server.admin, 'POST', `/api/v1/imports/${id}/run`)
    await until(async () => (await countCategories(server.admin)) > 100)
    const made = await countCategories(server.admin)
    await restart()
    assert.ok(made < CATEGORIES, 'it was killed on the way')
    const ended = await untilEnded(server.admin, job.body.id)
    assert.deepEqual([ended.status, ended.created, ended.failed], ['succeeded', CATEGORIES, 0])
    assert.equal(await countCategories(server.admin), CATEGORIES + 1)
    assert.equal(await countOptions(server.admin), CATEGORIES)

    const undo = await send<BulkJobBody>(server.admin, 'POST', `/api/v1/bulk-jobs/${job.body.id}/undo`)
    assert.equal(undo.status, 202, undo.text)
    await until(async () => (await countCategories(server.admin)) < CATEGORIES - 100)
    const left = await countCategories(server.admin)
    await restart()
    assert.ok(left > 0, 'the undo was killed on the way')
    const undone = await untilEnded(server.admin, undo.body.id)
    assert.deepEqual([undone.status, undone.failed], ['succeeded', 0])
    assert.deepEqual([await countCategories(server.admin), await countOptions(server.admin)], [0, 0])
    await server.kill()
    await assertSound(dataDir)
  })
})

const ROWS = 3000
const TEAS = [
  'SKU,Name (de),Name (en),Weight (kg),Brand',
  ...Array.from({ length: ROWS }, (_, n) => `T-${n},Tee ${n},Tea ${n},1.5,Brand ${n % 7}`),
  '',
].join('\n')

describe('A server that is killed while an import fills the schema that it has made', () => {
  it('goes on at its next start, and its undo takes schema and records back', { timeout: 300_000 }, async (t) => {
    const dataDir = makeTempDirectory()
    let server = await startServerProcess(dataDir)
    t.after(() => server.kill())
    const restart = async () => {
      await server.kill()
      server = await startServerProcess(dataDir)
    }
    const count = async () => (await send<{ total: number }>(server.admin, 'GET', '/api/v1/records?limit=1')).body.total
    const statusOf = async (path: string) => (await send(server.admin, 'GET', path)).status
    const options = { method: 'POST', headers: { ...server.admin.headers, 'content-type': 'text/csv' }, body: TEAS }
    const uploaded = await fetch(`${server.admin.url}/api/v1/imports?fileName=teas.csv`, options)
    const { id } = (await uploaded.json()) as { id: string }
    const proposal = await send<{ mapping: object }>(server.admin, 'GET', `/api/v1/imports/${id}/proposal`)
    const mapped = await send(server.admin, 'PUT', `/api/v1/imports/${id}/mapping`, proposal.body.mapping)
    assert.equal(mapped.status, 200, mapped.text)
    const job = await send<BulkJobBody>(server.admin, 'POST', `/api/v1/imports/${id}/run`)
    await until(async () => (await count()) > 100)
    await restart()
    assert.ok((await count()) < ROWS, 'it was killed on the way')
    const ended = await untilEnded(server.admin, job.body.id)
    assert.deepEqual([ended.status, ended.created, ended.failed, await count()], ['succeeded', ROWS, 0, ROWS])

    const undo = await send<BulkJobBody>(server.admin, 'POST', `/api/v1/bulk-jobs/${job.body.id}/undo`)
    await until(async () => (await count()) < ROWS - 100)
    await restart()
    const undone = await untilEnded(server.admin, undo.body.id)
    assert.deepEqual([undone.status, undone.failed, await count()], ['succeeded', 0, 0])
    const left = await Promise.all(
      ['schemas/sch-teas', 'dimensions/language'].map((path) => statusOf(`/api/v1/${path}`)),
    )
    assert.deepEqual(left, [404, 404])
    await server.kill()
    await assertSound(dataDir)
  })
})
