// Rows of leases: which server holds the lease of a duty, and which servers live. Times are those of the database's
// clock, because the clocks of servers differ.
import { randomUUID } from 'node:crypto'
import type { Lease } from '../store/run-port.ts'
import type { Connection } from './connection.ts'
import type { Load } from '../store/rows/session.ts'
import type { Session } from './session.ts'

export const SECONDS_OF_LEASE = 15

const OF_SERVER = 'server '
/** Selects the living servers. */
export const LIVING = `SELECT holder FROM lease WHERE starts_with(name, '${OF_SERVER}') AND until > clock_timestamp()`

/**
 * Names a process among all processes that have the workspace open. The name begins with the name of the data directory
 * (`home`), which the next process in that directory shares.
 */
export function nameOwner(home: string | undefined): string {
  return `${home ?? ''}.${randomUUID()}`
}

/** Returns the `home` of an owner; empty: unknown. */
export function homeOf(owner: string): string {
  return owner.slice(0, Math.max(0, owner.indexOf('.')))
}

export function leaseOfServer(owner: string): string {
  return `${OF_SERVER}${owner}`
}

/** Takes or renews the lease. @returns its term; undefined: another server has the lease */
export async function takeLease(connection: Connection, name: string, holder: string): Promise<number | undefined> {
  const [row] = await connection.rows<{ term: number }>(
    `INSERT INTO lease (name, holder, term, until)
       SELECT $1, $2, 1, clock_timestamp() + $3 * interval '1 second' WHERE NOT EXISTS
         (SELECT 1 FROM lease WHERE name = $1 AND holder <> $2 AND until >= clock_timestamp())
     ON CONFLICT (name) DO UPDATE
       SET holder = excluded.holder, until = excluded.until,
           term = lease.term + CASE WHEN lease.holder = excluded.holder THEN 0 ELSE 1 END
       WHERE lease.holder = excluded.holder OR lease.until < clock_timestamp()
     RETURNING term`,
    [name, holder, SECONDS_OF_LEASE],
  )
  return row?.term
}

/** Releases the lease. The row keeps the term, so that the next term is greater. */
export async function giveUpLease(connection: Connection, name: string, holder: string): Promise<void> {
  await connection.run(`UPDATE lease SET until = '-infinity', holder = '' WHERE name = $1 AND holder = $2`, [
    name,
    holder,
  ])
}

/** Deletes the leases of servers that ended, and those that expired more than a day ago: each start has a new name. */
export async function forgetGoneServers(connection: Connection): Promise<void> {
  await connection.run(
    `DELETE FROM lease WHERE starts_with(name, $1) AND until < clock_timestamp() - interval '1 day'`,
    [OF_SERVER],
  )
}

interface Held {
  readonly holder: string
  readonly term: number
}

const byName: Load<Held> = async (names, from) => {
  const sql = 'SELECT name, holder, term FROM lease WHERE name = ANY ($1::text[])'
  const rows = await from.rows<Held & { name: string }>(sql, [names])
  return new Map(rows.map((row) => [row.name, row]))
}

/**
 * Must be called in a transaction that has locked the workspace row: then a server that takes the lease later also
 * writes later. An expired lease belongs to its holder until another server takes it.
 */
export async function holdsLease(session: Session, { name, term }: Lease, owner: string): Promise<boolean> {
  const held = (await session.look('lease', [name], byName)).get(name)
  return held?.holder === owner && held.term === term
}
