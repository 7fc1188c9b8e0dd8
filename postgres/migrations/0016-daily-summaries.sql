-- The way of messages to people: one row at most, with encrypted secrets.
CREATE TABLE messenger (n bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, document text COLLATE "C" NOT NULL);
-- Daily summaries by user. next_at: 9999-12-31T23:59:59.999Z for none.
CREATE TABLE summary (
  user_id text COLLATE "C" PRIMARY KEY,
  next_at text COLLATE "C" NOT NULL,
  document text COLLATE "C" NOT NULL
);
CREATE INDEX summary_due ON summary (next_at);
