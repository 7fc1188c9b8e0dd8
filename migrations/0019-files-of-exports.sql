-- Files that a job has delivered beside its feeds, and what is told of them in its runs.
-- name: its hash, because names are made of values. digest: of the content, and of
-- the form in which it was sent. target: print of the place. Removed in parts when the job is gone.
CREATE TABLE export_file (
  job_id TEXT NOT NULL,
  name TEXT NOT NULL,
  digest TEXT NOT NULL,
  target TEXT NOT NULL,
  PRIMARY KEY (job_id, name)
) STRICT, WITHOUT ROWID;
ALTER TABLE export_run ADD COLUMN files TEXT;
UPDATE export_job SET document = json_insert(document, '$.files', json('null'));
