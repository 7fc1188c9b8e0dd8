// `pimlet migrate`: a workspace with everything in it goes from a data directory into a database and back, and is the same workspace; what
// ends it early leaves nothing that could be taken for one. Contract 2 §8.
import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readDatabaseSchema } from '../../src/kernel/executable/assets.ts'
import { StartError } from '../../src/kernel/machine/start-error.ts'
import { Connection } from '../../src/postgres/connection.ts'
import { POSTGRES_NOT_MOVED, postgresTableOf } from '../../src/postgres/moving/content.ts'
import { MOVED_TABLES } from '../../src/store/moving/tables.ts'
import { openInMemory, openWriter } from '../../src/store/sqlite/connection.ts'
import { SQLITE_NOT_MOVED, sqliteTableOf } from '../../src/store/sqlite/moving/content.ts'
import { migrate, type MovedCount } from '../../src/workspace/maintenance/workspace-migration.ts'
import { send } from '../helpers/answers.ts'
import { byQuery, runJob, undoJob, untilEnded } from '../helpers/bulk-jobs.ts'
import { type Client, keyClient } from '../helpers/client.ts'
import { type EventReceiver, startReceiver } from '../helpers/event-receiver.ts'
import { importFile, lines } from '../helpers/importing.ts'
import { sendFile } from '../helpers/files.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'
import { makeDatabase, type TestDatabase } from '../helpers/postgres.ts'
import { readRealCatalogue, withRealCatalogue } from '../helpers/real-catalogue.ts'
import { type ServerOptions, startServer, type TestServer } from '../helpers/server.ts'
import { everywhere, make } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { startWebhookSink, type WebhookSink } from '../helpers/webhook-sink.ts'
import { askAll } from '../upgrade/questions.ts'
import { fillWorkspace } from '../upgrade/workspace.ts'

const show = () => ({ advance: () => undefined, stop: () => undefined })
const fresh = (): string => path.join(makeTempDirectory(), 'data')
const SETTINGS: ServerOptions = { allowDestinations: ['127.0.0.1'], maxRecords: 0 }

function toDatabase(directory: string, databaseUrl: string, dataDir = fresh()): Promise<readonly MovedCount[]> {
  return migrate({ directory, databaseUrl, dataDir, isIntoDatabase: true, show })
}
function toDirectory(databaseUrl: string, dataDir: string, directory: string): Promise<readonly MovedCount[]> {
  return migrate({ directory, databaseUrl, dataDir, isIntoDatabase: false, show })
}
async function assertRefused(work: Promise<unknown>, why: RegExp): Promise<void> {
  await assert.rejects(work, (error) => error instanceof StartError && why.test(error.message))
}

describe('What is moved of a workspace', { skip: withoutPostgres() }, () => {
  /** Each column that no mapping tells of. */
  const forgotten = (
    columns: readonly (readonly [table: string, column: string])[],
    moved: readonly { readonly name: string; readonly columns: readonly string[] }[],
    others: Readonly<Record<string, string>>,
  ): string[] => {
    const known = new Set(moved.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`)))
    const isKnown = (name: string): boolean => known.has(name) || name in others || (name.split('.')[0] ?? '') in others
    const missing = columns.map((column) => column.join('.')).filter((name) => !isKnown(name))
    const actual = new Set(columns.map((column) => column.join('.')))
    return [...missing, ...[...known].filter((name) => !actual.has(name)).map((name) => `${name} is gone`)]
  }

  it('is every table and column of a data directory, but those that are named', () => {
    const db = openInMemory()
    db.exec(readDatabaseSchema())
    const columns = db
      .prepare<[], [string, string]>(
        "SELECT main.name, info.name FROM sqlite_schema AS main, pragma_table_info(main.name) AS info WHERE main.type = 'table'",
      )
      .raw()
      .all()
    db.close()
    assert.ok(columns.length > 100)
    assert.deepEqual(forgotten(columns, MOVED_TABLES.map(sqliteTableOf), SQLITE_NOT_MOVED), [])
  })

  it('is every table and column of a database, but those that are named', async () => {
    const database = await makeDatabase()
    await (await startServer({ databaseUrl: database.url })).stop()
    const connection = await Connection.open({ url: database.url })
    const columns = await connection.rows<{ table: string; column: string }>(
      `SELECT table_name::text AS table, column_name::text AS column FROM information_schema.columns
         WHERE table_schema = current_schema()`,
    )
    await connection.close()
    await database.release()
    assert.ok(columns.length > 100)
    const pairs = columns.map(({ table, column }) => [table, column] as const)
    assert.deepEqual(forgotten(pairs, MOVED_TABLES.map(postgresTableOf), POSTGRES_NOT_MOVED), [])
  })
})

/** What `fillWorkspace` lacks: what goes on in the background, and what waits. */
async function addTheRest({ admin }: TestServer, receiver: EventReceiver): Promise<void> {
  await make(admin, '/api/v1/subscriptions', {
    id: 'sub-all',
    name: 'All',
    url: receiver.url,
    events: ['record.updated'],
  })
  const job = await runJob(admin, {
    selection: byQuery([{ attributeAlias: 'organic', operator: 'isNotEmpty' }], { schemaId: 'sch-tea' }),
    actions: [{ setValues: { minutes: everywhere(4) } }],
  })
  await undoJob(admin, job.id)
  await receiver.untilAccepted(4)
  await sendFile(admin, 'bytes of a file', 'a.txt')
  await send(admin, 'PUT', '/api/v1/me/preferences', { theme: 'dark', n: 1.5, names: { ü: [null] } })
  await make(admin, '/api/v1/import-profiles', { id: 'imp-teas', name: 'Teas', schemaId: 'sch-tea', columns: COLUMNS })
}

const COLUMNS = [
  { header: 'id', to: { field: 'id' } },
  { header: 'sku', to: { attributeAlias: 'sku' } },
]

const FURTHER = [
  '/api/v1/bulk-jobs',
  '/api/v1/imports',
  '/api/v1/import-profiles',
  '/api/v1/me/preferences',
  '/api/v1/records/deleted',
  '/api/v1/export-runs',
  '/api/v1/people',
  '/api/v1/changes?kinds=record,bulk,run,model',
  '/api/v1/subscriptions',
  '/api/v1/subscriptions/sub-all/deliveries',
]

async function ask(server: TestServer, clerkKey: string): Promise<object> {
  const further: Record<string, unknown> = {}
  for (const url of FURTHER) further[url] = (await send(server.admin, 'GET', url)).body
  for (const { id } of further['/api/v1/bulk-jobs'] as { id: string }[])
    for (const part of ['', '/errors', '/samples?outcome=changed'])
      further[`${id}${part}`] = (await send(server.admin, 'GET', `/api/v1/bulk-jobs/${id}${part}`)).body
  const [admin, clerk] = [await askAll(server.admin), await askAll(keyClient(server.url, clerkKey))]
  return { admin, clerk, further }
}

describe('A workspace with everything in it', { timeout: 600_000, skip: withoutPostgres() }, () => {
  const [directory, node, back] = [makeTempDirectory(), fresh(), fresh()]
  let database: TestDatabase
  let sink: WebhookSink
  let receiver: EventReceiver
  let clerkKey: string
  let answers: object
  let server: TestServer | undefined
  let importId: string
  let movedThere: readonly MovedCount[]
  const repeated = { id: 'tea-once', schemaId: 'sch-tea', values: {} }
  const repeat = (client: Client) =>
    send(client, 'POST', '/api/v1/records', repeated, { 'idempotency-key': 'the-key-of-this-request' })
  const upload = async (client: Client, body: string): Promise<string> => {
    const headers = { ...client.headers, 'content-type': 'text/csv' }
    const response = await fetch(`${client.url}/api/v1/imports?fileName=late.csv&schemaId=sch-tea`, {
      method: 'POST',
      headers,
      body,
    })
    assert.equal(response.status, 201)
    return ((await response.json()) as { id: string }).id
  }

  before(async () => {
    database = await makeDatabase()
    sink = await startWebhookSink({ secret: 'a secret of both' })
    receiver = await startReceiver()
    server = await startServer({ ...SETTINGS, dataDir: directory, databaseUrl: undefined })
    clerkKey = await fillWorkspace(server, sink)
    await addTheRest(server, receiver)
    importId = await upload(server.admin, 'id,sku\ntea-late,LATE-1\n')
    assert.equal((await repeat(server.admin)).status, 201)
    answers = await ask(server, clerkKey)
    await server.stop()
    server = undefined
  })
  after(async () => {
    await server?.stop()
    await Promise.all([sink.close(), receiver.close()])
    await database.release()
  })

  it('goes into a database, as a whole and counted, and its directory stays as it is', async () => {
    const file = path.join(directory, 'pimlet.db')
    const before = readFileSync(file)
    movedThere = await toDatabase(directory, database.url, node)
    assert.ok(readFileSync(file).equals(before))
    assert.equal(movedThere.find(({ table }) => table === 'record')?.rows, 7)
    await assertRefused(toDatabase(directory, database.url, fresh()), /there is a workspace in it already/)
  })

  it('answers there as it did, and everything goes on where it was', async () => {
    server = await startServer({ ...SETTINGS, databaseUrl: database.url, dataDir: node })
    assert.deepEqual(await ask(server, clerkKey), answers)
    await assertRefused(toDirectory(database.url, node, back), /a server serves the workspace/)
    // What was answered once is answered so again.
    assert.equal((await repeat(server.admin)).status, 201)
    const taken = { schemaId: 'sch-tea', values: { sku: everywhere('AS-1') } }
    assert.equal((await send(server.admin, 'POST', '/api/v1/records', taken)).status, 409)
    const seen = receiver.accepted.length
    const values = { minutes: everywhere(7) }
    assert.equal((await send(server.admin, 'PUT', '/api/v1/records/tea-jasmine', { values })).status, 200)
    await receiver.untilAccepted(seen + 1)
    assert.deepEqual(
      receiver.accepted.slice(seen).map(({ data }) => data.entry?.entityId),
      ['tea-jasmine'],
    )
    const mapping = { schemaId: 'sch-tea', mode: 'create', columns: COLUMNS }
    const mapped = await send(server.admin, 'PUT', `/api/v1/imports/${importId}/mapping`, mapping)
    assert.equal(mapped.status, 200, mapped.text)
    const run = await send<{ id: string }>(server.admin, 'POST', `/api/v1/imports/${importId}/run`)
    assert.equal(run.status, 202, run.text)
    assert.equal((await untilEnded(server.admin, run.body.id)).created, 1)
    answers = await ask(server, clerkKey)
    await server.stop()
    server = undefined
  })

  it('and comes back, whatever was done to it meanwhile', async () => {
    await toDirectory(database.url, node, back)
    assert.equal(readFileSync(path.join(back, 'imports', importId), 'utf8'), 'id,sku\ntea-late,LATE-1\n')
    server = await startServer({ ...SETTINGS, dataDir: back, databaseUrl: undefined })
    assert.deepEqual(await ask(server, clerkKey), answers)
    const taken = { schemaId: 'sch-tea', values: { sku: everywhere('LATE-1') } }
    assert.equal((await send(server.admin, 'POST', '/api/v1/records', taken)).status, 409)
    await assertRefused(toDatabase(back, database.url), /is in use by process/)
    await server.stop()
    server = undefined
    await assertRefused(toDirectory(database.url, node, back), /is not empty/)
  })

  it('has rows of every kind, which are the same on either side', async () => {
    const other = await makeDatabase()
    const [all, node] = [fresh(), fresh()]
    cpSync(directory, all, { recursive: true })
    addRowsOfEveryKind(path.join(all, 'pimlet.db'))
    const there = await toDatabase(all, other.url, node)
    assert.deepEqual(
      there.filter(({ rows }) => rows === 0),
      [],
    )
    assert.deepEqual(await toDirectory(other.url, node, fresh()), there)
    await other.release()
  })
})

/** Rows that come about by faults, or for moments only. */
function addRowsOfEveryKind(file: string): void {
  const db = openWriter(file, { durable: false })
  const job = db.prepare<[], string>('SELECT id FROM bulk_job LIMIT 1').pluck().get()!
  const schema = db.prepare<[], string>("SELECT document FROM schema WHERE id = 'sch-tea'").pluck().get()!
  const change = {
    id: 'schema sch-tea',
    kind: 'schema',
    stage: 'claim',
    before: JSON.parse(schema),
    after: JSON.parse(schema),
  }
  db.prepare('INSERT INTO model_change (id, document, "cursor") VALUES (?, ?, 3)').run(
    change.id,
    JSON.stringify(change),
  )
  db.exec(`INSERT INTO export_feed VALUES ('job-shop', '{"delta":{"feed":4}}', 4)
      ON CONFLICT DO UPDATE SET state = excluded.state, feed = excluded.feed;
    INSERT INTO export_member VALUES (4, 'tea-assam', 2, 1);
    INSERT INTO export_leftover VALUES ('job-shop', 'upload/ü');
    INSERT INTO erasure VALUES (1, 'era-1', '{}');
    INSERT INTO public_addresses VALUES (1, 'public-addresses', '{}');
    INSERT INTO sheet_template VALUES (1, 'sht-1', '{}');
    INSERT INTO sheet_link VALUES (1, 'shl-1', '{}');
    INSERT INTO day_count VALUES ('sch-tea', '2026-01-01', 3, '{}');
    INSERT INTO messenger VALUES (1, 'messenger', '{}');
    INSERT INTO summary VALUES ('usr-1', '2026-01-01T08:00:00.000Z', '{}');
    INSERT INTO notice_setting VALUES (1, 'usr-1', '{"id":"usr-1","off":[]}');
    INSERT INTO comment VALUES (1, 'com-1', 'tea-assam', 'sch-tea', 'name', '{}', NULL, 1, 'user usr-1', '2026-01-01', '{}');
    INSERT INTO follower VALUES ('tea-assam', 'usr-1', 1);
    INSERT INTO work_assignment VALUES (1, 'asg-1', 'tea-assam', 'usr-1', 'user usr-1', 'open', '9999-12-31', 0, '2026-01-01', '{}');
    INSERT INTO notice VALUES (1, 'not-1', 'usr-1', 0, '2026-01-01', '{}');
    INSERT INTO bulk_error VALUES ('${job}', 1, NULL, 'CONFLICT', 'It is taken', 2, 'SH-1_1.jpg');
    INSERT INTO export_file VALUES ('job-shop', 'SH-1_1.jpg', 'digest', 'target');
    INSERT INTO bulk_waiting VALUES ('${job}', 9, 'tea-x', NULL, NULL);`)
  db.close()
}

describe('The real catalogue', withRealCatalogue, () => {
  it('is the same there and back', async () => {
    const [database, directory, node] = [await makeDatabase(), makeTempDirectory(), fresh()]
    const server = await startServer({ ...SETTINGS, dataDir: directory, databaseUrl: undefined })
    const { model, records, assignments } = readRealCatalogue()
    for (const kind of ['dimensions', 'schemas', 'catalogs'] as const)
      for (const one of model[kind]) await make(server.admin, `/api/v1/${kind}`, one)
    for (const category of model.categories)
      await make(server.admin, `/api/v1/catalogs/${category.catalogId}/categories`, category)
    const { created } = await importFile(server.admin, lines(...records))
    for (const { entityId, categories } of assignments.slice(0, 30))
      await send(server.admin, 'PUT', `/api/v1/records/${entityId}/categories`, categories)
    await server.stop()
    const there = await toDatabase(directory, database.url, node)
    assert.equal(there.find(({ table }) => table === 'record')?.rows, created)
    const back = fresh()
    assert.deepEqual(await toDirectory(database.url, node, back), there)
    assert.ok(existsSync(path.join(back, 'pimlet.db')))
    await database.release()
  })
})
