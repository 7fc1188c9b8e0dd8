-- The way of messages to people: one row at most, with encrypted secrets.
CREATE TABLE messenger (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
-- Daily summaries by user. next_at: 9999-12-31T23:59:59.999Z for none.
CREATE TABLE summary (
  user_id TEXT PRIMARY KEY,
  next_at TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX summary_due ON summary (next_at);
