-- What is known of files, whose bytes are kept elsewhere under their hash. unnamed_since: since when no value names the file; null:
-- a value may name it; '': since a moment after the last look. was_named: a value has named it, so that history may name it.
CREATE TABLE file (
  sha256 text COLLATE "C" PRIMARY KEY,
  state text COLLATE "C" NOT NULL,
  document text COLLATE "C" NOT NULL,
  unnamed_since text COLLATE "C",
  was_named integer NOT NULL
);
CREATE INDEX file_unnamed ON file (unnamed_since) WHERE unnamed_since IS NOT NULL;
CREATE INDEX file_leaving ON file (sha256) WHERE state = 'leaving';
-- Who may name a file that no value names yet. key: hash and caller.
CREATE TABLE file_upload (key text COLLATE "C" PRIMARY KEY, uploaded_at text COLLATE "C" NOT NULL);
CREATE INDEX file_upload_by_age ON file_upload (uploaded_at);
