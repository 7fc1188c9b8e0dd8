// `pimlet migrate` as a process: what it prints, and what is left of one that is killed. Contract 2 §8.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '../../src/postgres/connection.ts'
import { openWriter } from '../../src/store/sqlite/connection.ts'
import { assertEnds, bareEnvironment, runCommand } from '../helpers/command.ts'
import { PROGRAM } from '../helpers/program.ts'
import { makeDatabase, type TestDatabase } from '../helpers/postgres.ts'
import { startServer } from '../helpers/server.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

const CATALOGS = 100

describe('pimlet migrate', { timeout: 600_000, skip: withoutPostgres() }, () => {
  const directory = makeTempDirectory()
  const [node, back] = [makeTempDirectory(), path.join(makeTempDirectory(), 'back')]
  let database: TestDatabase
  let connection: Connection
  before(async () => {
    database = await makeDatabase()
    connection = await Connection.open({ url: database.url })
    await (await startServer({ dataDir: directory, databaseUrl: undefined })).stop()
    const db = openWriter(path.join(directory, 'pimlet.db'), { durable: false })
    const insert = db.prepare('INSERT INTO catalog (id, document) VALUES (?, ?)')
    for (let n = 0; n < CATALOGS; n += 1)
      insert.run(`cat-${n}`, JSON.stringify({ id: `cat-${n}`, name: 'x'.repeat(100_000) }))
    db.close()
  })
  after(async () => {
    await connection.close()
    await database.release()
  })
  const there = (): string[] => ['migrate', '--from', directory, '--to', database.url, '--data-dir', node]
  const home = (): string[] => ['migrate', '--from', database.url, '--to', back, '--data-dir', node]

  /** @returns whether it had not ended by then */
  async function killWhen(args: string[], isTime: () => Promise<boolean> | boolean): Promise<boolean> {
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: bareEnvironment(), stdio: 'ignore' })
    const ended = once(child, 'exit')
    while (child.exitCode === null && !(await isTime())) await sleep(1)
    child.kill('SIGKILL')
    await ended
    return child.exitCode === null
  }
  async function countCatalogs(): Promise<number> {
    const [row] = await connection.rows<{ found: number }>('SELECT count(*) AS found FROM catalog')
    return row!.found
  }
  const holdsTheFirstStart = async (): Promise<boolean> =>
    (await connection.rows("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted")).length > 0

  it('killed on its way into a database leaves none there, and begins again', async () => {
    assert.ok(await killWhen(there(), holdsTheFirstStart), 'it was over before it could be killed')
    while (await holdsTheFirstStart()) await sleep(10)
    const tables = await connection.rows(
      "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'catalog'",
    )
    if (tables.length > 0) assert.equal(await countCatalogs(), 0)
    const { status, stdout, stderr } = await runCommand(there())
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, /^catalog +100 {2}[0-9a-f]{32}$/m)
    assert.match(stdout, /^\d+ tables, equal on both sides\n$/m)
    assert.equal(await countCatalogs(), CATALOGS)
    assertEnds(await runCommand(there()), 1, 'there is a workspace in it already')
  })

  it('killed on its way back leaves what no server starts on, and begins again', async () => {
    const unfinished = path.join(back, 'pimlet.db.restoring')
    assert.ok(
      await killWhen(home(), () => existsSync(unfinished) && statSync(unfinished).size > 0),
      'it was over before it could be killed',
    )
    assert.equal(existsSync(path.join(back, 'pimlet.db')), false)
    assertEnds(await runCommand(['--data-dir', back, '--port', '0']), 1, 'did not finish')
    const { status, stdout } = await runCommand(home())
    assert.equal(status, 0)
    assert.match(stdout, /^catalog +100 {2}[0-9a-f]{32}$/m)
    assert.equal(existsSync(unfinished), false)
    assert.equal(await countCatalogs(), CATALOGS)
  })

  it('says what it cannot do', async () => {
    const wrongKeys = ['migrate', '--from', database.url, '--to', path.join(makeTempDirectory(), 'x'), '--data-dir']
    assertEnds(await runCommand([...wrongKeys, makeTempDirectory()]), 1, 'signing.key is missing')
    const other = makeTempDirectory()
    await (await startServer({ dataDir: other, databaseUrl: undefined })).stop()
    assertEnds(await runCommand([...wrongKeys, other]), 1, 'are not those of the workspace')
    assertEnds(await runCommand(['migrate', '--from', directory, '--to', other, '--data-dir', node]), 2, 'a database')
    assertEnds(await runCommand(['migrate', '--from', directory, '--data-dir', node]), 2, '--to is required')
    const nowhere = 'postgres://nobody@127.0.0.1:1/nothing'
    assertEnds(
      await runCommand(['migrate', '--from', directory, '--to', nowhere, '--data-dir', node]),
      1,
      'nothing at 127',
    )
  })
})
