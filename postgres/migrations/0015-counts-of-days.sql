-- Counts of records by schema and day. through: the last entry of the audit trail that was counted when the row was written.
CREATE TABLE day_count (
  schema_id text COLLATE "C" NOT NULL,
  day text COLLATE "C" NOT NULL,
  through bigint NOT NULL,
  document text COLLATE "C" NOT NULL,
  PRIMARY KEY (schema_id, day)
);
CREATE INDEX day_count_by_through ON day_count (through, day);
CREATE INDEX day_count_by_day ON day_count (day);
