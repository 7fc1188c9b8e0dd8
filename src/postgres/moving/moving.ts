// Moves workspaces from and to PostgreSQL. Each move is one transaction with the lock that every writer and every first
// start need. So no server writes meanwhile, and no server sees an incomplete workspace.
import type { MovedPiece, MovingSource, MovingTarget } from '../../store/moving-port.ts'
import { COUNTERS, MOVED_TABLES } from '../../store/moving/tables.ts'
import { Connection } from '../connection.ts'
import { isWorthAgain } from '../postgres-errors.ts'
import { LIVING } from '../lease-rows.ts'
import type { PostgresLocation } from '../location.ts'
import { DatabaseUnusable } from '../maintenance/database-faults.ts'
import { assertUsable, bringUpToDate, newestVersion, versionOf } from '../migrate.ts'
import { PostgresContent } from './content.ts'

const LOCK = 'SELECT key_print AS print FROM workspace FOR UPDATE'
const SERVED =
  'a server serves the workspace in it: stop all of its servers first; one that was killed counts for some seconds more'

/** No timeouts, because a move may take long, and waits for the other storage. */
const SETTINGS = { idle_in_transaction_session_timeout: 0, statement_timeout: 0, lock_timeout: '10s' }

/** @throws DatabaseUnusable, UNAVAILABLE */
export async function openPostgresSource({ url }: PostgresLocation): Promise<MovingSource> {
  return connect(url, async (connection) => {
    const [found, known] = [await versionOf(connection), newestVersion()]
    if (found === 0) throw new DatabaseUnusable('there is no workspace in it')
    if (found > known) throw new DatabaseUnusable('the workspace is of a newer pimlet: use that one')
    if (found < known)
      throw new DatabaseUnusable('the workspace is of an older pimlet: start a server on it once, which upgrades it')
    // Every later read uses the snapshot of the first statement.
    await connection.begin('BEGIN ISOLATION LEVEL REPEATABLE READ')
    return new PostgresSource(connection, await lockWorkspace(connection))
  })
}

class PostgresSource extends PostgresContent implements MovingSource {
  readonly keyPrint: string | undefined

  constructor(connection: Connection, keyPrint: string | undefined) {
    super(connection)
    this.keyPrint = keyPrint
  }

  /** Reads one piece at a time. */
  async *pieces(): AsyncGenerator<MovedPiece, void> {
    const sql = 'SELECT name, place FROM import_piece ORDER BY name, place'
    const read = 'SELECT content FROM import_piece WHERE name = $1 AND place = $2'
    for (const { name, place } of await this.connection.rows<Omit<MovedPiece, 'content'>>(sql)) {
      const [row] = await this.connection.rows<Pick<MovedPiece, 'content'>>(read, [name, place])
      yield { name, place, content: row!.content }
    }
  }
}

/** @throws DatabaseUnusable, also if the schema is not empty, UNAVAILABLE */
export async function openPostgresTarget({ url }: PostgresLocation): Promise<MovingTarget> {
  return connect(url, async (connection) => {
    await connection.begin()
    await bringUpToDate(connection)
    await lockWorkspace(connection)
    const target = new PostgresTarget(connection)
    for (const table of MOVED_TABLES)
      if (table.name !== COUNTERS && (await target.count(table)) > 0)
        throw new DatabaseUnusable(
          'there is a workspace in it already: name an empty database, or an empty schema of one',
        )
    return target
  })
}

class PostgresTarget extends PostgresContent implements MovingTarget {
  /** Writes a piece without a living owner: the first start removes pieces without an import. */
  async writePiece({ name, place, content }: MovedPiece): Promise<void> {
    const sql = "INSERT INTO import_piece (name, place, owner, content) VALUES ($1, $2, '', $3)"
    await this.connection.run(sql, [name, place, content])
  }

  async publish(keyPrint: string): Promise<void> {
    const { connection } = this
    await connection.run('UPDATE workspace SET key_print = $1', [keyPrint])
    await connection.script('DELETE FROM index_pending; INSERT INTO index_pending (schema_id) SELECT id FROM schema')
    await connection.script(
      `ANALYZE ${MOVED_TABLES.flatMap(({ name }) => (name === COUNTERS ? [] : [name])).join(', ')}`,
    )
    await connection.commit()
  }
}

async function connect<Content>(url: string, open: (connection: Connection) => Promise<Content>): Promise<Content> {
  const connection = await Connection.open({ url, settings: SETTINGS })
  try {
    await assertUsable(connection)
    return await open(connection)
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** @returns the print of the keys @throws DatabaseUnusable while a server lives */
async function lockWorkspace(connection: Connection): Promise<string | undefined> {
  const [row] = await connection.rows<{ print: string | null }>(LOCK).catch((error: unknown) => {
    throw isWorthAgain(error) ? new DatabaseUnusable(SERVED) : error
  })
  if ((await connection.rows(LIVING)).length > 0) throw new DatabaseUnusable(SERVED)
  return row?.print ?? undefined
}
