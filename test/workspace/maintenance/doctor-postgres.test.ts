// The doctor of a workspace in PostgreSQL: each check finds what it is there for, while its servers go on. Contract 2 §8.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { CheckResult } from '../../../src/workspace/maintenance/check.ts'
import { examine } from '../../../src/workspace/maintenance/doctor.ts'
import { StartError } from '../../../src/kernel/machine/start-error.ts'
import { Connection } from '../../../src/postgres/connection.ts'
import { beginRenewal } from '../../../src/postgres/search-index/renewal.ts'
import { makeDatabase, type TestDatabase } from '../../helpers/postgres.ts'
import { search, startShop } from '../../helpers/restored.ts'
import { everywhere, makeShirt, type Workspace } from '../../helpers/shirts.ts'
import { withoutPostgres } from '../../helpers/postgres-programs.ts'

const show = () => ({ advance: () => undefined, stop: () => undefined })

let database: TestDatabase
let connection: Connection
let shop: Workspace

const look = (repairIndex = false): Promise<CheckResult[]> =>
  examine({ dataDir: shop.dataDir, databaseUrl: database.url, repairIndex, show })

/** What is not ok, as `name status`, with the first finding of each. */
function faults(results: readonly CheckResult[]): [string, string][] {
  return results
    .filter(({ status }) => status !== 'ok')
    .map(({ name, status, message, findings }) => [`${name} ${status}`, findings[0] ?? message])
}

async function untilIndexed(): Promise<void> {
  for (;;) {
    const [row] = await connection.rows<{ isDone: boolean }>(
      'SELECT NOT EXISTS (SELECT 1 FROM index_pending UNION ALL SELECT 1 FROM index_renewal) AS "isDone"',
    )
    if (row!.isDone) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** What it finds while the database is as `sql` makes it, and `undo` makes it again. */
async function assertFinds(sql: string, undo: string, ...expected: [check: string, finding: RegExp][]): Promise<void> {
  await connection.script(sql)
  try {
    const found = faults(await look())
    assert.deepEqual(
      found.map(([check]) => check),
      expected.map(([check]) => check),
      JSON.stringify(found),
    )
    for (const [index, [, finding]] of expected.entries()) assert.match(found[index]![1], finding)
  } finally {
    await connection.script(undo)
  }
}

/** Takes rows away, and puts them back. */
const without = (table: string, where: string): [string, string] => [
  `CREATE TEMP TABLE kept AS SELECT * FROM ${table} WHERE ${where}; DELETE FROM ${table} WHERE ${where}`,
  `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept; DROP TABLE kept`,
]

const SHIRT = `(SELECT n FROM record WHERE id = 'shirt-2')`

describe('The doctor of a workspace in PostgreSQL', { timeout: 600_000, skip: withoutPostgres() }, () => {
  before(async () => {
    database = await makeDatabase()
    shop = await startShop({ databaseUrl: database.url })
    connection = await Connection.open(database)
    await untilIndexed()
  })
  after(async () => {
    await connection.close()
    await shop.stop()
    await database.release()
  })

  it('finds nothing wrong with a workspace that is served', async () => {
    const results = await look()
    assert.deepEqual(faults(results), [])
    assert.deepEqual(
      results.map(({ name }) => name),
      ['database', 'links', 'records', 'derived', 'references', 'audit', 'index', 'secrets', 'exports', 'files'],
    )
    assert.match(results[5]!.message, /^\d entries lead to the values of 4 records$/)
    assert.match(results[7]!.message, /open 1 secrets/)
  })

  it('finds what pimlet does not make: what changes statements is a problem, what lies beside a warning', async () => {
    const spy = `CREATE FUNCTION spying() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER spy AFTER INSERT ON record EXECUTE FUNCTION spying()`
    await assertFinds(spy, 'DROP FUNCTION spying CASCADE', ['database problem', /^function spying$/])
    await assertFinds('CREATE VIEW v AS SELECT 1; CREATE TABLE notes (a int)', 'DROP VIEW v; DROP TABLE notes', [
      'database warning',
      /^table notes$/,
    ])
    await assertFinds('CREATE INDEX mine ON record (version)', 'DROP INDEX mine', [
      'database warning',
      /^index mine on record$/,
    ])
    await assertFinds('DROP INDEX audit_by_record', 'CREATE INDEX audit_by_record ON audit (record_id, sequence)', [
      'database problem',
      /^index audit_by_record, which is missing$/,
    ])
  })

  it('finds an audit trail with a gap, and one that does not lead to the record as it is', async () => {
    const last = `(SELECT max(sequence) FROM audit WHERE record_id = 'shirt-2')`
    await assertFinds(...without('audit', `sequence = ${last}`), ['audit problem', /^1 entries .* are missing$/])
    await assertFinds(
      `UPDATE record SET vals = replace(vals, 'Blau', 'Grau') WHERE id = 'shirt-2'`,
      `UPDATE record SET vals = replace(vals, 'Grau', 'Blau') WHERE id = 'shirt-2'`,
      ['audit problem', /^shirt-2: its value of name \{language=de\} is not what its entries lead to$/],
      ['index problem', /^shirt-2: its rows are not those of its values$/],
    )
    await assertFinds(
      ...without('assignment', 'true'),
      ['audit problem', /^shirt-1-red: its categories are not those that its entries lead to$/],
      ['index problem', /^shirt-1-red: its rows are not those of its values$/],
    )
  })

  it('finds records that do not fit, and derived data that is wrong', async () => {
    await assertFinds(...without('unique_value', 'true'), ['derived problem', /^shirt-1: its unique values/])
    await assertFinds(
      'UPDATE record_count SET records = records + 1 WHERE is_variant',
      'UPDATE record_count SET records = records - 1 WHERE is_variant',
      ['derived problem', /^sch-shirt state-draft \(variants\): 2 records are counted, 1 are there$/],
    )
    await assertFinds('UPDATE workspace SET records = 9', 'UPDATE workspace SET records = 3', [
      'derived problem',
      /^9 records are counted, 3 are there$/,
    ])
    await assertFinds(
      `UPDATE record SET vals = '{"name":' || vals WHERE id = 'shirt-2'`,
      `UPDATE record SET vals = substr(vals, 9) WHERE id = 'shirt-2'`,
      ['records problem', /^shirt-2: its values are no JSON$/],
      ['index problem', /cannot be read/],
    )
    await assertFinds(
      `UPDATE unique_value SET record_id = 'nobody'`,
      `UPDATE unique_value SET record_id = 'shirt-1'`,
      ['links problem', /^unique_value → record$/],
      ['derived problem', /^shirt-1: its unique values/],
    )
  })

  it('finds whatever is wrong in the search index', async () => {
    await assertFinds(...without('value_text', `record = ${SHIRT}`), [
      'index problem',
      /^shirt-2: rows of it are missing$/,
    ])
    await assertFinds(`INSERT INTO value_text VALUES (1, 1, 'more', 1)`, `DELETE FROM value_text WHERE key = 'more'`, [
      'index problem',
      /^\d+ rows, where records have \d+$/,
    ])
    await assertFinds(
      `UPDATE record_text SET folded = folded || 'x' WHERE record = ${SHIRT}`,
      `UPDATE record_text SET folded = left(folded, -1) WHERE record = ${SHIRT}`,
      ['index problem', /^shirt-2: its text/],
    )
    await assertFinds(`INSERT INTO record_text VALUES (99, 'x')`, 'DELETE FROM record_text WHERE record = 99', [
      'index problem',
      /^\d texts, where/,
    ])
    await assertFinds(`INSERT INTO record_cells VALUES (99, '[]')`, 'DELETE FROM record_cells WHERE record = 99', [
      'index problem',
      /^record number 99: it is gone$/,
    ])
    await assertFinds(...without('index_attribute_scope', 'true'), [
      'index problem',
      /a scope of its values is not known$/,
    ])
  })

  it('finds keys that are missing, or not those of the workspace', async () => {
    const file = path.join(shop.dataDir, 'encryption.key')
    const key = readFileSync(file)
    try {
      writeFileSync(file, `${Buffer.alloc(32, 7).toString('base64')}\n`)
      const found = (await look()).find(({ name }) => name === 'secrets')!
      assert.equal(found.status, 'problem')
      assert.match(found.findings[0]!, /^The keys in .* are not those of the workspace$/)
      assert.match(found.findings[1]!, /^job-1: signingSecret cannot be opened/)
      rmSync(file)
      assert.deepEqual((await look()).find(({ name }) => name === 'secrets')!.findings, [`${file} is missing`])
    } finally {
      writeFileSync(file, key, { mode: 0o600 })
    }
  })

  it('rebuilds the search index while the server goes on, which finds everything meanwhile and afterwards', async () => {
    await connection.script(
      'DELETE FROM value_text; DELETE FROM record_text; DELETE FROM record_cells WHERE record = 1',
    )
    assert.equal(faults(await look()).length, 1)
    let isOver = false
    const written: string[] = []
    const write = (async () => {
      while (!isOver) {
        // None is a part of another one.
        const name = `meanwhile${String(written.length).padStart(6, '0')}`
        await makeShirt(shop.admin, { toString: everywhere(name) })
        assert.equal((await search(shop.admin, name)).length, 1)
        written.push(name)
      }
    })()
    const results = await look(true)
    isOver = true
    await write
    assert.deepEqual(faults(results), [])
    assert.deepEqual(await search(shop.admin, 'blau'), ['shirt-2'])
    await untilIndexed()
    assert.deepEqual(faults(await look()), [])
    for (const name of written) assert.equal((await search(shop.admin, name)).length, 1)
  })

  it('a server goes on where the index was to be rebuilt, and whoever began it is gone', async () => {
    await beginRenewal(connection)
    const found = (await look()).find(({ name }) => name === 'index')!
    assert.deepEqual([found.status, /being rebuilt/.test(found.message)], ['warning', true])
    // Whatever is written wakes it sooner.
    await makeShirt(shop.admin, { toString: everywhere('awake') })
    assert.deepEqual(await search(shop.admin, 'blau'), ['shirt-2'])
    await untilIndexed()
    assert.deepEqual(faults(await look()), [])
  })

  it('says of a database of another version, or without a workspace, what it is', async () => {
    await assertFinds(
      'UPDATE workspace SET schema_version = schema_version + 900',
      'UPDATE workspace SET schema_version = schema_version - 900',
      ['database problem', /newer pimlet \(version 9\d\d;/],
    )
    const elsewhere = new URL(database.url)
    elsewhere.searchParams.set('options', '-c search_path=pg_temp')
    await assert.rejects(
      examine({ dataDir: shop.dataDir, databaseUrl: elsewhere.href, repairIndex: false, show }),
      (error: unknown) => error instanceof StartError && error.message.includes('holds no workspace'),
    )
  })

  it('names the data directory where that is missing, not the database', async () => {
    const missing = `${shop.dataDir}-missing`
    await assert.rejects(
      examine({ dataDir: missing, databaseUrl: database.url, repairIndex: false, show }),
      (error: unknown) =>
        error instanceof StartError && error.message === `Cannot look through ${missing}: no such file or directory`,
    )
  })
})
