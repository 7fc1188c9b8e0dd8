// A server that is killed (`kill -9`) at any moment while clients write, a file is imported, an export runs and a backup is made:
// nothing is lost that was acknowledged. TEST_KILL_ROUNDS says how often.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChildProcess, spawn } from 'node:child_process'
import { send } from '../helpers/answers.ts'
import type { Client } from '../helpers/client.ts'
import { bareEnvironment, runCommand } from '../helpers/command.ts'
import { PROGRAM } from '../helpers/program.ts'
import { type RunBody, jobFor, makeJob, trigger } from '../helpers/export-jobs.ts'
import { lines, sendImport } from '../helpers/importing.ts'
import { installPuppet, puppetIn } from '../helpers/puppet.ts'
import { type ServerProcess, startServerProcess } from '../helpers/server-process.ts'
import { everywhere, make } from '../helpers/shirts.ts'
import { assertSound } from '../helpers/soundness.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { lookInto, withoutSqlite } from '../helpers/tested-database.ts'

const ROUNDS = Number(process.env['TEST_KILL_ROUNDS'] ?? 2)
const WRITERS = 4
const IMPORTED = 500
/** The server dies when so many writes of a round are acknowledged, or fewer. */
const WRITES = 60

/** What a record has to be: as it was acknowledged, or as the request that nobody answered would have it. */
interface Expected {
  acknowledged: string | undefined
  asked: string | undefined
}

interface Ledger {
  readonly records: Map<string, Expected>
  /** How many writes were acknowledged. */
  answers: number
}

/** Creates records and changes each of them, as fast as it is answered, until the server is gone. */
async function write(client: Client, prefix: string, ledger: Ledger): Promise<void> {
  for (let n = 0; ; n += 1) {
    const id = `${prefix}-${n}`
    const known: Expected = { acknowledged: undefined, asked: undefined }
    ledger.records.set(id, known)
    for (const text of ['created', 'changed', 'changed again']) {
      known.asked = text
      const values = { text: everywhere(text) }
      const isNew = text === 'created'
      const answer = isNew
        ? await send(client, 'POST', '/api/v1/records', { id, schemaId: 'sch-kill', values })
        : await send(client, 'PUT', `/api/v1/records/${id}`, { values })
      assert.equal(answer.status, isNew ? 201 : 200, answer.text)
      known.acknowledged = text
      known.asked = undefined
      ledger.answers += 1
    }
  }
}

/** What was answered holds. */
async function importSome(client: Client, prefix: string, { records }: Ledger): Promise<void> {
  const ids = Array.from({ length: IMPORTED }, (_, n) => `${prefix}-${n}`)
  const file = ids.map((id) => ({ id, schemaId: 'sch-kill', values: { text: everywhere('imported') } }))
  for (const id of ids) records.set(id, { acknowledged: undefined, asked: 'imported' })
  const { body } = await sendImport(client, lines(...file))
  assert.equal(body.created, IMPORTED)
  for (const id of ids) records.set(id, { acknowledged: 'imported', asked: undefined })
}

/** A connection that breaks is what is expected; whatever else went wrong is not. */
async function untilGone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (error instanceof assert.AssertionError) throw error
  })
}

async function assertKept(dataDir: string, expected: ReadonlyMap<string, Expected>): Promise<void> {
  const look = await lookInto(dataDir)
  const rows = await look.rows<{ id: string; text: string }>({
    sqlite: `SELECT id, "values" ->> '$.text[0].value' AS text FROM record`,
    postgres: `SELECT id, vals::json #>> '{text,0,value}' AS text FROM record`,
  })
  await look.close()
  const found = new Map(rows.map((row) => [row.id, row.text]))
  for (const [id, { acknowledged, asked }] of expected) {
    const present = found.get(id)
    assert.ok(
      present === acknowledged || present === asked,
      `${id} is ${present}, and ${acknowledged} was acknowledged`,
    )
    // From now on it is what it is.
    expected.get(id)!.acknowledged = present
    expected.get(id)!.asked = undefined
  }
  for (const id of found.keys()) assert.ok(expected.has(id), `${id} was never written`)
}

function backUp(dataDir: string, file: string): ChildProcess {
  return spawn(process.execPath, [PROGRAM, 'backup', file, '--data-dir', dataDir], {
    env: bareEnvironment(),
    stdio: 'ignore',
  })
}

describe('A server that is killed while all goes on', () => {
  it('has lost nothing that was acknowledged', { timeout: 600_000 + ROUNDS * 60_000 }, async (t) => {
    const dataDir = makeTempDirectory()
    const backups = makeTempDirectory()
    const stage = puppetIn(makeTempDirectory())
    mkdirSync(path.join(dataDir, 'plugins'), { recursive: true })
    installPuppet(path.join(dataDir, 'plugins'))
    const ledger: Ledger = { records: new Map(), answers: 0 }
    let server: ServerProcess = await startServerProcess(dataDir)
    t.after(() => server.kill())
    const attributes = [{ alias: 'text', dataType: 'text' }]
    await make(server.admin, '/api/v1/schemas', { id: 'sch-kill', name: 'Kill', attributes })
    const job = await makeJob(server.admin, jobFor(stage, 'deliver'))
    let whole: string | undefined
    let made = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const { admin } = server
      const file = path.join(backups, `${round}.pimlet`)
      const backup = withoutSqlite === false ? backUp(dataDir, file) : undefined
      const ended = backup && once(backup, 'exit')
      const busy = [
        ...Array.from({ length: WRITERS }, (_, n) => write(admin, `w-${round}-${n}`, ledger)),
        importSome(admin, `i-${round}`, ledger),
        trigger(admin, job.id),
      ].map(untilGone)
      // Right behind an answer nothing of it may be missing.
      const enough = ledger.answers + Math.ceil(Math.random() * WRITES)
      while (ledger.answers < enough) await sleep(1)
      await server.kill()
      // Some of the backups come to their end with nobody there, others die as well.
      if (round % 2 === 1) backup?.kill('SIGKILL')
      await Promise.all([...busy, ended])
      if (existsSync(file)) {
        whole = file
        made += 1
      }
      await assertKept(dataDir, ledger.records)
      server = await startServerProcess(dataDir)
      await assertKept(dataDir, ledger.records)
      if (round % 5 === 0) await assertSound(dataDir)
    }
    const runs = await send<RunBody[]>(server.admin, 'GET', '/api/v1/export-runs?limit=1000')
    assert.deepEqual(
      runs.body.filter(({ status }) => status === 'running'),
      [],
    )
    t.diagnostic(
      `${ROUNDS} deaths, ${ledger.records.size} records, ${ledger.answers} answers, ${runs.body.length} exports, ${made} whole backups`,
    )
    await server.kill()
    await assertSound(dataDir)
    if (whole === undefined) return
    const restored = path.join(makeTempDirectory(), 'data')
    assert.equal((await runCommand(['restore', whole, '--data-dir', restored])).status, 0)
    await assertSound(restored)
  })
})
