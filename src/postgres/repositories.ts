// The repositories of a session, as the port shows them to readers and to a transaction: one plain object.
import { holdsLease, homeOf, LIVING } from './lease-rows.ts'
import type { StoredPreferences } from '../core/accounts/rules/preferences.ts'
import type { Role } from '../core/accounts/rules/permissions.ts'
import type { ErasedHistory } from '../core/records/rules/erased-history.ts'
import type { ExportJob } from '../exports/rules/export-job.ts'
import type { ImportProfile } from '../imports/rules/import-profile.ts'
import type { Catalog } from '../core/model/rules/catalog.ts'
import type { Dimension } from '../core/model/rules/dimension.ts'
import type { SchemaDefinition } from '../core/model/rules/model.ts'
import type { Workflow } from '../core/model/rules/workflow.ts'
import type { SavedQuery } from '../core/search/rules/saved-query.ts'
import type { LongTransaction, Transaction } from '../store/port.ts'
import { Imports } from '../store/rows/imports.ts'
import { Categories } from '../store/rows/categories.ts'
import { KeptAnswerRows } from '../store/rows/kept-answers.ts'
import { ApiKeys, Users } from '../store/rows/accounts.ts'
import { Audit } from './repositories/audit.ts'
import { BulkJobs } from '../store/rows/bulk-jobs.ts'
import { Documents } from '../store/rows/documents.ts'
import { ExportRuns } from '../store/rows/export-runs.ts'
import { ExportFeeds, ExportLeftovers } from '../store/rows/export-feeds.ts'
import { Feed } from './repositories/feed.ts'
import { ModelChangeDocuments, ModelDocuments } from './repositories/model-documents.ts'
import { Records } from './repositories/records.ts'
import { Subscriptions } from '../store/rows/subscriptions.ts'
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
    catalogs: new Documents<Catalog>(session, { name: 'catalog', resource: 'Catalog' }),
    savedQueries: new Documents<SavedQuery>(session, { name: 'saved_query', resource: 'Saved query' }),
    exportJobs: new Documents<ExportJob>(session, { name: 'export_job', resource: 'Export job', counter: 'jobs' }),
    importProfiles: new Documents<ImportProfile>(session, { name: 'import_profile', resource: 'Import profile' }),
    imports: new Imports(session),
    exportRuns: new ExportRuns(session, { isAlone: false, own: owner, living: LIVING, homeOf }, feed),
    exportLeftovers: new ExportLeftovers(session),
    exportFeeds: new ExportFeeds(session),
    bulkJobs: new BulkJobs(session, feed),
    categories: new Categories(session),
    records: new Records(session),
    audit,
    feed,
    subscriptions: new Subscriptions(session),
    users: new Users(session),
    apiKeys: new ApiKeys(session),
    keptAnswers: new KeptAnswerRows(session),
    preferences: new Documents<StoredPreferences>(session, { name: 'preference', resource: 'Preferences' }),
    erasures: new Documents<ErasedHistory>(session, { name: 'erasure', resource: 'Erasure' }),
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
