-- Files: what is known of them, and who has uploaded them.
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
