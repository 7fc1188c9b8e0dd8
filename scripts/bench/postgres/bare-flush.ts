// Sends the precomputed statements of a batch of new records alone, to a separate database. The lock of the workspace
// row precedes them, and COMMIT follows.
import { diffValues } from '../../../src/core/records/rules/changes.ts'
import type { StoredRecord } from '../../../src/store/record-port.ts'
import type { Statement } from '../../../src/postgres/layer.ts'
import { Connection } from '../../../src/postgres/connection.ts'
import { toStatements } from '../../../src/postgres/flush.ts'
import { Unsent } from '../../../src/postgres/layer.ts'
import { ModelState } from '../../../src/postgres/model-state.ts'
import { migrate } from '../../../src/postgres/migrate.ts'
import { FlushIndex } from '../../../src/postgres/search-index/flush-index.ts'
import { IndexNumbers } from '../../../src/postgres/search-index/index-numbers.ts'
import { indexStatements, placesOf, taskOf } from '../../../src/postgres/search-index/index-statements.ts'
import { lockWorkspace, UPDATE_WORKSPACE } from '../../../src/postgres/workspace-row.ts'
import { SCHEMA_ID } from '../catalogue.ts'
import type { Sides } from './sides.ts'

export interface BareFlush {
  /** Resolves to records a second. */
  insert(from: number, count: number, batch: number): Promise<number>
  close(): Promise<void>
}

const NOW = '2026-01-01T00:00:00.000Z'
const USER = 'key-bootstrap'

export async function openBareFlush(
  { database, postgres: { catalogue, url } }: Sides,
  name: string,
): Promise<BareFlush> {
  const connection = await Connection.open({ url: await database.create(name), isPipelined: true })
  await migrate(connection)
  const known = await Connection.open({ url })
  const { model } = (await ModelState.load(known)).state
  await known.close()
  const numbers = new IndexNumbers()

  async function prepare(from: number, count: number): Promise<Statement[]> {
    const records = Array.from({ length: count }, (_, index): StoredRecord & { n: number } => {
      const n = from + index
      const id = `ent-${String(n).padStart(26, '0')}`
      const valuesJson = JSON.stringify(catalogue.valuesOf(n))
      const heads = { id, schemaId: SCHEMA_ID, parentId: null, lifecycleStateId: 'state-draft', version: n }
      return { n, ...heads, createdAt: NOW, updatedAt: NOW, createdBy: USER, updatedBy: USER, valuesJson }
    })
    const unsent = new Unsent()
    for (const { n, ...record } of records) {
      unsent.putRecord(record.id, { before: undefined, after: { n, record } })
      unsent.audit.push({
        id: `aud-${record.id}`,
        entityId: record.id,
        schemaId: SCHEMA_ID,
        userId: USER,
        timestamp: NOW,
        action: 'create',
        origin: { kind: 'api' },
        changes: diffValues({}, catalogue.valuesOf(n)),
        version: n,
      })
    }
    unsent.count(JSON.stringify([SCHEMA_ID, 'state-draft', false]), count)
    const tasks = records.map((record) => taskOf(record.n, { ...record, inheritedJson: null }, null, model))
    await numbers.learn(tasks.flatMap(placesOf), connection)
    const { n: last } = records.at(-1)!
    return [
      // Notes for the index are replaced by the index statements below.
      ...[...toStatements(unsent, new FlushIndex(), undefined)].filter(({ sql }) => !sql.includes('index_pending')),
      ...indexStatements(tasks, numbers),
      { sql: UPDATE_WORKSPACE, parameters: [last, last, last, 0, 0, 0, 0, 0] },
    ]
  }

  async function send(statements: readonly Statement[]): Promise<void> {
    const began = connection.run('BEGIN')
    await lockWorkspace(connection)
    await began
    const sent = statements.map(({ sql, parameters }) => connection.run(sql, parameters))
    await Promise.all([...sent, connection.commit()])
  }

  return {
    async insert(from, count, batch) {
      let milliseconds = 0
      for (let done = 0; done < count; done += batch) {
        const statements = await prepare(from + done, Math.min(batch, count - done))
        const begin = performance.now()
        await send(statements)
        milliseconds += performance.now() - begin
      }
      return (count / milliseconds) * 1000
    },
    close: () => connection.close(),
  }
}
