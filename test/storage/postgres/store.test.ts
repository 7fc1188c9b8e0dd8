// The PostgreSQL store keeps the storage contract.
import { describe } from 'node:test'
import { describeAudit } from '../contract/audit.ts'
import { describeBulkJobs } from '../contract/bulk-jobs.ts'
import { describeCategories } from '../contract/categories.ts'
import { describeDocuments } from '../contract/documents.ts'
import { describeExportRuns } from '../contract/export-runs.ts'
import { describeFeed } from '../contract/feed.ts'
import { describeKeptAnswers } from '../contract/kept-answers.ts'
import { describeLeases } from '../contract/leases.ts'
import { describeLongTransactions } from '../contract/long-transactions.ts'
import { describeModel } from '../contract/model.ts'
import { describeReading } from '../contract/reading.ts'
import { describeRecordWrites } from '../contract/record-writes.ts'
import { describeRecords } from '../contract/records.ts'
import { describeSnapshots } from '../contract/snapshots.ts'
import { describeSubscriptions } from '../contract/subscriptions.ts'
import { describeTransactions } from '../contract/transactions.ts'
import { describeUniqueValues } from '../contract/unique-values.ts'
import { postgresBackend } from './backend.ts'
import { withoutPostgres } from '../../helpers/postgres-programs.ts'

const topics = [
  describeTransactions,
  describeLongTransactions,
  describeModel,
  describeDocuments,
  describeRecords,
  describeRecordWrites,
  describeUniqueValues,
  describeCategories,
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
