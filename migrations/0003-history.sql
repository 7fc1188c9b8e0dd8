-- What a deletion takes away beside values and categories, so that the record can come back; and which deletions have it.
-- Those of 0.2.0 have not: what they deleted stays deleted.
ALTER TABLE audit ADD COLUMN removed TEXT;
CREATE INDEX audit_of_deletions ON audit (sequence) WHERE removed IS NOT NULL;
