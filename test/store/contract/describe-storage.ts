// What every storage must do, said in tests against the port: one call for each backend. `search-questions.ts` takes
// longer, and has a file of its own there.
import { describeAudit } from './audit.ts'
import type { Backend } from './backend.ts'
import { describeBulkJobs } from './bulk-jobs.ts'
import { describeCollaboration } from './collaboration.ts'
import { describeCategories } from './categories.ts'
import { describeDayCounts } from './day-counts.ts'
import { describeDocuments } from './documents.ts'
import { describeFeed } from './feed.ts'
import { describeSubscriptions } from './subscriptions.ts'
import { describeExportFeeds } from './export-feeds.ts'
import { describeExportRuns } from './export-runs.ts'
import { describeKeptAnswers } from './kept-answers.ts'
import { describeItems } from './items.ts'
import { describeLargeRecords } from './large-records.ts'
import { describeLeases } from './leases.ts'
import { describeModel } from './model.ts'
import { describeReferences } from './references.ts'
import { describeRecordWrites } from './record-writes.ts'
import { describeRecords } from './records.ts'
import { describeSearch } from './search.ts'
import { describeReading } from './reading.ts'
import { describeSnapshots } from './snapshots.ts'
import { describeLongTransactions } from './long-transactions.ts'
import { describeTransactions } from './transactions.ts'
import { describeUniqueValues } from './unique-values.ts'

export function describeStorage(backend: Backend): void {
  const topics = [
    describeTransactions,
    describeLongTransactions,
    describeModel,
    describeDocuments,
    describeRecords,
    describeRecordWrites,
    describeUniqueValues,
    describeReferences,
    describeLargeRecords,
    describeCategories,
    describeCollaboration,
    describeAudit,
    describeDayCounts,
    describeFeed,
    describeSubscriptions,
    describeSearch,
    describeItems,
    describeReading,
    describeSnapshots,
    describeExportFeeds,
    describeExportRuns,
    describeBulkJobs,
    describeLeases,
    describeKeptAnswers,
  ]
  for (const describeTopic of topics) describeTopic(backend)
}
