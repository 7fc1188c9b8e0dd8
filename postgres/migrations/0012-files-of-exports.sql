-- Files that a job has delivered beside its feeds, and what is told of them in its runs.
-- name: its hash, because names are made of values. digest: of the content, and of
-- the form in which it was sent. target: print of the place. Removed in parts when the job is gone.
CREATE TABLE export_file (
  job_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  digest text COLLATE "C" NOT NULL,
  target text COLLATE "C" NOT NULL,
  PRIMARY KEY (job_id, name)
);
ALTER TABLE export_run ADD COLUMN files text COLLATE "C";
UPDATE export_job SET document = left(document, -1) || ',"files":null}';
