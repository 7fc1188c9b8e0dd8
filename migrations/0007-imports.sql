-- What the columns of files mean that are imported, and the files: they lie beside the database.
CREATE TABLE import_profile (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
-- details: what lists leave out.
CREATE TABLE import (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  created_by TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  document TEXT NOT NULL,
  details TEXT NOT NULL
) STRICT;
CREATE INDEX import_by_creator ON import (created_by, n);
CREATE INDEX import_by_end ON import (expires_at);
-- Of imports: how many records were made and changed, the file, and how far it was read in which round.
ALTER TABLE bulk_job ADD COLUMN created INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bulk_job ADD COLUMN updated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bulk_job ADD COLUMN import_id TEXT;
ALTER TABLE bulk_job ADD COLUMN round INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bulk_job ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bulk_error ADD COLUMN line INTEGER;
ALTER TABLE bulk_sample ADD COLUMN line INTEGER;
-- Rows of a file that name records which were not there yet. record_id, outcome: of what was written of them without these.
CREATE TABLE bulk_waiting (
  job_n INTEGER NOT NULL REFERENCES bulk_job (n) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  names_id TEXT,
  record_id TEXT,
  outcome TEXT,
  PRIMARY KEY (job_n, position)
) STRICT, WITHOUT ROWID;
-- Imports name categories by their paths.
CREATE INDEX category_by_name ON category (name, parent_id);
