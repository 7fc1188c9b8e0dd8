// The only row of `workspace`, with its counters: the holder of the row's lock is the only writer.
import type { Asked } from '../store/rows/session.ts'

export interface WorkspaceRow {
  readonly schemaVersion: number
  readonly version: number
  readonly n: number
  readonly records: number
  readonly keptAnswerBytes: number
  readonly exportFeeds: number
  readonly model: number
  readonly credentials: number
  readonly jobs: number
}

const COLUMNS = `schema_version AS "schemaVersion", version, n, records, kept_answer_bytes AS "keptAnswerBytes",
  export_feeds AS "exportFeeds", model, credentials, jobs`
const READ = `SELECT ${COLUMNS} FROM workspace`
const LOCK = `SELECT ${COLUMNS}, pg_current_xact_id()::text AS transaction FROM workspace FOR UPDATE`
export const UPDATE_WORKSPACE = `UPDATE workspace SET version = $1, n = $2, records = $3, kept_answer_bytes = $4,
  export_feeds = $5, model = $6, credentials = $7, jobs = $8`

export async function readWorkspace(from: Asked): Promise<WorkspaceRow> {
  const [row] = await from.rows<WorkspaceRow>(READ)
  return row!
}

/** Locks the row until the end of the transaction: no other transaction writes meanwhile. */
export async function lockWorkspace(from: Asked): Promise<WorkspaceRow & { readonly transaction: string }> {
  const [row] = await from.rows<WorkspaceRow & { transaction: string }>(LOCK)
  return row!
}
