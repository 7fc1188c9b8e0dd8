-- What runs later has an owner: who made it. It keeps the role of its last writer (roleId), which the owner must have to run it, because
-- nobody knows who the last writer was. An API key and a user may have the same ID: the key is taken where there is no such user.
-- Documents are changed as text: PostgreSQL reads no JSON with a NUL in it.
CREATE FUNCTION pg_temp.with_owner(document text) RETURNS text LANGUAGE sql AS $$
  SELECT left(document, -1) || ',"ownerId":"' || id || '","ownerKind":"' ||
    CASE WHEN EXISTS (SELECT 1 FROM api_key WHERE api_key.id = made_by.id)
      AND NOT EXISTS (SELECT 1 FROM account WHERE account.id = made_by.id)
    THEN 'apiKey' ELSE 'user' END || '"'
    FROM (SELECT substring(document FROM '.*"createdBy":"([^"]+)"') AS id) AS made_by
$$;
UPDATE export_job SET document = pg_temp.with_owner(document) || ',"pausedReason":null,"resumesWithOwner":false}';
UPDATE subscription SET document = pg_temp.with_owner(document) || '}';
DROP FUNCTION pg_temp.with_owner(text);
-- Why a subscription was paused has a code.
UPDATE subscription SET state = regexp_replace(state, '"pausedReason":("(?:[^"\\]|\\.)*")',
  '"pausedReason":{"code":"RECEIVER","message":\1}');

DROP INDEX import_by_creator;
ALTER TABLE import RENAME COLUMN created_by TO owner_id;
CREATE INDEX import_by_owner ON import (owner_id, n);
UPDATE import SET document = left(document, -1) || ',"ownerId":"' || owner_id || '"}';
