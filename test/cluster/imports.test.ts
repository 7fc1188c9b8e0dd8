// An import whose requests go to several servers in turn. Contract 3 §4.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { XLSX_TYPE } from '../../src/imports/rules/media-types.ts'
import { assertRefused, send } from '../helpers/answers.ts'
import { type BulkJobBody, untilEnded } from '../helpers/bulk-jobs.ts'
import type { Client } from '../helpers/client.ts'
import { type Cluster, startCluster } from '../helpers/cluster.ts'
import { CSV } from '../helpers/importing.ts'
import { make } from '../helpers/shirts.ts'
import { xlsxFile } from '../helpers/xlsx-file.ts'
import { part, zipOf } from '../helpers/zip-file.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

const PATH = '/api/v1/imports'
const mapping = {
  schemaId: 'sch-item',
  mode: 'upsert',
  columns: [
    { header: 'id', to: { field: 'id' } },
    { header: 'sku', to: { attributeAlias: 'sku' } },
  ],
}

describe('Imports at several servers', { skip: withoutPostgres() }, () => {
  let cluster: Cluster
  let turn = 0
  /** Each request goes to the next server. */
  const next = (): Client => cluster.servers[(turn += 1) % cluster.servers.length]!.admin
  before(async () => {
    cluster = await startCluster(3, { maxImport: 2_000_000 })
    const attributes = [{ alias: 'sku', dataType: 'text', unique: true }]
    await make(next(), '/api/v1/schemas', { id: 'sch-item', name: 'Items', attributes })
  })
  after(() => cluster.stop())

  async function upload(body: string | Buffer, type: string) {
    const client = next()
    const response = await fetch(`${client.url}${PATH}?fileName=items`, {
      method: 'POST',
      headers: { ...client.headers, 'content-type': type },
      body: body as string,
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as { id: string } }
  }
  async function run(id: string, dryRun: boolean): Promise<BulkJobBody> {
    const answer = await send<BulkJobBody>(next(), 'POST', `${PATH}/${id}/${dryRun ? 'dry-run' : 'run'}`)
    assert.equal(answer.status, 202, answer.text)
    return untilEnded(next(), answer.body.id)
  }
  async function importAll(
    body: string | Buffer,
    type: string,
    meaning: object = mapping,
  ): Promise<[BulkJobBody, BulkJobBody, string]> {
    const uploaded = await upload(body, type)
    assert.equal(uploaded.status, 201, uploaded.text)
    const { id } = uploaded.body
    const mapped = await send(next(), 'PUT', `${PATH}/${id}/mapping`, meaning)
    assert.equal(mapped.status, 200, mapped.text)
    const jobs = [await run(id, true), await run(id, false)] as const
    const client = next()
    const failed = await fetch(`${client.url}${PATH}/${id}/failed.csv`, { headers: client.headers })
    const text = await failed.text()
    assert.equal(failed.status, 200, text)
    assert.equal((await send(next(), 'DELETE', `${PATH}/${id}`)).status, 204)
    return [...jobs, text]
  }

  it('a csv is uploaded, mapped, tried, imported, told of and deleted, wherever each request goes', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => `i-${index},SKU-${index === 39 ? 0 : index}`)
    const [tried, done, failed] = await importAll(['id,sku', ...rows, ''].join('\r\n'), CSV)
    assert.deepEqual([tried.created, tried.failed], [39, 1])
    assert.deepEqual([done.created, done.failed], [39, 1])
    assert.match(failed, /^id,sku,error,message\r\ni-39,SKU-0,CONFLICT,/)
    for (const { dataDir } of cluster.servers) assert.deepEqual(readdirSync(path.join(dataDir, 'imports')), [])
  })

  it('so is a zip of files', async () => {
    const attributes = [{ alias: 'content', dataType: 'file' }]
    await make(next(), '/api/v1/schemas', { id: 'sch-photo', name: 'Photos', attributes })
    await make(next(), '/api/v1/records', { id: 'photo-1', schemaId: 'sch-photo', values: {} })
    const zip = zipOf(part('photo-1-1.jpg'), part('photo-2-1.jpg'))
    const fitting = { schemaId: 'sch-photo', matchBy: 'id', attributeAlias: 'content' }
    const [tried, done, failed] = await importAll(zip, 'application/zip', fitting)
    assert.deepEqual([tried.updated, tried.failed], [1, 1])
    assert.deepEqual([done.updated, done.failed], [1, 1])
    assert.match(failed, /^file,error,message\r\nphoto-2-1\.jpg,NOT_FOUND,/)
    for (const { dataDir } of cluster.servers) assert.deepEqual(readdirSync(path.join(dataDir, 'imports')), [])
  })

  it('so is a spreadsheet', async () => {
    const [tried, done] = await importAll(
      xlsxFile([
        ['id', 'sku'],
        ['x-1', 'X-1'],
        ['x-2', 'X-2'],
      ]),
      XLSX_TYPE,
    )
    assert.deepEqual([tried.created, done.created], [2, 2])
    for (const { dataDir } of cluster.servers) assert.deepEqual(readdirSync(path.join(dataDir, 'imports')), [])
  })

  it('all files together are as large as they may be, whichever server has taken them', async () => {
    const half = `id,sku\r\n${'i-1,SKU\r\n'.repeat(130_000)}`
    const first = await upload(half, CSV)
    assert.equal(first.status, 201, first.text)
    assertRefused(await upload(half, CSV), 'PAYLOAD_TOO_LARGE', '--max-import')
    assert.equal((await send(next(), 'DELETE', `${PATH}/${first.body.id}`)).status, 204)
    const [left] = await cluster.ask<{ pieces: number }>('SELECT count(*)::integer AS pieces FROM import_piece')
    assert.equal(left!.pieces, 0)
  })
})
