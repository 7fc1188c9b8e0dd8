-- What searches are answered from: it can be made again from the records.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- What the rows below have not seen yet: a record, or (with a schema) all records of it.
CREATE TABLE index_pending (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  record_n bigint,
  schema_id text COLLATE "C"
);
CREATE TABLE value_num (
  attribute integer NOT NULL,
  scope integer NOT NULL,
  key double precision NOT NULL,
  record bigint NOT NULL,
  PRIMARY KEY (attribute, scope, key, record)
);
CREATE TABLE value_text (
  attribute integer NOT NULL,
  scope integer NOT NULL,
  key text COLLATE "C" NOT NULL,
  record bigint NOT NULL,
  PRIMARY KEY (attribute, scope, key, record)
);
CREATE TABLE record_text (record bigint PRIMARY KEY, folded text COLLATE "C" NOT NULL);
CREATE INDEX record_text_trgm ON record_text USING gin (folded gin_trgm_ops)
  WITH (fastupdate = on, gin_pending_list_limit = 4096);
