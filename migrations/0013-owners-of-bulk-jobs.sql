-- A bulk job has an owner, who may be another than who made it, and is paused where the owner may not do it.
ALTER TABLE bulk_job RENAME COLUMN caller_kind TO owner_kind;
ALTER TABLE bulk_job ADD COLUMN owner_id TEXT NOT NULL DEFAULT '';
ALTER TABLE bulk_job ADD COLUMN paused_reason TEXT;
UPDATE bulk_job SET owner_id = created_by;
DROP INDEX bulk_job_by_creator;
CREATE INDEX bulk_job_by_owner ON bulk_job (owner_id, n);
-- Those that have ended are told of in the feed as they are.
UPDATE event SET content = json_set(json_remove(content, '$.callerKind'), '$.ownerId', json_extract(content, '$.createdBy'),
  '$.ownerKind', json_extract(content, '$.callerKind'), '$.pausedReason', json('null')) WHERE kind = 'bulk';
