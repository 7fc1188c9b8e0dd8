// The repositories of a session, as the port shows them to readers and to a transaction: one plain object.
import { holdsLease, homeOf, LIVING } from './lease-rows.ts'
import type { Role } from '../core/accounts/rules/permissions.ts'
import type { Dimension } from '../core/model/rules/dimension.ts'
import type { SchemaDefinition } from '../core/model/rules/model.ts'
import type { Workflow } from '../core/model/rules/workflow.ts'
import type { LongTransaction, Transaction } from '../store/port.ts'
import { createRowRepositories } from '../store/rows/repositories.ts'
import { Audit, Feed } from './repositories/audit.ts'
import { ModelChangeDocuments, ModelDocuments } from './repositories/model-documents.ts'
import { Records } from './repositories/records.ts'
import type { Session } from './session.ts'
import type { Transacting } from './transacting.ts'

/** @param owner names this server among all */
export function createRepositories(session: Session, owner: string): Omit<Transaction, 'newVersion' | 'holds'> {
  const audit = new Audit(session)
  const feed = new Feed(session, audit)
  return {
    model: async () => (await session.model()).model,
    modelVersion: () => session.counter('model'),
    dimensions: new ModelDocuments<Dimension>(session, 'dimension', 'Dimension'),
    workflows: new ModelDocuments<Workflow>(session, 'workflow', 'Workflow'),
    schemas: new ModelDocuments<SchemaDefinition>(session, 'schema', 'Schema'),
    roles: new ModelDocuments<Role>(session, 'role', 'Role'),
    modelChanges: new ModelChangeDocuments(session, owner),
    records: new Records(session),
    audit,
    feed,
    ...createRowRepositories(session, { isAlone: false, own: owner, living: LIVING, homeOf }, feed),
  }
}

/** What a transaction has. */
export function createTransaction(run: Transacting, owner: string): LongTransaction {
  return {
    ...createRepositories(run, owner),
    newVersion: () => run.newVersion(),
    holds: (lease) => holdsLease(run, lease, owner),
    pause: () => run.pause(),
    attempt: (step) => run.attempt(step),
    readAhead: (recordIds, options) => run.readAhead(recordIds(), options),
  }
}
