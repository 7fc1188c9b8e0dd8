-- Tables and columns have the names that they have in other storages. What belongs to a job or a subscription names it by its ID, and a
-- bulk job is a document, with columns beside it that are asked for.
ALTER TABLE user RENAME TO account;

ALTER TABLE export_feed ADD COLUMN feed INTEGER;
UPDATE export_feed SET feed = json_extract(state, '$.delta.feed');
CREATE INDEX export_run_by_start ON export_run (started_at, n);

DROP INDEX subscription_delivery_by_id;
DROP INDEX subscription_delivery_by_age;
ALTER TABLE subscription_delivery RENAME TO former_delivery;
CREATE TABLE subscription_delivery (
  n INTEGER PRIMARY KEY,
  subscription_id TEXT NOT NULL REFERENCES subscription (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT;
INSERT INTO subscription_delivery (n, subscription_id, id, document)
  SELECT former.n, subscription.id, former.id, former.document
    FROM former_delivery AS former JOIN subscription ON subscription.n = former.subscription_n ORDER BY former.n;
DROP TABLE former_delivery;
CREATE UNIQUE INDEX subscription_delivery_by_id ON subscription_delivery (subscription_id, id);
CREATE INDEX subscription_delivery_by_age ON subscription_delivery (subscription_id, n);

DROP INDEX bulk_job_by_owner;
DROP INDEX bulk_job_open;
DROP INDEX bulk_job_ended;
DROP INDEX bulk_item_arranged;
DROP INDEX bulk_error_by_record;
DROP INDEX bulk_sample_by_record;
ALTER TABLE bulk_item RENAME TO former_item;
ALTER TABLE bulk_error RENAME TO former_error;
ALTER TABLE bulk_sample RENAME TO former_sample;
ALTER TABLE bulk_waiting RENAME TO former_waiting;
ALTER TABLE bulk_job RENAME TO former_job;

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
INSERT INTO bulk_job (n, id, owner_id, is_queued, completed_at, document, task, samples)
  SELECT n, id, owner_id, status = 'queued', completed_at,
    json_object('id', id, 'name', name, 'kind', kind, 'status', status, 'dryRun', json(iif(dry_run, 'true', 'false')),
      'createdAt', created_at, 'startedAt', started_at, 'completedAt', completed_at, 'createdBy', created_by,
      'ownerId', owner_id, 'ownerKind', owner_kind, 'pausedReason', json(paused_reason), 'undoes', undoes, 'undoneBy', undone_by, 'isSelected', json(iif(is_selected, 'true', 'false')),
      'firstVersion', first_version, 'selected', selected, 'done', done, 'changed', changed, 'unchanged', unchanged,
      'failed', failed, 'created', created, 'updated', updated, 'importId', import_id, 'round', round, 'position', position,
      'recordsAfter', records_after),
    task, samples
    FROM former_job ORDER BY n;
CREATE INDEX bulk_job_by_owner ON bulk_job (owner_id, n);
CREATE INDEX bulk_job_open ON bulk_job (n) WHERE completed_at IS NULL;
CREATE INDEX bulk_job_ended ON bulk_job (completed_at) WHERE completed_at IS NOT NULL;

CREATE TABLE bulk_item (
  job_id TEXT NOT NULL REFERENCES bulk_job (id),
  place INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  is_changed INTEGER NOT NULL DEFAULT 0,
  arrangement TEXT,
  PRIMARY KEY (job_id, place)
) STRICT, WITHOUT ROWID;
INSERT INTO bulk_item (job_id, place, record_id, is_changed, arrangement)
  SELECT id, place, record_id, is_changed, arrangement FROM former_item JOIN former_job ON n = job_n ORDER BY id, place;
CREATE TABLE bulk_error (
  job_id TEXT NOT NULL REFERENCES bulk_job (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  record_id TEXT,
  error TEXT NOT NULL,
  message TEXT NOT NULL,
  line INTEGER,
  PRIMARY KEY (job_id, place)
) STRICT, WITHOUT ROWID;
INSERT INTO bulk_error (job_id, place, record_id, error, message, line)
  SELECT id, place, record_id, error, message, line FROM former_error JOIN former_job ON n = job_n ORDER BY id, place;
CREATE TABLE bulk_sample (
  job_id TEXT NOT NULL REFERENCES bulk_job (id) ON DELETE CASCADE,
  outcome TEXT NOT NULL,
  place INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  schema_id TEXT NOT NULL,
  changes TEXT NOT NULL,
  line INTEGER,
  PRIMARY KEY (job_id, outcome, place)
) STRICT, WITHOUT ROWID;
INSERT INTO bulk_sample (job_id, outcome, place, record_id, schema_id, changes, line)
  SELECT id, outcome, place, record_id, schema_id, changes, line
    FROM former_sample JOIN former_job ON n = job_n ORDER BY id, outcome, place;
CREATE TABLE bulk_waiting (
  job_id TEXT NOT NULL REFERENCES bulk_job (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  names_id TEXT,
  record_id TEXT,
  outcome TEXT,
  PRIMARY KEY (job_id, position)
) STRICT, WITHOUT ROWID;
INSERT INTO bulk_waiting (job_id, position, names_id, record_id, outcome)
  SELECT id, waiting.position, names_id, record_id, outcome
    FROM former_waiting AS waiting JOIN former_job ON n = job_n ORDER BY id, waiting.position;
CREATE INDEX bulk_item_arranged ON bulk_item (record_id) WHERE arrangement IS NOT NULL;
CREATE INDEX bulk_error_by_record ON bulk_error (record_id) WHERE record_id IS NOT NULL;
CREATE INDEX bulk_sample_by_record ON bulk_sample (record_id);
DROP TABLE former_waiting;
DROP TABLE former_sample;
DROP TABLE former_error;
DROP TABLE former_item;
DROP TABLE former_job;
