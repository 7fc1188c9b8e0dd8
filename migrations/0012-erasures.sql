-- The history of a record can be erased: which are under way, and where bulk jobs say something of the record.
CREATE TABLE erasure (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
CREATE TABLE blank (n INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT;
CREATE INDEX bulk_item_arranged ON bulk_item (record_id) WHERE arrangement IS NOT NULL;
CREATE INDEX bulk_error_by_record ON bulk_error (record_id) WHERE record_id IS NOT NULL;
CREATE INDEX bulk_sample_by_record ON bulk_sample (record_id);
