// Maintenance of a workspace in PostgreSQL. No process has the workspace alone, and servers continue meanwhile.
import type { Maintenance } from '../../store/maintenance-port.ts'
import { Connection } from '../connection.ts'
import { LIVING } from '../lease-rows.ts'
import { describeLocation, type PostgresLocation } from '../location.ts'
import { assertUsable } from '../migrate.ts'
import { Indexer } from '../search-index/indexer.ts'
import { beginRenewal } from '../search-index/renewal.ts'
import { DatabaseAccounts } from './accounts.ts'
import { assertCurrent, DatabaseInspection } from './inspection.ts'

export function maintainPostgres(location: PostgresLocation): Maintenance {
  const { url } = location
  return {
    place: describeLocation(location),
    isServed: () => onConnection(url, async (connection) => (await connection.rows(LIVING)).length > 0),
    assertReadable: () => onConnection(url, assertUsable),
    inspect: () => DatabaseInspection.open(url),
    rebuildIndex: (onStep) => onConnection(url, (connection) => rebuildIndex(connection, onStep)),
    openAccounts: () => DatabaseAccounts.open(url),
  }
}

/** Similar settings as those of a server's index thread. */
const SETTINGS = { idle_in_transaction_session_timeout: '60s', lock_timeout: '10s' }

async function onConnection<Result>(url: string, work: (connection: Connection) => Promise<Result>): Promise<Result> {
  const connection = await Connection.open({ url, settings: SETTINGS })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

/** The number of records that wait to be indexed with all records of their schema. */
const LEFT = `SELECT coalesce(sum(records), 0)::bigint AS records FROM record_count
  WHERE schema_id IN (SELECT schema_id FROM index_pending WHERE schema_id IS NOT NULL)`

/** Rebuilds the search index. If this process ends early, a server continues the rebuild. */
async function rebuildIndex(connection: Connection, onStep: (done: number, total: number) => void): Promise<void> {
  await assertCurrent(connection)
  await beginRenewal(connection)
  const [all] = await connection.rows<{ records: number }>('SELECT records FROM workspace')
  const indexer = new Indexer(connection)
  for (;;) {
    const pending = await indexer.countPending()
    if (pending > 0) await indexer.step()
    const [left] = await connection.rows<{ records: number }>(LEFT)
    onStep(Math.max(0, all!.records - left!.records), all!.records)
    // The servers index later writes.
    if (pending === 0 || !(await isAnyAnew(connection))) return
  }
}

async function isAnyAnew(connection: Connection): Promise<boolean> {
  const sql = `SELECT EXISTS
    (SELECT 1 FROM index_pending WHERE schema_id IS NOT NULL UNION ALL SELECT 1 FROM index_renewal) AS "isAny"`
  return (await connection.rows<{ isAny: boolean }>(sql))[0]!.isAny
}
