// Events of a workspace other than changes of records, in one order with those: changes of the model and of accounts,
// and ended export runs and bulk jobs. Contract 3 §3, 3 §3.1.
import type { BulkJob } from '../../jobs/rules/bulk-job.ts'
import type { ExportRun } from '../../../exports/rules/export-run.ts'
import type { AccountEntry } from './account-entry.ts'
import type { ModelEntry } from './model-entry.ts'

/** The timestamp is ISO 8601. */
export type FeedEvent =
  | { readonly kind: 'model'; readonly timestamp: string; readonly entry: ModelEntry }
  | { readonly kind: 'run'; readonly timestamp: string; readonly run: ExportRun }
  | { readonly kind: 'bulk'; readonly timestamp: string; readonly job: BulkJob }
  | { readonly kind: 'account'; readonly timestamp: string; readonly entry: AccountEntry }
