-- A workspace in PostgreSQL: everything but what searches are answered from (0002). All text is compared by code points.
-- Numbers named n are places in the order of creation; they, sequences and versions come from the workspace row, whose lock
-- makes one writer of many: what is numbered under it has no gaps in time.
CREATE TABLE workspace (
  only_one integer PRIMARY KEY CHECK (only_one = 1),
  schema_version integer NOT NULL,
  -- The last that was given.
  version bigint NOT NULL,
  n bigint NOT NULL,
  -- How many there are, kept so that nobody has to count.
  records bigint NOT NULL,
  kept_answer_bytes bigint NOT NULL,
  export_feeds bigint NOT NULL,
  -- Each rises with every change of what it is named for: whoever keeps that in memory compares it.
  model bigint NOT NULL,
  credentials bigint NOT NULL,
  jobs bigint NOT NULL,
  -- Tells this workspace from every other.
  identity text COLLATE "C" NOT NULL,
  -- Made from the keys that every server of this workspace has to have, which it does not tell.
  key_print text COLLATE "C"
) WITH (fillfactor = 10);
INSERT INTO workspace VALUES (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, gen_random_uuid()::text, NULL);

-- Resources of which a workspace has few are JSON documents. As text: jsonb refuses some characters and rewrites numbers.
CREATE TABLE dimension (n bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, document text COLLATE "C" NOT NULL);
CREATE TABLE workflow (n bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, document text COLLATE "C" NOT NULL);
CREATE TABLE schema (n bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, document text COLLATE "C" NOT NULL);
CREATE TABLE role (n bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, document text COLLATE "C" NOT NULL);
CREATE TABLE catalog (n bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, document text COLLATE "C" NOT NULL);
CREATE TABLE saved_query (n bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, document text COLLATE "C" NOT NULL);
CREATE TABLE export_job (n bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, document text COLLATE "C" NOT NULL);
CREATE TABLE import_profile (n bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, document text COLLATE "C" NOT NULL);
CREATE TABLE preference (n bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, document text COLLATE "C" NOT NULL);
-- The cursor is the last record that the present stage has dealt with.
CREATE TABLE model_change (
  n bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  document text COLLATE "C" NOT NULL,
  cursor bigint NOT NULL DEFAULT 0,
  -- Of one that no job makes: the server that does.
  owner text COLLATE "C"
);
CREATE TABLE account (
  n bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  username text COLLATE "C" NOT NULL UNIQUE,
  document text COLLATE "C" NOT NULL
);
CREATE TABLE api_key (
  n bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  hash text COLLATE "C" NOT NULL UNIQUE,
  document text COLLATE "C" NOT NULL
);

-- What it refers to is looked at by those who write, under the workspace row's lock: foreign keys would look again for each row.
CREATE TABLE record (
  n bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  schema_id text COLLATE "C" NOT NULL,
  parent_id text COLLATE "C",
  state_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  vals text COLLATE "C" NOT NULL
);
CREATE INDEX record_by_schema_and_state ON record (schema_id, state_id, n);
CREATE INDEX record_by_parent ON record (parent_id, n) WHERE parent_id IS NOT NULL;

CREATE TABLE record_count (
  schema_id text COLLATE "C" NOT NULL,
  state_id text COLLATE "C" NOT NULL,
  is_variant boolean NOT NULL,
  records bigint NOT NULL,
  PRIMARY KEY (schema_id, state_id, is_variant)
) WITH (fillfactor = 50);

-- key: SHA-256 of the value's key, which may be long.
CREATE TABLE unique_value (
  schema_id text COLLATE "C" NOT NULL,
  alias text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  key bytea NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (schema_id, alias, scope, key)
);
CREATE INDEX unique_value_by_record ON unique_value (record_id);

-- The audit trail; it outlives its records. The sequence is the version of the record that an entry leads to.
CREATE TABLE audit (
  sequence bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  schema_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  timestamp text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL,
  origin text COLLATE "C" NOT NULL,
  origin_id text COLLATE "C",
  changes text COLLATE "C" NOT NULL,
  removed text COLLATE "C"
);
CREATE INDEX audit_by_record ON audit (record_id, sequence);
CREATE INDEX audit_of_deletions ON audit (sequence) WHERE removed IS NOT NULL;

-- What happens besides changes of records; numbered with the audit trail.
CREATE TABLE event (
  sequence bigint PRIMARY KEY,
  kind text COLLATE "C" NOT NULL,
  timestamp text COLLATE "C" NOT NULL,
  content text COLLATE "C" NOT NULL
);
CREATE INDEX event_by_kind ON event (kind, sequence);

CREATE TABLE subscription (
  n bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  document text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL
);
CREATE TABLE subscription_delivery (
  n bigint PRIMARY KEY,
  subscription_id text COLLATE "C" NOT NULL REFERENCES subscription (id) ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  document text COLLATE "C" NOT NULL,
  UNIQUE (subscription_id, id)
);
CREATE INDEX subscription_delivery_by_age ON subscription_delivery (subscription_id, n);

CREATE TABLE category (
  n bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  catalog_id text COLLATE "C" NOT NULL,
  parent_id text COLLATE "C",
  name text COLLATE "C" NOT NULL,
  -- By language, as JSON.
  names text COLLATE "C",
  sort_order double precision NOT NULL
);
CREATE INDEX category_by_catalog ON category (catalog_id, sort_order, n);
CREATE INDEX category_by_parent ON category (parent_id) WHERE parent_id IS NOT NULL;
-- By a hash: names may be longer than what a b-tree takes.
CREATE INDEX category_by_name ON category USING hash (name);
CREATE TABLE assignment (
  category_id text COLLATE "C" NOT NULL REFERENCES category (id) ON DELETE CASCADE,
  sort_order double precision NOT NULL,
  record_n bigint NOT NULL REFERENCES record (n) ON DELETE CASCADE,
  PRIMARY KEY (category_id, sort_order, record_n)
);
CREATE INDEX assignment_by_record ON assignment (record_n);

CREATE TABLE export_run (
  n bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  job_id text COLLATE "C" NOT NULL REFERENCES export_job (id) ON DELETE CASCADE,
  status text COLLATE "C" NOT NULL,
  started_at text COLLATE "C" NOT NULL,
  completed_at text COLLATE "C",
  record_count bigint,
  file_size bigint,
  destination_path text COLLATE "C",
  error text COLLATE "C",
  kind text COLLATE "C",
  attempts bigint,
  sha256 text COLLATE "C",
  redelivers text COLLATE "C",
  kept_until text COLLATE "C",
  file text COLLATE "C",
  -- When somebody else told of it last.
  heard_at text COLLATE "C",
  -- Of a run that a server performs: which one, when it last said so, and under which term of its lease.
  owner text COLLATE "C",
  heartbeat_at text COLLATE "C",
  term bigint,
  cancel_requested boolean NOT NULL DEFAULT false
);
CREATE INDEX export_run_by_job ON export_run (job_id, started_at, n);
CREATE INDEX export_run_by_start ON export_run (started_at, n);
CREATE INDEX export_run_running ON export_run (job_id) WHERE status = 'running';
CREATE UNIQUE INDEX export_run_performed ON export_run (job_id) WHERE status = 'running' AND owner IS NOT NULL;
CREATE INDEX export_run_kept ON export_run (job_id) WHERE kept_until IS NOT NULL;
CREATE TABLE export_feed (
  job_id text COLLATE "C" PRIMARY KEY REFERENCES export_job (id) ON DELETE CASCADE,
  -- JSON, and the feed of its deltas beside it.
  state text COLLATE "C" NOT NULL,
  feed bigint
);
CREATE TABLE export_member (
  feed bigint NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  present_in bigint NOT NULL,
  gone_in bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (feed, record_id)
);
CREATE TABLE export_leftover (
  job_id text COLLATE "C" NOT NULL REFERENCES export_job (id) ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  PRIMARY KEY (job_id, name)
);

CREATE TABLE import (
  n bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  created_by text COLLATE "C" NOT NULL,
  expires_at text COLLATE "C" NOT NULL,
  document text COLLATE "C" NOT NULL,
  details text COLLATE "C" NOT NULL
);
CREATE INDEX import_by_creator ON import (created_by, n);
CREATE INDEX import_by_end ON import (expires_at);
-- The content of its file: every server has to have it. Of the owner is known whether it still lives: until the file has an import.
CREATE TABLE import_piece (
  name text COLLATE "C" NOT NULL,
  place integer NOT NULL,
  owner text COLLATE "C" NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (name, place)
);

CREATE TABLE bulk_job (
  n bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  created_by text COLLATE "C" NOT NULL,
  is_queued boolean NOT NULL,
  completed_at text COLLATE "C",
  document text COLLATE "C" NOT NULL,
  task text COLLATE "C" NOT NULL,
  samples text COLLATE "C" NOT NULL DEFAULT '{}'
);
CREATE INDEX bulk_job_by_creator ON bulk_job (created_by, n);
CREATE INDEX bulk_job_open ON bulk_job (n) WHERE completed_at IS NULL;
CREATE INDEX bulk_job_ended ON bulk_job (completed_at) WHERE completed_at IS NOT NULL;
CREATE TABLE bulk_item (
  job_id text COLLATE "C" NOT NULL REFERENCES bulk_job (id),
  place bigint NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  is_changed boolean NOT NULL DEFAULT false,
  arrangement text COLLATE "C",
  PRIMARY KEY (job_id, place)
);
CREATE TABLE bulk_error (
  job_id text COLLATE "C" NOT NULL REFERENCES bulk_job (id) ON DELETE CASCADE,
  place bigint NOT NULL,
  record_id text COLLATE "C",
  error text COLLATE "C" NOT NULL,
  message text COLLATE "C" NOT NULL,
  line bigint,
  PRIMARY KEY (job_id, place)
);
CREATE TABLE bulk_sample (
  job_id text COLLATE "C" NOT NULL REFERENCES bulk_job (id) ON DELETE CASCADE,
  outcome text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  schema_id text COLLATE "C" NOT NULL,
  changes text COLLATE "C" NOT NULL,
  line bigint,
  PRIMARY KEY (job_id, outcome, place)
);
CREATE TABLE bulk_waiting (
  job_id text COLLATE "C" NOT NULL REFERENCES bulk_job (id) ON DELETE CASCADE,
  position bigint NOT NULL,
  names_id text COLLATE "C",
  record_id text COLLATE "C",
  outcome text COLLATE "C",
  PRIMARY KEY (job_id, position)
);

CREATE TABLE kept_answer (
  id text COLLATE "C" PRIMARY KEY,
  request text COLLATE "C" NOT NULL,
  view text COLLATE "C" NOT NULL,
  kept_at text COLLATE "C" NOT NULL,
  content bytea NOT NULL
);
CREATE INDEX kept_answer_by_age ON kept_answer (kept_at);

-- Of 15 minutes. subject: a digest; at: milliseconds since 1970.
CREATE TABLE login_failure (subject text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, at bigint NOT NULL);
CREATE INDEX login_failure_by_subject ON login_failure (subject, at);
CREATE INDEX login_failure_by_age ON login_failure (at);

-- The last batch that each server has committed, for when the answer to a COMMIT is lost. Numbers of transactions do not say it: what a
-- database that died had not written down is forgotten, and its number given again.
CREATE TABLE commit_mark (
  server text COLLATE "C" PRIMARY KEY,
  batch bigint NOT NULL,
  at timestamptz NOT NULL
) WITH (fillfactor = 10);

-- Who performs what only one server does at a time; of each server that it lives.
CREATE TABLE lease (
  name text COLLATE "C" PRIMARY KEY,
  holder text COLLATE "C" NOT NULL,
  term bigint NOT NULL,
  until timestamptz NOT NULL
);
