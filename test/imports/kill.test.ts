// A server that is killed (`kill -9`) while an import is under way: it goes on at the next start where it was, and no row is taken twice.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../helpers/answers.ts'
import { type BulkJobBody, untilEnded } from '../helpers/bulk-jobs.ts'
import type { Client } from '../helpers/client.ts'
import { startServerProcess } from '../helpers/server-process.ts'
import { type AuditEntryBody, make } from '../helpers/shirts.ts'
import { assertSound } from '../helpers/soundness.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { lookInto } from '../helpers/tested-database.ts'

const RECORDS = 600
/** Each row refers to the next one, the last to the first: all of them wait, but for the variants, whose parent is the last row. */
const FILE = [
  'id,parent,friend',
  ...Array.from({ length: RECORDS }, (_, n) => `k-${n},,k-${(n + 1) % RECORDS}`),
  ...Array.from({ length: 50 }, (_, n) => `v-${n},parent,`),
  'parent,,',
].join('\n')
const ROWS = RECORDS + 51
const MAPPING = {
  schemaId: 'sch-kill',
  mode: 'create',
  columns: [
    { header: 'id', to: { field: 'id' } },
    { header: 'parent', to: { field: 'parentId' } },
    { header: 'friend', to: { attributeAlias: 'friend' } },
  ],
}
/** In which round, and at which row, the server is killed. */
const POINTS = [
  [0, 200],
  [1, 100],
  [2, 50],
  [3, 300],
] as const

async function upload(client: Client): Promise<string> {
  const options = { method: 'POST', headers: { ...client.headers, 'content-type': 'text/csv' }, body: FILE }
  const { id } = (await (await fetch(`${client.url}/api/v1/imports?fileName=k.csv`, options)).json()) as { id: string }
  const mapped = await send(client, 'PUT', `/api/v1/imports/${id}/mapping`, MAPPING)
  assert.equal(mapped.status, 200, mapped.text)
  return id
}

const IMPORT = {
  sqlite: `SELECT document ->> '$.round' AS round, document ->> '$.position' AS position, document ->> '$.status' AS status
    FROM bulk_job WHERE document ->> '$.kind' = 'import'`,
  postgres: `SELECT (document::json ->> 'round')::int AS round, (document::json ->> 'position')::int AS position,
    document::json ->> 'status' AS status FROM bulk_job WHERE document::json ->> 'kind' = 'import'`,
}

/** Resolves to where it is, as round and row. */
async function untilAt(dataDir: string, [round, position]: readonly [number, number]): Promise<string> {
  const look = await lookInto(dataDir)
  for (;;) {
    const [at] = await look.rows<{ round: number; position: number; status: string }>(IMPORT)
    const isThere = at?.status === 'running' && (at.round > round || (at.round === round && at.position >= position))
    if (isThere || at?.status === 'succeeded' || at?.status === 'failed') {
      await look.close()
      return `${at.round}:${at.position}`
    }
    await sleep(1)
  }
}

async function entriesOf(client: Client): Promise<AuditEntryBody[]> {
  const found: AuditEntryBody[] = []
  for (let after = ''; ;) {
    const { body } = await send<{ items: AuditEntryBody[]; cursor: string }>(
      client,
      'GET',
      `/api/v1/changes?limit=1000${after}`,
    )
    if (body.items.length === 0) return found
    found.push(...body.items)
    after = `&after=${body.cursor}`
  }
}

describe('A server that is killed while an import is under way', () => {
  it('goes on with it at its next start, and takes each row once', { timeout: 600_000 }, async (t) => {
    const dataDir = makeTempDirectory()
    let server = await startServerProcess(dataDir)
    t.after(() => server.kill())
    const attributes = [{ alias: 'friend', dataType: 'reference' }]
    await make(server.admin, '/api/v1/schemas', { id: 'sch-kill', name: 'K', attributes })
    const id = await upload(server.admin)
    const job = await send<BulkJobBody>(server.admin, 'POST', `/api/v1/imports/${id}/run`)
    assert.equal(job.status, 202, job.text)
    const seen: string[] = []
    for (const point of POINTS) {
      seen.push(await untilAt(dataDir, point))
      await server.kill()
      server = await startServerProcess(dataDir)
    }
    t.diagnostic(`killed at ${seen.join(', ')}`)
    assert.ok(new Set(seen).size >= 3, 'it was killed on the way')
    const ended = await untilEnded(server.admin, job.body.id)
    assert.deepEqual([ended.status, ended.selected, ended.created, ended.failed], ['succeeded', ROWS, ROWS, 0])
    const entries = await entriesOf(server.admin)
    const [made, changed] = ['create', 'update'].map((action) => entries.filter((entry) => entry.action === action))
    assert.deepEqual([made!.length, new Set(made!.map(({ entityId }) => entityId)).size], [ROWS, ROWS])
    // What names a row that was not there is completed once.
    assert.equal(changed!.length, new Set(changed!.map(({ entityId }) => entityId)).size)
    assert.ok(changed!.length > 0 && changed!.length <= RECORDS)
    await server.kill()
    await assertSound(dataDir)
  })
})
