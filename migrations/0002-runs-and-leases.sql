-- Which server performs a run, and that only one of a job's runs is performed at a time. What 0.2.0 left at `running` has no
-- owner: the next start ends it.
ALTER TABLE export_run ADD COLUMN owner TEXT;
ALTER TABLE export_run ADD COLUMN heartbeat_at TEXT;
ALTER TABLE export_run ADD COLUMN term INTEGER;
ALTER TABLE export_run ADD COLUMN cancel_requested INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX export_run_performed ON export_run (job_id) WHERE status = 'running' AND owner IS NOT NULL;
