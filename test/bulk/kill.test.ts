// A server that is killed (`kill -9`) while bulk jobs are under way: they go on at the next start where they were, and no record is
// changed twice.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../helpers/answers.ts'
import { type BulkJobBody, byQuery, postJob, undoJob, untilEnded } from '../helpers/bulk-jobs.ts'
import type { Client } from '../helpers/client.ts'
import { importFile, lines } from '../helpers/importing.ts'
import { sizeOf } from '../helpers/in-full.ts'
import { type ServerProcess, startServerProcess } from '../helpers/server-process.ts'
import { type AuditEntryBody, everywhere, make, type RecordBody } from '../helpers/shirts.ts'
import { assertSound } from '../helpers/soundness.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { type Look, lookInto } from '../helpers/tested-database.ts'

const RECORDS = 1000
/** Records that are judged when the server is killed; `null`: while they are still looked for. */
const POINTS = sizeOf({
  full: [null, 0, 1, 60, 160, 280, 440, 600, 760, RECORDS - 1],
  short: [null, 0, 160, 440, 760],
})
const RANDOM_POINTS = Number(process.env['TEST_KILL_ROUNDS'] ?? 1)

const records = lines(
  ...Array.from({ length: RECORDS }, (_, n) => ({
    id: `k-${n}`,
    schemaId: 'sch-kill',
    values: { text: everywhere('x') },
  })),
)
/** What is done twice shows. */
const actions = [{ replaceText: { attributeAlias: 'text', find: 'x', replace: 'xy' } }]

interface Standing {
  readonly status: string
  readonly done: number
  /** 1 where records that it is for are written down. */
  readonly items: number
}

/** Looks into the workspace, whoever has it open. */
async function standingOf(dataDir: string, id: string): Promise<Standing> {
  const look = await lookInto(dataDir)
  try {
    return await readStanding(look, id)
  } finally {
    await look.close()
  }
}

async function readStanding(look: Look, id: string): Promise<Standing> {
  const [standing] = await look.rows<Standing>(
    {
      sqlite: `SELECT document ->> '$.status' AS status, document ->> '$.done' AS done,
        EXISTS (SELECT 1 FROM bulk_item WHERE job_id = bulk_job.id) AS items FROM bulk_job WHERE id = ?`,
      postgres: `SELECT document::json ->> 'status' AS status, (document::json ->> 'done')::int AS done,
        EXISTS (SELECT 1 FROM bulk_item WHERE job_id = bulk_job.id)::int AS items FROM bulk_job WHERE id = $1`,
    },
    id,
  )
  return standing!
}

/** Waits until the job is so far, looking at it by one connection. */
async function untilStanding(dataDir: string, id: string, isThere: (at: Standing) => boolean): Promise<void> {
  const look = await lookInto(dataDir)
  try {
    while (!isThere(await readStanding(look, id))) await sleep(2)
  } finally {
    await look.close()
  }
}

async function killAt(server: ServerProcess, dataDir: string, id: string, point: number | null): Promise<Standing> {
  await untilStanding(dataDir, id, ({ status, items, done }) => {
    const isThere = point === null ? items > 0 : status === 'running' && done >= point
    return isThere || status === 'succeeded'
  })
  await server.kill()
  return standingOf(dataDir, id)
}

async function entriesOf(client: Client, jobId: string): Promise<AuditEntryBody[]> {
  const found: AuditEntryBody[] = []
  for (let after = ''; ;) {
    const { body } = await send<{ items: AuditEntryBody[]; cursor: string }>(
      client,
      'GET',
      `/api/v1/changes?limit=1000${after}`,
    )
    if (body.items.length === 0) return found
    found.push(...body.items.filter(({ origin }) => origin.id === jobId))
    after = `&after=${body.cursor}`
  }
}

async function textsOf(client: Client): Promise<Map<string, number>> {
  const texts = new Map<string, number>()
  const all = await send<RecordBody[]>(client, 'POST', '/api/v1/search', { criteria: [], criteriaOperator: 'and' })
  for (const { values } of all.body) {
    const text = String(values['text']![0]!.value)
    texts.set(text, (texts.get(text) ?? 0) + 1)
  }
  return texts
}

describe('A server that is killed while a bulk job is under way', () => {
  it(
    'goes on with it at its next start, and changes each record once',
    { timeout: 600_000 + RANDOM_POINTS * 60_000 },
    async (t) => {
      const dataDir = makeTempDirectory()
      let server = await startServerProcess(dataDir)
      t.after(() => server.kill())
      const attributes = [{ alias: 'text', dataType: 'text' }]
      await make(server.admin, '/api/v1/schemas', { id: 'sch-kill', name: 'Kill', attributes })
      assert.equal((await importFile(server.admin, records)).created, RECORDS)

      const posted = await postJob(server.admin, { selection: byQuery(), actions })
      const { id } = posted.body
      const random = Array.from({ length: RANDOM_POINTS }, () => Math.floor(Math.random() * RECORDS))
      const points = [null, ...[...POINTS.slice(1), ...random].toSorted((one, other) => Number(one) - Number(other))]
      const seen: number[] = []
      for (const point of points) {
        const { done, status } = await killAt(server, dataDir, id, point)
        seen.push(done)
        if (seen.length % 4 === 1) await assertSound(dataDir)
        server = await startServerProcess(dataDir)
        if (status === 'succeeded') break
      }
      t.diagnostic(`killed with ${seen.join(', ')} records judged`)
      assert.ok(new Set(seen).size >= 3, 'it was killed on the way')
      const job = await untilEnded(server.admin, id)
      assert.deepEqual([job.status, job.selected, job.changed], ['succeeded', RECORDS, RECORDS])
      assert.deepEqual([...(await textsOf(server.admin))], [['xy', RECORDS]])
      const entries = await entriesOf(server.admin, id)
      assert.equal(entries.length, RECORDS)
      assert.equal(new Set(entries.map(({ entityId }) => entityId)).size, RECORDS)

      const undo = await send<BulkJobBody>(server.admin, 'POST', `/api/v1/bulk-jobs/${id}/undo`)
      for (const point of [280, 600]) {
        await killAt(server, dataDir, undo.body.id, point)
        server = await startServerProcess(dataDir)
      }
      const undone = await untilEnded(server.admin, undo.body.id)
      assert.deepEqual([undone.changed, undone.failed], [RECORDS, 0])
      assert.deepEqual([...(await textsOf(server.admin))], [['x', RECORDS]])
      assert.equal((await entriesOf(server.admin, undone.id)).length, RECORDS)
      await assertSound(dataDir)
    },
  )

  it('judges the records of a dry run again, and a stop is no end either', { timeout: 600_000 }, async (t) => {
    const dataDir = makeTempDirectory()
    let server = await startServerProcess(dataDir)
    t.after(() => server.kill())
    const attributes = [{ alias: 'text', dataType: 'text', unique: true }]
    await make(server.admin, '/api/v1/schemas', { id: 'sch-kill', name: 'Kill', attributes })
    const unique = records.split('\n').map((line, n) => line.replace('"x"', `"x${n}"`))
    assert.equal((await importFile(server.admin, unique.join('\n'))).created, RECORDS)
    const take = [{ setValues: { text: everywhere('taken') } }]
    const dry = await postJob(server.admin, { selection: byQuery(), actions: take, dryRun: true })
    await killAt(server, dataDir, dry.body.id, 400)
    server = await startServerProcess(dataDir)
    const rehearsed = await untilEnded(server.admin, dry.body.id)
    assert.deepEqual([rehearsed.selected, rehearsed.changed, rehearsed.failed], [RECORDS, 1, RECORDS - 1])

    const posted = await postJob(server.admin, { selection: byQuery(), actions })
    await untilStanding(dataDir, posted.body.id, ({ done }) => done >= 500)
    assert.equal(await server.kill('SIGTERM'), 0)
    const stopped = await standingOf(dataDir, posted.body.id)
    assert.equal(stopped.status, 'interrupted')
    assert.ok(stopped.done < RECORDS)
    server = await startServerProcess(dataDir)
    assert.equal((await untilEnded(server.admin, posted.body.id)).changed, RECORDS)
    assert.equal((await entriesOf(server.admin, posted.body.id)).length, RECORDS)
    assert.equal((await undoJob(server.admin, posted.body.id)).changed, RECORDS)
  })
})
