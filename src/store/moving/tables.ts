// The tables of a workspace as they move between storages, described once for all storages. Tables are in order: each
// finds the rows that it refers to. Search indexes do not move: the target builds its own.
import type { BulkJob } from '../../core/jobs/rules/bulk-job.ts'
import type { FeedState } from '../../exports/rules/feed-state.ts'

/** `boolean` is a JavaScript boolean, even if a storage keeps a number; `bytes` is a Buffer. */
export type Kind = 'text' | 'integer' | 'real' | 'boolean' | 'bytes'
export type Cell = string | number | boolean | Buffer | null
/** In the order of the table's columns. */
export type MovedRow = readonly Cell[]

export interface MovedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** The kind of each column. */
  readonly kinds: readonly Kind[]
  /** Columns in whose order rows are best read and written. */
  readonly order: readonly string[]
}

/** @param columns `name` for a text column, `name:kind` for other columns */
function table(name: string, order: string, columns: string): MovedTable {
  const parts = columns.split(' ').map((column) => column.split(':') as [string, Kind?])
  return {
    name,
    order: order.split(' '),
    columns: parts.map(([column]) => column),
    kinds: parts.map(([, kind = 'text']) => kind),
  }
}

const documents = (name: string): MovedTable => table(name, 'n', 'n:integer id document')

/**
 * Numbers of the whole workspace. `sequence`: the number of the newest entry of the feed; `model`: rises with each change of
 * the model; `kept_answers`: bytes of all kept answers; `export_feeds`: the last number that an export feed got.
 */
export const COUNTERS = 'counter'

/** Keys of unique values move as digests. SQLite stores whole keys, so a move to SQLite finds them in the values of records. */
export const UNIQUE_VALUES = 'unique_value'

export const MOVED_TABLES: readonly MovedTable[] = [
  ...['dimension', 'workflow', 'schema', 'role', 'catalog', 'saved_query', 'export_job', 'import_profile'].map(
    documents,
  ),
  documents('preference'),
  documents('erasure'),
  documents('rendition_preset'),
  documents('public_addresses'),
  documents('notice_setting'),
  documents('messenger'),
  documents('sheet_template'),
  documents('sheet_link'),
  table('model_change', 'n', 'n:integer id document cursor:integer'),
  table('account', 'n', 'n:integer id username document'),
  table('api_key', 'n', 'n:integer id hash document'),
  table(
    'record',
    'n',
    'n:integer id schema_id parent_id state_id version:integer created_at updated_at created_by updated_by vals',
  ),
  table('record_count', 'schema_id state_id is_variant', 'schema_id state_id is_variant:boolean records:integer'),
  // key: SHA-256 of the value's key, of its UTF-16 units.
  table(UNIQUE_VALUES, 'record_id', 'schema_id alias scope key:bytes record_id'),
  table('record_reference', 'target_id schema_id alias record_id scope', 'target_id schema_id alias record_id scope'),
  table(
    'audit',
    'sequence',
    'sequence:integer id record_id schema_id user_id timestamp action origin origin_id changes removed',
  ),
  table('event', 'sequence', 'sequence:integer kind timestamp content'),
  table('subscription', 'n', 'n:integer id document state'),
  table('subscription_delivery', 'n', 'n:integer subscription_id id document'),
  table('category', 'n', 'n:integer id catalog_id parent_id name names sort_order:real'),
  table('assignment', 'category_id sort_order record_n', 'category_id sort_order:real record_n:integer'),
  table(
    'export_run',
    'n',
    'n:integer id job_id status started_at completed_at record_count:integer file_size:integer destination_path error kind ' +
      'attempts:integer sha256 redelivers kept_until file heard_at owner heartbeat_at term:integer cancel_requested:boolean files',
  ),
  table('export_feed', 'job_id', 'job_id state'),
  table('export_member', 'feed record_id', 'feed:integer record_id present_in:integer gone_in:integer'),
  table('export_leftover', 'job_id name', 'job_id name'),
  table('export_file', 'job_id name', 'job_id name digest target'),
  table('import', 'n', 'n:integer id owner_id expires_at document details'),
  table('bulk_job', 'n', 'n:integer id document task samples'),
  table('bulk_item', 'job_id place', 'job_id place:integer record_id is_changed:boolean arrangement'),
  table('bulk_error', 'job_id place', 'job_id place:integer record_id error message line:integer file'),
  table(
    'bulk_sample',
    'job_id outcome place',
    'job_id outcome place:integer record_id schema_id changes line:integer file file_place:integer',
  ),
  table('bulk_waiting', 'job_id position', 'job_id position:integer names_id record_id outcome'),
  table(
    'comment',
    'n',
    'n:integer id record_id schema_id alias scope thread_n:integer is_open:integer author created_at document',
  ),
  table('follower', 'record_id user_id', 'record_id user_id follows:integer'),
  table('work_assignment', 'n', 'n:integer id record_id assignee_id giver state due told:integer changed_at document'),
  table('notice', 'n', 'n:integer id user_id is_read:integer created_at document'),
  table('summary', 'user_id', 'user_id next_at document'),
  table('day_count', 'schema_id day', 'schema_id day through:integer document'),
  table('file', 'sha256', 'sha256 state document unnamed_since was_named:integer'),
  table('file_upload', 'key', 'key uploaded_at'),
  table('kept_answer', 'kept_at', 'id request view kept_at content:bytes'),
  table(COUNTERS, 'name', 'name value:integer'),
]

/** The most rows of a slice that moves, and its most bytes of texts and blobs; a larger row is its own slice. */
export const MOVED_SLICE = { rows: 500, size: 1024 * 1024 }

/** Columns that repeat data of other columns for queries. They do not move: the target derives them. */
interface Derived {
  readonly columns: Readonly<Record<string, Kind>>
  readonly of: (cells: Readonly<Record<string, Cell>>) => readonly Cell[]
}

export type DerivedColumns = Readonly<Record<string, Derived>>

/** Table → its derived columns. */
export const DERIVED: DerivedColumns = {
  bulk_job: {
    columns: { owner_id: 'text', is_queued: 'boolean', completed_at: 'text' },
    of({ document }) {
      const { ownerId, status, completedAt } = JSON.parse(document as string) as BulkJob
      return [ownerId, status === 'queued', completedAt]
    },
  },
  export_feed: {
    columns: { feed: 'integer' },
    of: ({ state }) => [(JSON.parse(state as string) as Partial<FeedState>).delta?.feed ?? null],
  },
}

/** Adds the derived columns to a row. */
export function withDerived({ name, columns }: MovedTable, row: MovedRow, all: DerivedColumns): MovedRow {
  const derived = all[name]
  if (derived === undefined) return row
  return [...row, ...derived.of(Object.fromEntries(columns.map((column, index) => [column, row[index]!])))]
}
