-- What searches are answered from: it can be made again from the records.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- What the rows below have not seen yet: a record, or (with a schema) all records of it from a place on.
CREATE TABLE index_pending (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  record_n bigint,
  schema_id text COLLATE "C",
  next_n bigint NOT NULL DEFAULT 0
);
-- Where all of it is made anew: what it held of records up to one is taken away first, page by page of one table after another.
CREATE TABLE index_renewal (up_to bigint NOT NULL, stage integer NOT NULL, page bigint NOT NULL);

-- Numbers for attributes and scopes, and the scopes that values of an attribute have anywhere: negative where they are inherited.
-- Nothing is ever taken away, and n rises with each row: who knows the rows up to one reads on from there.
CREATE TABLE index_attribute (
  n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  schema_id text COLLATE "C" NOT NULL,
  alias text COLLATE "C" NOT NULL,
  UNIQUE (alias, schema_id)
);
CREATE TABLE index_scope (
  n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text COLLATE "C" NOT NULL UNIQUE
);
CREATE TABLE index_attribute_scope (
  n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  attribute integer NOT NULL,
  scope integer NOT NULL,
  UNIQUE (attribute, scope)
);

-- By the keys of values: numbers for what has an order, text for the rest. The planner knows how numbers of all attributes together are
-- spread, and so takes ranges for many times larger than they are: it would start processes for them, which takes longer than to read them.
CREATE TABLE value_num (
  attribute integer NOT NULL,
  scope integer NOT NULL,
  key double precision NOT NULL,
  record bigint NOT NULL,
  PRIMARY KEY (attribute, scope, key, record)
) WITH (parallel_workers = 0);
CREATE TABLE value_text (
  attribute integer NOT NULL,
  scope integer NOT NULL,
  key text COLLATE "C" NOT NULL,
  record bigint NOT NULL,
  PRIMARY KEY (attribute, scope, key, record)
);
-- The rows of both that each record has, to be looked through, and to be taken back by their exact keys.
CREATE TABLE record_cells (record bigint PRIMARY KEY, cells text COLLATE "C" NOT NULL);

-- The texts of a record, one after another; in large_text the records whose texts are too large for that.
CREATE TABLE record_text (record bigint PRIMARY KEY, folded text COLLATE "C" NOT NULL);
CREATE INDEX record_text_trgm ON record_text USING gin (folded gin_trgm_ops)
  WITH (fastupdate = on, gin_pending_list_limit = 4096);
CREATE TABLE large_text (record bigint PRIMARY KEY);
-- In how many of the records that are counted each trigram is.
CREATE TABLE trigram (t text COLLATE "C" PRIMARY KEY, n bigint NOT NULL);
