-- Where people are at the moment. Nothing of it outlives the database: it is not logged.
CREATE UNLOGGED TABLE presence (
  user_id text COLLATE "C" PRIMARY KEY,
  record_id text COLLATE "C" NOT NULL,
  attribute_alias text COLLATE "C",
  until timestamptz NOT NULL
);
CREATE INDEX presence_by_record ON presence (record_id);
