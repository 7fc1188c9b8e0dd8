-- The database of one workspace, as a new one is made. An existing one reaches the same state by the numbered files in
-- migrations/; a test compares both roads. The search index is a file of its own (src/storage/sqlite/search-index):
-- it holds nothing that cannot be made again from this one.

-- Resources of which a workspace has few are JSON documents.
CREATE TABLE dimension (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
CREATE TABLE workflow  (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
CREATE TABLE schema    (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
CREATE TABLE role      (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
CREATE TABLE catalog   (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
CREATE TABLE saved_query (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
-- Changes of a schema or dimension that stored records have to follow, while they are under way. The cursor is the last
-- record that the present stage has dealt with.
CREATE TABLE model_change (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  document TEXT NOT NULL,
  "cursor" INTEGER NOT NULL DEFAULT 0
) STRICT;
-- The secrets in the document are encrypted.
CREATE TABLE export_job (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;

CREATE TABLE "account" (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  username TEXT NOT NULL UNIQUE,
  document TEXT NOT NULL
) STRICT;

CREATE TABLE api_key (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL UNIQUE,
  document TEXT NOT NULL
) STRICT;

-- A rowid table: a point read costs half of what it does WITHOUT ROWID. n is the order of creation.
CREATE TABLE record (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  schema_id TEXT NOT NULL REFERENCES schema (id),
  parent_id TEXT REFERENCES record (id),
  state_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  updated_by TEXT NOT NULL,
  "values" TEXT NOT NULL
) STRICT;
CREATE INDEX record_by_schema_and_state ON record (schema_id, state_id, n);
CREATE INDEX record_by_parent ON record (parent_id, n) WHERE parent_id IS NOT NULL;

-- Kept, not counted: lists and the record limit ask for totals all the time.
CREATE TABLE record_count (
  schema_id TEXT NOT NULL,
  state_id TEXT NOT NULL,
  is_variant INTEGER NOT NULL,
  records INTEGER NOT NULL,
  PRIMARY KEY (schema_id, state_id, is_variant)
) STRICT, WITHOUT ROWID;

CREATE TABLE unique_value (
  schema_id TEXT NOT NULL,
  alias TEXT NOT NULL,
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  record_id TEXT NOT NULL,
  PRIMARY KEY (schema_id, alias, scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX unique_value_by_record ON unique_value (record_id);

-- Which values name a record, which need not exist: those of data types that refer to records. As far as one deletion, one page and
-- one permission ask for them, they lie together.
CREATE TABLE record_reference (
  target_id TEXT NOT NULL,
  schema_id TEXT NOT NULL,
  alias TEXT NOT NULL,
  record_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  PRIMARY KEY (target_id, schema_id, alias, record_id, scope)
) STRICT, WITHOUT ROWID;

-- The audit trail and change feed; it outlives its records, so it references none. changes: null as JSON where they are erased.
-- removed: of a deletion, what its changes do not say of the record, so that it can come back.
CREATE TABLE audit (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  schema_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  action TEXT NOT NULL,
  -- What made the change, and the job that did where there was one.
  origin TEXT NOT NULL,
  origin_id TEXT,
  changes TEXT NOT NULL
, removed TEXT) STRICT;
-- The sequence is the version of the record that an entry leads to.
CREATE INDEX audit_by_record ON audit (record_id, sequence);
CREATE INDEX audit_of_deletions ON audit (sequence) WHERE removed IS NOT NULL;

-- Histories of records that are being erased.
CREATE TABLE erasure (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
-- For a while, zeros in pages that were free: so that what they held is gone.
CREATE TABLE blank (n INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT;

-- What happens in the workspace besides changes of records: it stands between the entries of the audit trail, numbered with them.
CREATE TABLE event (
  sequence INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX event_by_kind ON event (kind, sequence);

-- Who is told of what happens. The secrets in the document are encrypted; state: how far it has come, as JSON.
CREATE TABLE subscription (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  document TEXT NOT NULL,
  state TEXT NOT NULL
) STRICT;
CREATE TABLE subscription_delivery (
  n INTEGER PRIMARY KEY,
  subscription_id TEXT NOT NULL REFERENCES subscription (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX subscription_delivery_by_id ON subscription_delivery (subscription_id, id);
CREATE INDEX subscription_delivery_by_age ON subscription_delivery (subscription_id, n);

-- names: by language, as JSON; NULL: none.
CREATE TABLE category (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  catalog_id TEXT NOT NULL REFERENCES catalog (id),
  parent_id TEXT REFERENCES category (id),
  name TEXT NOT NULL,
  sort_order REAL NOT NULL
, names TEXT) STRICT;
CREATE INDEX category_by_catalog ON category (catalog_id, sort_order, n);
CREATE INDEX category_by_parent ON category (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX category_by_name ON category (name, parent_id);

CREATE TABLE assignment (
  category_id TEXT NOT NULL REFERENCES category (id) ON DELETE CASCADE,
  sort_order REAL NOT NULL,
  record_n INTEGER NOT NULL REFERENCES record (n) ON DELETE CASCADE,
  PRIMARY KEY (category_id, sort_order, record_n)
) STRICT, WITHOUT ROWID;
CREATE INDEX assignment_by_record ON assignment (record_n);

-- owner, heartbeat_at, term: of a run that a server performs, which one it is, when it last said so, and under which term of
-- its lease. cancel_requested: somebody at another server wants it ended. file: what is known of the file that was rendered, as JSON;
-- kept_until: it lies in the spool till then, to be delivered again.
-- files: what is told of the files that went with it, as JSON.
CREATE TABLE export_run (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  job_id TEXT NOT NULL REFERENCES export_job (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  started_at TEXT NOT NULL,
  completed_at TEXT,
  record_count INTEGER,
  file_size INTEGER,
  destination_path TEXT,
  error TEXT,
  -- When its runner was last heard of. NULL: a run of this server, which is heard of as long as it lives.
  heard_at TEXT
, owner TEXT, heartbeat_at TEXT, term INTEGER, cancel_requested INTEGER NOT NULL DEFAULT 0, kind TEXT, attempts INTEGER, sha256 TEXT, redelivers TEXT, kept_until TEXT, file TEXT, files TEXT) STRICT;
CREATE INDEX export_run_by_job ON export_run (job_id, started_at, n);
CREATE INDEX export_run_by_start ON export_run (started_at, n);
CREATE INDEX export_run_running ON export_run (job_id) WHERE status = 'running';
-- Of the runs that servers perform a job has one at a time. What others tell of is theirs.
CREATE UNIQUE INDEX export_run_performed ON export_run (job_id) WHERE status = 'running' AND owner IS NOT NULL;

CREATE INDEX export_run_kept ON export_run (job_id) WHERE kept_until IS NOT NULL;
-- What is known of the files that a job has delivered, as JSON: how many records the last full one had, and of deltas where they
-- go on. feed: of its deltas, once more.
CREATE TABLE export_feed (
  job_id TEXT PRIMARY KEY REFERENCES export_job (id) ON DELETE CASCADE,
  state TEXT NOT NULL
, feed INTEGER) STRICT, WITHOUT ROWID;

-- Of a job that delivers deltas the records that its destination may have: the last attempt whose file had it, and the last one
-- whose file said that it is gone. Removed in parts when the job is gone.
CREATE TABLE export_member (
  feed INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  present_in INTEGER NOT NULL,
  gone_in INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (feed, record_id)
) STRICT, WITHOUT ROWID;

-- What a fault may have left at the destination of a job: an upload, a temporary file.
CREATE TABLE export_leftover (
  job_id TEXT NOT NULL REFERENCES export_job (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY (job_id, name)
) STRICT, WITHOUT ROWID;

-- Files that a job has delivered beside its feeds. name: its hash, because names are made of values. digest: of the
-- content, and of the form in which it was sent. target: print of the place. Removed in parts when the job is gone.
CREATE TABLE export_file (
  job_id TEXT NOT NULL,
  name TEXT NOT NULL,
  digest TEXT NOT NULL,
  target TEXT NOT NULL,
  PRIMARY KEY (job_id, name)
) STRICT, WITHOUT ROWID;

-- The forms in which pictures are rendered.
CREATE TABLE rendition_preset (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
-- What the key of all public addresses is made of, besides a key of the data directory.
CREATE TABLE public_addresses (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
-- Templates of product sheets, and links to sheets: the ID of a link is the beginning of the hash of its token.
CREATE TABLE sheet_template (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
CREATE TABLE sheet_link (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
-- Counts of records by schema and day. through: the last entry of the audit trail that was counted when the row was written.
CREATE TABLE day_count (
  schema_id TEXT NOT NULL,
  day TEXT NOT NULL,
  through INTEGER NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (schema_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX day_count_by_through ON day_count (through, day);
CREATE INDEX day_count_by_day ON day_count (day);
-- What the columns of files mean that are imported, and the files: they lie beside the database.
CREATE TABLE import_profile (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
-- details: what lists leave out.
CREATE TABLE import (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  owner_id TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  document TEXT NOT NULL,
  details TEXT NOT NULL
) STRICT;
CREATE INDEX import_by_owner ON import (owner_id, n);
CREATE INDEX import_by_end ON import (expires_at);

-- Jobs that change many records in the background. owner_id, is_queued, completed_at: of the document, once more. task: what to do
-- with which records, as JSON; samples: how many of each outcome are kept, and how large they are together.
CREATE TABLE bulk_job (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  owner_id TEXT NOT NULL,
  is_queued INTEGER NOT NULL,
  completed_at TEXT,
  document TEXT NOT NULL,
  task TEXT NOT NULL,
  samples TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX bulk_job_by_owner ON bulk_job (owner_id, n);
CREATE INDEX bulk_job_open ON bulk_job (n) WHERE completed_at IS NULL;
CREATE INDEX bulk_job_ended ON bulk_job (completed_at) WHERE completed_at IS NOT NULL;

-- The records of a job in the order in which it deals with them: fixed at its start, kept for an undo. arrangement: how the values
-- of the record were arranged, where its audit entries do not say so.
CREATE TABLE bulk_item (
  job_id TEXT NOT NULL REFERENCES bulk_job (id),
  place INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  is_changed INTEGER NOT NULL DEFAULT 0,
  arrangement TEXT,
  PRIMARY KEY (job_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE bulk_error (
  job_id TEXT NOT NULL REFERENCES bulk_job (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  record_id TEXT,
  error TEXT NOT NULL,
  message TEXT NOT NULL,
  line INTEGER, file TEXT,
  PRIMARY KEY (job_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE bulk_sample (
  job_id TEXT NOT NULL REFERENCES bulk_job (id) ON DELETE CASCADE,
  outcome TEXT NOT NULL,
  place INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  schema_id TEXT NOT NULL,
  changes TEXT NOT NULL,
  line INTEGER, file TEXT, file_place INTEGER,
  PRIMARY KEY (job_id, outcome, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX bulk_item_arranged ON bulk_item (record_id) WHERE arrangement IS NOT NULL;
CREATE INDEX bulk_error_by_record ON bulk_error (record_id) WHERE record_id IS NOT NULL;
CREATE INDEX bulk_sample_by_record ON bulk_sample (record_id);
-- Rows of a file that name records which were not there yet. record_id, outcome: of what was written of them without these.
CREATE TABLE bulk_waiting (
  job_id TEXT NOT NULL REFERENCES bulk_job (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  names_id TEXT,
  record_id TEXT,
  outcome TEXT,
  PRIMARY KEY (job_id, position)
) STRICT, WITHOUT ROWID;
-- Answers that are kept under the Idempotency-Key of their request. The content is sealed; `id` and `request` are digests.
CREATE TABLE kept_answer (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  request TEXT NOT NULL,
  view TEXT NOT NULL,
  kept_at TEXT NOT NULL,
  content BLOB NOT NULL
) STRICT;
CREATE INDEX kept_answer_by_age ON kept_answer (kept_at);
-- What callers keep for themselves, by kind and ID of the user or API key.
CREATE TABLE preference (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;

-- What is known of files, whose bytes are kept elsewhere under their hash. unnamed_since: since when no value names the file; null:
-- a value may name it; '': since a moment after the last look. was_named: a value has named it, so that history may name it.
CREATE TABLE file (
  sha256 TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  document TEXT NOT NULL,
  unnamed_since TEXT,
  was_named INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX file_unnamed ON file (unnamed_since) WHERE unnamed_since IS NOT NULL;
CREATE INDEX file_leaving ON file (sha256) WHERE state = 'leaving';
-- Who may name a file that no value names yet. key: hash and caller.
CREATE TABLE file_upload (key TEXT PRIMARY KEY, uploaded_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX file_upload_by_age ON file_upload (uploaded_at);

-- Comments on records and on their values. alias: null is the whole record. scope: in the form of scopeKey. thread_n: the
-- comment that begins the thread; null: this one. is_open: 1 for a comment that begins an unresolved thread.
CREATE TABLE comment (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  record_id TEXT NOT NULL,
  schema_id TEXT NOT NULL,
  alias TEXT,
  scope TEXT NOT NULL,
  thread_n INTEGER,
  is_open INTEGER NOT NULL,
  author TEXT NOT NULL,
  created_at TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE INDEX comment_by_record ON comment (record_id, n);
CREATE INDEX comment_open ON comment (record_id, schema_id, alias, scope) WHERE is_open = 1;
CREATE INDEX comment_by_thread ON comment (thread_n) WHERE thread_n IS NOT NULL;
CREATE INDEX comment_by_attribute ON comment (schema_id, alias) WHERE alias IS NOT NULL;
-- Who follows the comments of a record. follows: 0 is somebody who does not want to.
CREATE TABLE follower (
  record_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  follows INTEGER NOT NULL,
  PRIMARY KEY (record_id, user_id)
) STRICT, WITHOUT ROWID;
-- Records that people have to work on. giver: kind and ID. due: a day, 9999-12-31 for none. told: 1 of the day before, 2 of
-- the day after.
CREATE TABLE work_assignment (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  record_id TEXT NOT NULL,
  assignee_id TEXT NOT NULL,
  giver TEXT NOT NULL,
  state TEXT NOT NULL,
  due TEXT NOT NULL,
  told INTEGER NOT NULL,
  changed_at TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE INDEX work_assignment_by_record ON work_assignment (record_id, state, due, n);
CREATE INDEX work_assignment_by_assignee ON work_assignment (assignee_id, state, due, n);
CREATE INDEX work_assignment_by_giver ON work_assignment (giver, state, due, n);
CREATE INDEX work_assignment_due ON work_assignment (told, due) WHERE state = 'open' AND told < 2;
CREATE INDEX work_assignment_ended ON work_assignment (changed_at) WHERE state <> 'open';
-- What people are told. The ID is unique for a person.
CREATE TABLE notice (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  is_read INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  document TEXT NOT NULL,
  UNIQUE (user_id, id)
) STRICT;
CREATE INDEX notice_by_user ON notice (user_id, n);
CREATE INDEX notice_unread ON notice (user_id, n) WHERE is_read = 0;
CREATE INDEX notice_by_age ON notice (created_at);
-- What people chose of notices, by the ID of the user.
CREATE TABLE notice_setting (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
-- The way of messages to people: one row at most, with encrypted secrets.
CREATE TABLE messenger (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
-- Daily summaries by user. next_at: 9999-12-31T23:59:59.999Z for none.
CREATE TABLE summary (
  user_id TEXT PRIMARY KEY,
  next_at TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX summary_due ON summary (next_at);

-- What the search index has not seen yet: a record, or (with a schema) all records of it. The last row stays, so that
-- sequences never start again.
CREATE TABLE index_pending (
  sequence INTEGER PRIMARY KEY,
  record_n INTEGER,
  schema_id TEXT
) STRICT;

-- `model` rises with each change of a dimension, workflow, schema or role, and when one begins or ends that records have to
-- follow: threads that cache the model compare it.
-- `workspace` tells this database from every other: a search index that was made from another one is of no use.
-- `kept_answers`: bytes of all of them, kept so that nobody has to count.
CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO counter (name, value) VALUES ('model', 0), ('workspace', abs(random() % 2147483647)), ('kept_answers', 0), ('export_feeds', 0);
