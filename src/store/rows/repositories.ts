// Creates the repositories that are the same in every engine, over a session of the engine.
import type { FeedWrites } from '../feed-port.ts'
import type { Transaction } from '../port.ts'
import { ApiKeys, Documents, Users } from './documents.ts'
import { BulkJobs } from './bulk-job-rows.ts'
import { Categories } from './categories.ts'
import { Comments, Discussed, Followers } from './comment-rows.ts'
import { DayCounts } from './day-counts.ts'
import { ExportFeeds, ExportFiles, ExportLeftovers } from './export-feeds.ts'
import { ExportRuns } from './export-runs.ts'
import { Files } from './files.ts'
import { Imports } from './imports.ts'
import { KeptAnswerRows } from './kept-answers.ts'
import { Notices, telling } from './notice-rows.ts'
import type { Servers, SqlSession } from './session.ts'
import { Subscriptions } from './subscriptions.ts'
import { Summaries } from './summary-rows.ts'
import { WorkAssignments } from './work-assignments.ts'

/** The repositories that each engine implements by itself. */
type OfEngine = 'model' | 'modelVersion' | 'modelChanges' | 'dimensions' | 'workflows' | 'schemas' | 'roles'
type OfRecords = 'records' | 'audit' | 'feed' | 'newVersion' | 'holds'

/** @param feed of the same session */
export function createRowRepositories(
  session: SqlSession,
  servers: Servers,
  feed: FeedWrites,
): Omit<Transaction, OfEngine | OfRecords> {
  const notices = new Notices(session)
  const told = telling(feed, notices)
  return {
    catalogs: new Documents(session, { name: 'catalog', resource: 'Catalog' }),
    savedQueries: new Documents(session, { name: 'saved_query', resource: 'Saved query' }),
    exportJobs: new Documents(session, { name: 'export_job', resource: 'Export job', counter: 'jobs' }),
    importProfiles: new Documents(session, { name: 'import_profile', resource: 'Import profile' }),
    imports: new Imports(session),
    files: new Files(session),
    exportRuns: new ExportRuns(session, servers, told),
    exportLeftovers: new ExportLeftovers(session),
    exportFeeds: new ExportFeeds(session),
    exportFiles: new ExportFiles(session),
    bulkJobs: new BulkJobs(session, told),
    categories: new Categories(session),
    subscriptions: new Subscriptions(session),
    users: new Users(session),
    apiKeys: new ApiKeys(session),
    keptAnswers: new KeptAnswerRows(session),
    preferences: new Documents(session, { name: 'preference', resource: 'Preferences' }),
    renditionPresets: new Documents(session, { name: 'rendition_preset', resource: 'Rendition preset' }),
    publicAddresses: new Documents(session, {
      name: 'public_addresses',
      resource: 'Public addresses',
    }),
    comments: new Comments(session),
    followers: new Followers(session),
    discussed: new Discussed(session),
    workAssignments: new WorkAssignments(session),
    notices,
    noticeSettings: new Documents(session, { name: 'notice_setting', resource: 'Notice settings' }),
    messengers: new Documents(session, { name: 'messenger', resource: 'Messenger' }),
    summaries: new Summaries(session),
    dayCounts: new DayCounts(session),
    sheetTemplates: new Documents(session, { name: 'sheet_template', resource: 'Sheet template' }),
    sheetLinks: new Documents(session, { name: 'sheet_link', resource: 'Sheet link' }),
    erasures: new Documents(session, { name: 'erasure', resource: 'Erasure' }),
  }
}
