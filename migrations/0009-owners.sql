-- What runs later has an owner: who made it. It keeps the role of its last writer (roleId), which the owner must have to run it, because
-- nobody knows who the last writer was. An API key and a user may have the same ID: the key is taken where there is no such user.
UPDATE export_job SET document = json_set(document,
  '$.ownerId', json_extract(document, '$.createdBy'),
  '$.ownerKind', iif(json_extract(document, '$.createdBy') IN (SELECT id FROM api_key)
    AND json_extract(document, '$.createdBy') NOT IN (SELECT id FROM user), 'apiKey', 'user'),
  '$.pausedReason', json('null'), '$.resumesWithOwner', json('false'));
UPDATE subscription SET document = json_set(document,
  '$.ownerId', json_extract(document, '$.createdBy'),
  '$.ownerKind', iif(json_extract(document, '$.createdBy') IN (SELECT id FROM api_key)
    AND json_extract(document, '$.createdBy') NOT IN (SELECT id FROM user), 'apiKey', 'user'));
-- Why a subscription was paused has a code.
UPDATE subscription SET state = json_set(state, '$.pausedReason',
  json_object('code', 'RECEIVER', 'message', json_extract(state, '$.pausedReason')))
  WHERE json_type(state, '$.pausedReason') = 'text';

DROP INDEX import_by_creator;
ALTER TABLE import RENAME COLUMN created_by TO owner_id;
CREATE INDEX import_by_owner ON import (owner_id, n);
UPDATE import SET document = json_set(document, '$.ownerId', owner_id);
