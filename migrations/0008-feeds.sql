-- What export jobs have had no member for.
UPDATE export_job SET document = json_insert(document,
  '$.variantValues', 'effective', '$.selection', json('null'), '$.sort', json('[]'), '$.columns', json('null'),
  '$.delimiter', ',', '$.decimal', '.', '$.bom', json('false'), '$.separator', '|', '$.sheet', json('null'),
  '$.xml', json('null'),
  '$.guards', json('null'), '$.checksum', json('null'), '$.delta', json('null'));

-- What runs tell of their files, and how long these are kept.
ALTER TABLE export_run ADD COLUMN kind TEXT;
ALTER TABLE export_run ADD COLUMN attempts INTEGER;
ALTER TABLE export_run ADD COLUMN sha256 TEXT;
ALTER TABLE export_run ADD COLUMN redelivers TEXT;
ALTER TABLE export_run ADD COLUMN kept_until TEXT;
ALTER TABLE export_run ADD COLUMN file TEXT;
CREATE INDEX export_run_kept ON export_run (job_id) WHERE kept_until IS NOT NULL;
-- Runs of a server, which nobody else tells of, have exported all.
UPDATE export_run SET kind = 'full' WHERE heard_at IS NULL;

-- What is known of the files that a job has delivered, as JSON: how many records the last full one had, and of deltas where they
-- go on.
CREATE TABLE export_feed (
  job_id TEXT PRIMARY KEY REFERENCES export_job (id) ON DELETE CASCADE,
  state TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO export_feed (job_id, state)
  SELECT job_id, json_object('fullCount', record_count, 'delta', json('null')) FROM (
    SELECT job_id, record_count, row_number() OVER (PARTITION BY job_id ORDER BY started_at DESC, n DESC) AS place
      FROM export_run WHERE kind = 'full' AND status = 'success' AND record_count IS NOT NULL)
   WHERE place = 1;
-- Of a job that delivers deltas the records that its destination may have: the last attempt whose file had it, and the last one
-- whose file said that it is gone. Removed in parts when the job is gone.
CREATE TABLE export_member (
  feed INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  present_in INTEGER NOT NULL,
  gone_in INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (feed, record_id)
) STRICT, WITHOUT ROWID;
INSERT INTO counter (name, value) VALUES ('export_feeds', 0);
