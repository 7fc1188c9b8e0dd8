// Rebuilds the whole search index while servers continue. All schemas are noted for indexing, so that searches ignore
// the index. Then its rows are deleted, some pages of a table at a time, and records are indexed as usual. The progress
// is stored in the database, so any server can continue.
import type { Connection } from '../connection.ts'
import { lockWorkspace } from '../workspace-row.ts'

/** All tables with a column `record`. */
const TABLES = ['record_cells', 'record_text', 'large_text', 'value_num', 'value_text']
/** Pages emptied under one lock of the workspace row, so that nobody waits for long. */
const PAGES = 128

interface RenewalRow {
  readonly upTo: number
  readonly stage: number
  readonly page: number
}

/** Begins in its own transaction. From now on, nothing is indexed until all old rows are deleted. */
export async function beginRenewal(connection: Connection): Promise<void> {
  await connection.begin()
  try {
    const { n } = await lockWorkspace(connection)
    await connection.script('DELETE FROM index_renewal; DELETE FROM index_pending WHERE schema_id IS NOT NULL')
    await connection.script('INSERT INTO index_pending (schema_id) SELECT id FROM schema; DELETE FROM trigram')
    await connection.run('INSERT INTO index_renewal (up_to, stage, page) VALUES ($1, 0, 0)', [n])
    await connection.commit()
  } catch (error) {
    await connection.script('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Deletes some rows under the lock of the workspace row. Resolves to whether a renewal was under way. */
export async function continueRenewal(connection: Connection): Promise<boolean> {
  const [row] = await connection.rows<RenewalRow>('SELECT up_to AS "upTo", stage, page FROM index_renewal')
  if (row === undefined) return false
  const { upTo, stage, page } = row
  const table = TABLES[stage]
  if (table === undefined) {
    await connection.run('DELETE FROM index_renewal')
    return true
  }
  // Later records were indexed by their own commit, and stay.
  const empty = `DELETE FROM ${table} WHERE ctid >= $1::tid AND ctid < $2::tid AND record <= $3`
  await connection.planned(empty, [`(${page},0)`, `(${page + PAGES},0)`, upTo])
  const [size] = await connection.rows<{ pages: number }>(
    `SELECT pg_relation_size('${table}') / current_setting('block_size')::bigint AS pages`,
  )
  const isLast = page + PAGES >= size!.pages
  const next = isLast ? [stage + 1, 0] : [stage, page + PAGES]
  await connection.run('UPDATE index_renewal SET stage = $1, page = $2', next)
  return true
}
