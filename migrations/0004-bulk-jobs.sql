-- Jobs that change many records in the background.
CREATE TABLE bulk_job (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  dry_run INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  started_at TEXT,
  completed_at TEXT,
  created_by TEXT NOT NULL,
  caller_kind TEXT NOT NULL,
  undoes TEXT,
  undone_by TEXT,
  is_selected INTEGER NOT NULL,
  first_version INTEGER,
  selected INTEGER NOT NULL,
  done INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  task TEXT NOT NULL,
  samples TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX bulk_job_by_creator ON bulk_job (created_by, n);
CREATE INDEX bulk_job_open ON bulk_job (n) WHERE completed_at IS NULL;
CREATE INDEX bulk_job_ended ON bulk_job (completed_at) WHERE completed_at IS NOT NULL;

CREATE TABLE bulk_item (
  job_n INTEGER NOT NULL REFERENCES bulk_job (n),
  place INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  is_changed INTEGER NOT NULL DEFAULT 0,
  arrangement TEXT,
  PRIMARY KEY (job_n, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE bulk_error (
  job_n INTEGER NOT NULL REFERENCES bulk_job (n) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  record_id TEXT,
  error TEXT NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (job_n, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE bulk_sample (
  job_n INTEGER NOT NULL REFERENCES bulk_job (n) ON DELETE CASCADE,
  outcome TEXT NOT NULL,
  place INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  schema_id TEXT NOT NULL,
  changes TEXT NOT NULL,
  PRIMARY KEY (job_n, outcome, place)
) STRICT, WITHOUT ROWID;
