// The repositories of a session, as one plain object: for readers, or for a transaction.
import { holdsLease, homeOf, LIVING } from './lease-rows.ts'
import type { LongTransaction, Transaction } from '../store/port.ts'
import { createRowRepositories } from '../store/rows/repositories.ts'
import { Audit, Feed } from './repositories/audit.ts'
import { ModelChangeDocuments, ModelDocuments } from './repositories/model-documents.ts'
import { Records } from './repositories/records.ts'
import type { Session } from './session.ts'
import type { Transacting } from './transacting.ts'
import type { CategoryCount, CategoryTreeReads } from '../store/search-port.ts'
import type { Connections } from './connections.ts'

/** @param owner names this server among all servers */
export function createRepositories(session: Session, owner: string): Omit<Transaction, 'newVersion' | 'holds'> {
  const audit = new Audit(session)
  const feed = new Feed(session, audit)
  return {
    model: async () => (await session.model()).model,
    modelVersion: () => session.counter('model'),
    dimensions: new ModelDocuments(session, 'dimension', 'Dimension'),
    workflows: new ModelDocuments(session, 'workflow', 'Workflow'),
    schemas: new ModelDocuments(session, 'schema', 'Schema'),
    roles: new ModelDocuments(session, 'role', 'Role'),
    modelChanges: new ModelChangeDocuments(session, owner),
    records: new Records(session),
    audit,
    feed,
    ...createRowRepositories(session, { isAlone: false, own: owner, living: LIVING, homeOf }, feed),
  }
}

/** The repositories of a transaction. */
export function createTransaction(run: Transacting, owner: string): Transaction {
  return {
    ...createRepositories(run, owner),
    newVersion: () => run.newVersion(),
    holds: (lease) => holdsLease(run, lease, owner),
  }
}

export function createLongTransaction(run: Transacting, owner: string): LongTransaction {
  return {
    ...createTransaction(run, owner),
    pause: () => run.pause(),
    attempt: (step) => run.attempt(step),
    readAhead: (recordIds, options) => run.readAhead(recordIds(), options),
  }
}

/** Counts each record once for a category, even if several categories below have the record. */
const COUNTS = `WITH RECURSIVE above (id, over) AS (
    SELECT id, id FROM category WHERE catalog_id = $1
    UNION SELECT above.id, category.parent_id FROM above JOIN category ON category.id = above.over
     WHERE category.parent_id IS NOT NULL),
  assigned AS (SELECT above.over AS id, assignment.record_n, bool_or(above.over = above.id) AS is_direct
    FROM above JOIN assignment ON assignment.category_id = above.id GROUP BY above.over, assignment.record_n)
  SELECT category.id, count(assigned.record_n) FILTER (WHERE is_direct) AS direct, count(assigned.record_n) AS total
    FROM category LEFT JOIN assigned ON assigned.id = category.id WHERE catalog_id = $1 GROUP BY category.id, category.n
   ORDER BY category.n`

export function createCategoryTreeReads(connections: Connections): CategoryTreeReads {
  return {
    counts: (catalogId) => connections.lend((connection) => connection.planned<CategoryCount>(COUNTS, [catalogId])),
  }
}
