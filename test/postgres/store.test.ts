// The PostgreSQL store keeps the storage contract.
// A long file: `npm run test:all` runs it.
import { describe } from 'node:test'
import { describeAudit } from '../store/contract/audit.ts'
import { describeBulkJobs } from '../store/contract/bulk-jobs.ts'
import { describeCategories } from '../store/contract/categories.ts'
import { describeCollaboration } from '../store/contract/collaboration.ts'
import { describeDocuments } from '../store/contract/documents.ts'
import { describeExportRuns } from '../store/contract/export-runs.ts'
import { describeFeed } from '../store/contract/feed.ts'
import { describeKeptAnswers } from '../store/contract/kept-answers.ts'
import { describeLeases } from '../store/contract/leases.ts'
import { describeLongTransactions } from '../store/contract/long-transactions.ts'
import { describeModel } from '../store/contract/model.ts'
import { describeReading } from '../store/contract/reading.ts'
import { describeRecordWrites } from '../store/contract/record-writes.ts'
import { describeRecords } from '../store/contract/records.ts'
import { describeSnapshots } from '../store/contract/snapshots.ts'
import { describeSubscriptions } from '../store/contract/subscriptions.ts'
import { describeTransactions } from '../store/contract/transactions.ts'
import { describeUniqueValues } from '../store/contract/unique-values.ts'
import { postgresBackend } from './backend.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

const topics = [
  describeTransactions,
  describeLongTransactions,
  describeModel,
  describeDocuments,
  describeRecords,
  describeRecordWrites,
  describeUniqueValues,
  describeCategories,
  describeCollaboration,
  describeAudit,
  describeFeed,
  describeSubscriptions,
  describeReading,
  describeSnapshots,
  describeExportRuns,
  describeBulkJobs,
  describeLeases,
  describeKeptAnswers,
]
describe('PostgreSQL', { skip: withoutPostgres() }, () => {
  for (const describeTopic of topics) describeTopic(postgresBackend)
})
