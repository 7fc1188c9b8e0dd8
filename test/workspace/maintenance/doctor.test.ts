// Each check of a workspace finds what it is there for, and nothing where nothing is wrong. Contract 2 §8.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { chmodSync, cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { CheckResult } from '../../../src/workspace/maintenance/check.ts'
import { examine } from '../../../src/workspace/maintenance/doctor.ts'
import { StartError } from '../../../src/kernel/machine/start-error.ts'
import { openWriter } from '../../../src/store/sqlite/connection.ts'
import { send } from '../../helpers/answers.ts'
import { search, startShop } from '../../helpers/restored.ts'
import { startServer } from '../../helpers/server.ts'
import { everywhere, makeShirt, type Workspace } from '../../helpers/shirts.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const show = () => ({ advance: () => undefined, stop: () => undefined })
const look = (dataDir: string, repairIndex = false): Promise<CheckResult[]> => examine({ dataDir, repairIndex, show })

const PRIVATE = { mode: 0o600 }

let shop: Workspace
/** A stopped workspace without a fault. */
let sound: string
before(async () => {
  shop = await startShop()
  const stopped = await startShop()
  await stopped.stop()
  sound = stopped.dataDir
})
after(() => shop.stop())

function copyOf(dataDir: string): string {
  const copy = makeTempDirectory()
  cpSync(dataDir, copy, { recursive: true })
  return copy
}

/** What is not ok, as `name status`, with the first finding of each. */
function faults(results: readonly CheckResult[]): [string, string][] {
  return results
    .filter(({ status }) => status !== 'ok')
    .map(({ name, status, message, findings }) => [`${name} ${status}`, findings[0] ?? message])
}

/** A copy of a workspace with the SQL done to its file. */
function withChange(sql: string, file = 'pimlet.db', workspace = sound): string {
  const dataDir = copyOf(workspace)
  const db = openWriter(path.join(dataDir, file), { durable: false })
  db.pragma('foreign_keys = OFF')
  db.unsafeMode(true)
  db.exec(sql)
  db.close()
  return dataDir
}

async function assertFinds(dataDir: string, ...expected: [check: string, finding: RegExp][]): Promise<void> {
  const found = faults(await look(dataDir))
  assert.deepEqual(
    found.map(([check]) => check),
    expected.map(([check]) => check),
    JSON.stringify(found),
  )
  for (const [index, [, finding]] of expected.entries()) assert.match(found[index]![1], finding)
}

/** Deletes entries up to a sequence, as `--keep-audit-days` does. */
const forgetting = (last: string): string =>
  ['event', 'audit'].map((table) => `DELETE FROM ${table} WHERE sequence <= ${last}`).join(';')

describe('The doctor', { timeout: 600_000 }, () => {
  it('finds nothing wrong with a workspace that is served, nor with one that is not', async () => {
    const results = await look(shop.dataDir)
    assert.deepEqual(faults(results), [])
    assert.deepEqual(
      results.map(({ name }) => name),
      ['database', 'links', 'records', 'derived', 'references', 'audit', 'index', 'secrets', 'exports', 'files'],
    )
    assert.match(results[5]!.message, /^\d entries lead to the values of 4 records$/)
    assert.match(results[7]!.message, /open 1 secrets/)
    await assertFinds(sound)
  })

  it('finds what pimlet does not make: a trigger or a changed table is a problem, a table aside a warning', async () => {
    const spy = 'CREATE TRIGGER spy AFTER INSERT ON record BEGIN DELETE FROM audit; END'
    await assertFinds(withChange(spy), ['database problem', /^trigger spy on record$/])
    await assertFinds(withChange('CREATE VIEW v AS SELECT 1'), ['database problem', /^view v$/])
    await assertFinds(withChange('DROP INDEX audit_by_record'), [
      'database problem',
      /^index audit_by_record, which is missing$/,
    ])
    await assertFinds(withChange('CREATE TABLE notes (a)'), ['database warning', /^table notes$/])
    await assertFinds(withChange('ANALYZE'))
  })

  it('finds an audit trail that does not lead to the record as it is', async () => {
    await assertFinds(
      withChange(`UPDATE record SET "values" = replace("values", 'Blau', 'Grau') WHERE id = 'shirt-2'`),
      ['audit problem', /^shirt-2: its value of name \{language=de\} is not what its entries lead to$/],
      ['index problem', /^shirt-2: its rows are not those of its values$/],
    )
    await assertFinds(
      withChange(`UPDATE record SET state_id = 'state-draft' WHERE id = 'shirt-1'`),
      ['derived problem', /state-draft/],
      ['audit problem', /^shirt-1: the record is in 'state-draft', but its entries lead to 'state-review'/],
      ['index problem', /^shirt-1: its rows are not those of its values$/],
    )
    await assertFinds(withChange(`UPDATE record SET version = 999 WHERE id = 'shirt-1'`), [
      'audit problem',
      /^shirt-1: the record is of entry 999/,
    ])
  })

  it('finds categories that no entry tells of, and entries that tell of others than there were', async () => {
    const problem: [string, RegExp] = [
      'audit problem',
      /^shirt-1-red: its categories are not those that its entries lead to$/,
    ]
    await assertFinds(withChange('DELETE FROM assignment'), problem, [
      'index problem',
      /^shirt-1-red: its rows are not those of its values$/,
    ])
    for (const sql of [
      'UPDATE assignment SET sort_order = 3',
      `UPDATE audit SET changes = replace(changes, '"sortOrder":2', '"sortOrder":1')`,
    ])
      await assertFinds(withChange(sql), problem)
    await assertFinds(
      withChange(
        `UPDATE audit SET changes = replace(changes, '"oldValue":[]', '"oldValue":[{"categoryId":"x","sortOrder":0}]')`,
      ),
      ['audit problem', /^shirt-1-red: entry \d+ says of its categories that it was something else before$/],
    )
    assert.deepEqual(faults(await look(withChange(forgetting('(SELECT min(sequence) + 3 FROM audit)')))), [])
  })

  it('finds audit entries that are missing, changed or out of place', async () => {
    const last = `(SELECT max(sequence) FROM audit WHERE record_id = 'shirt-2')`
    await assertFinds(withChange(`DELETE FROM audit WHERE sequence = ${last}`), [
      'audit problem',
      /^1 entries .* are missing$/,
    ])
    await assertFinds(
      withChange(
        `UPDATE audit SET changes = replace(changes, 'Hemd in Blau', 'Hose') WHERE record_id = 'shirt-2' AND action = 'create'`,
      ),
      ['audit problem', /^shirt-2: entry \d+ says of name \{language=de\} that it was something else before$/],
    )
    await assertFinds(withChange(`UPDATE audit SET action = 'create' WHERE sequence = ${last}`), [
      'audit problem',
      /^shirt-2: entry \d+ creates it a second time$/,
    ])
    await assertFinds(withChange(`UPDATE audit SET record_id = 'nobody' WHERE sequence = ${last}`), [
      'audit problem',
      /^nobody: entry \d+ is its last, but the record is gone$/,
    ])
    await assertFinds(withChange(`UPDATE audit SET action = 'update' WHERE action = 'delete'`), [
      'audit problem',
      /^shirt-gone: entry \d+ is its last, but the record is gone$/,
    ])
    await assertFinds(withChange(`UPDATE audit SET changes = '{' WHERE sequence = ${last}`), ['audit problem', /JSON/])
  })

  it('takes a trail whose old entries were deleted as it is', async () => {
    const results = await look(withChange(forgetting('(SELECT min(sequence) + 2 FROM audit)')))
    assert.deepEqual(faults(results), [])
    assert.deepEqual(faults(await look(withChange(forgetting('(SELECT max(sequence) - 1 FROM audit)')))), [])
  })

  it('finds records that do not fit the model, and derived data that is wrong', async () => {
    await assertFinds(withChange(`DELETE FROM unique_value`), ['derived problem', /^shirt-1: its unique values/])
    await assertFinds(withChange(`DELETE FROM record_reference`), ['derived problem', /^shirt-2: its references/])
    await assertFinds(withChange(`INSERT INTO record_reference VALUES ('a', 'b', 'c', 'd', '')`), [
      'derived problem',
      /^1 references are noted that no record has$/,
    ])
    await assertFinds(withChange(`UPDATE record_count SET records = records + 1 WHERE is_variant = 1`), [
      'derived problem',
      /^sch-shirt state-draft \(variants\): 2 records are counted, 1 are there$/,
    ])
    await assertFinds(
      withChange(`UPDATE record SET schema_id = 'sch-gone' WHERE id = 'shirt-2'`),
      ['links problem', /^record → schema$/],
      ['records problem', /^shirt-2: its schema sch-gone does not exist$/],
      ['derived problem', /sch-gone/],
      ['index problem', /^shirt-2: it has rows of no schema$/],
    )
    await assertFinds(
      withChange(`UPDATE record SET "values" = '{"name":' WHERE id = 'shirt-2'`),
      ['records problem', /^shirt-2: its values are no JSON$/],
      ['index problem', /cannot be read/],
    )
  })

  it('warns of values that refer to records that were deleted', async (t) => {
    const server = await startServer({ dataDir: copyOf(sound), maxRecords: 0 })
    t.after(() => server.stop())
    await send(server.admin, 'DELETE', '/api/v1/records/shirt-1')
    await assertFinds(server.dataDir, [
      'references warning',
      /^shirt-2: related refers to shirt-1, which does not exist$/,
    ])
  })

  it('finds whatever is wrong in the search index', async () => {
    const index = (sql: string): string => withChange(sql, 'search-index.db')
    const shirt = `(SELECT max(record) FROM indexed)`
    await assertFinds(index(`DELETE FROM value WHERE record = ${shirt}`), [
      'index problem',
      /^shirt-1-red: rows of it are missing$/,
    ])
    await assertFinds(index(`DELETE FROM indexed WHERE record = ${shirt}`), ['index problem', /^shirt-1-red: its rows/])
    await assertFinds(index(`INSERT INTO value VALUES (1, 1, 'more', 1)`), [
      'index problem',
      /^\d+ rows, where records have \d+$/,
    ])
    await assertFinds(index(`UPDATE text SET folded = folded || 'x' WHERE rowid = 2`), [
      'index problem',
      /^shirt-2: its text/,
    ])
    await assertFinds(index(`INSERT INTO text (rowid, folded) VALUES (99, 'x')`), ['index problem', /^\d texts, where/])
    await assertFinds(index(`INSERT INTO indexed VALUES (99, '[]')`), [
      'index problem',
      /^record number 99: it is gone$/,
    ])
    await assertFinds(index(`DELETE FROM attribute_scope`), ['index problem', /a scope of its values is not known$/])
    await assertFinds(index(`UPDATE text_content SET c0 = 'other' WHERE id = 2`), ['index problem', /text/])
    await assertFinds(index(`UPDATE progress SET rebuilds = '[{"schemaId":null,"next":0}]'`), [
      'index warning',
      /being rebuilt/,
    ])
  })

  it('does not expect in the index what waits to be indexed', async () => {
    const changed = withChange('INSERT INTO index_pending (record_n) VALUES (2), (99)')
    const index =
      'DELETE FROM value WHERE record = 2; DELETE FROM indexed WHERE record = 2; DELETE FROM text WHERE rowid = 2'
    const dataDir = withChange(`${index}; INSERT INTO indexed VALUES (99, '[]')`, 'search-index.db', changed)
    assert.deepEqual(faults(await look(dataDir)), [])
    assert.match((await look(dataDir)).find(({ name }) => name === 'index')!.message, /; 2 records wait to be indexed$/)
  })

  it('warns of an index that is gone or cannot be read: a server makes it', async () => {
    const gone = copyOf(sound)
    rmSync(path.join(gone, 'search-index.db'))
    await assertFinds(gone, ['index warning', /there is none/])
    const damaged = copyOf(sound)
    writeFileSync(path.join(damaged, 'search-index.db'), 'no database'.repeat(1000))
    await assertFinds(damaged, ['index warning', /damaged/])
  })

  it('finds keys that are missing or not the right ones', async () => {
    const missing = copyOf(sound)
    rmSync(path.join(missing, 'signing.key'))
    await assertFinds(missing, ['secrets problem', /signing\.key is missing$/])
    const other = copyOf(sound)
    writeFileSync(path.join(other, 'encryption.key'), readFileSync(path.join(shop.dataDir, 'encryption.key')))
    await assertFinds(other, ['secrets problem', /^job-1: signingSecret cannot be opened/])
    writeFileSync(path.join(other, 'encryption.key'), 'short')
    await assertFinds(other, ['secrets problem', /encryption\.key is damaged/])
  })

  it('finds files that others may read, and what exports have left', async () => {
    const dataDir = withChange(
      `INSERT INTO export_run (id, job_id, status, started_at) VALUES ('run-1', 'job-1', 'running', '2026-01-01')`,
    )
    for (const name of ['run-0', 'run-1', 'run-1.members'])
      writeFileSync(path.join(dataDir, 'spool', name), '', PRIVATE)
    await assertFinds(dataDir, ['exports warning', /^run run-1 of job-1 did not end$/])
    assert.equal((await look(dataDir)).find(({ name }) => name === 'exports')?.count, 2)
    const noted = withChange(`INSERT INTO export_leftover (job_id, name) VALUES ('job-1', 'upload')`)
    await assertFinds(noted, ['exports warning', /^job-1 has left something at a destination; it stays there if/])
    const open = copyOf(sound)
    chmodSync(path.join(open, 'signing.key'), 0o644)
    await assertFinds(open, ['files warning', /^signing\.key: mode 644$/])
    chmodSync(open, 0o755)
    await assertFinds(open, ['files problem', /^\.: mode 755$/])
  })

  it('takes files of failed deliveries that are kept for no leftovers', async () => {
    const dataDir = withChange(`INSERT INTO export_run (id, job_id, status, started_at, completed_at, kept_until)
      VALUES ('run-1', 'job-1', 'failed', '2026-01-01', '2026-01-01', '2026-01-02')`)
    for (const name of ['run-1', 'run-1.sha256']) writeFileSync(path.join(dataDir, 'spool', name), '', PRIVATE)
    await assertFinds(dataDir)
  })

  it('says of a damaged, newer or older database what it is, and looks no further', async () => {
    const cut = copyOf(sound)
    truncateSync(path.join(cut, 'pimlet.db'), 40_960)
    const header = copyOf(sound)
    writeFileSync(path.join(header, 'pimlet.db'), 'no database'.repeat(10_000))
    for (const dataDir of [cut, header])
      await assertFinds(dataDir, ['database problem', /damaged|malformed|not a database/])
    const middle = copyOf(sound)
    const file = path.join(middle, 'pimlet.db')
    const content = readFileSync(file)
    writeFileSync(file, content.fill(0x5a, 8192, content.length - 4096))
    await assertFinds(middle, ['database problem', /./])
    const withoutWal = copyOf(sound)
    writeFileSync(path.join(withoutWal, 'pimlet.db-wal'), 'no wal '.repeat(100))
    await assertFinds(withoutWal, ['database problem', /pimlet\.db-wal is damaged/])
    await assertFinds(withChange('PRAGMA user_version = 999'), ['database problem', /newer pimlet \(version 999/])
    await assert.rejects(look(makeTempDirectory()), StartError)
  })

  it('rebuilds the search index, which is complete then', async (t) => {
    const dataDir = withChange(`DELETE FROM value; DELETE FROM text; DELETE FROM indexed`, 'search-index.db')
    assert.deepEqual(faults(await look(dataDir)).length, 1)
    assert.deepEqual(faults(await look(dataDir, true)), [])
    const missing = copyOf(sound)
    rmSync(path.join(missing, 'search-index.db'))
    assert.deepEqual(faults(await look(missing, true)), [])
    const server = await startServer({ dataDir, maxRecords: 0 })
    t.after(() => server.stop())
    assert.deepEqual(await search(server.admin, 'blau'), ['shirt-2'])
  })

  it('does not rebuild the index while a server runs, which goes on', async () => {
    await assert.rejects(
      look(shop.dataDir, true),
      (error: unknown) => error instanceof StartError && error.message.includes(`in use by process ${process.pid}`),
    )
    await makeShirt(shop.admin, { toString: everywhere('still there') })
    assert.equal((await search(shop.admin, 'still there')).length, 1)
  })
})
