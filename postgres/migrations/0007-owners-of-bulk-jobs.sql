-- A bulk job has an owner, who may be another than who made it, and is paused where the owner may not do it.
-- Documents are changed as text: PostgreSQL reads no JSON with a NUL in it.
CREATE FUNCTION pg_temp.with_owner(document text) RETURNS text LANGUAGE sql AS $$
  SELECT left(regexp_replace(document, '"callerKind":', '"ownerKind":'), -1) || ',"ownerId":"' ||
    substring(document FROM '"createdBy":"([^"]+)"') || '","pausedReason":null}'
$$;
UPDATE bulk_job SET document = pg_temp.with_owner(document);
-- Those that have ended are told of in the feed as they are.
UPDATE event SET content = pg_temp.with_owner(content) WHERE kind = 'bulk';
DROP FUNCTION pg_temp.with_owner(text);

DROP INDEX bulk_job_by_creator;
ALTER TABLE bulk_job RENAME COLUMN created_by TO owner_id;
CREATE INDEX bulk_job_by_owner ON bulk_job (owner_id, n);
