-- Answers that are kept under the Idempotency-Key of their request. The content is sealed; `id` and `request` are digests.
CREATE TABLE kept_answer (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  request TEXT NOT NULL,
  view TEXT NOT NULL,
  kept_at TEXT NOT NULL,
  content BLOB NOT NULL
) STRICT;
CREATE INDEX kept_answer_by_age ON kept_answer (kept_at);
-- Bytes of all kept answers: kept, not counted.
INSERT INTO counter (name, value) VALUES ('kept_answers', 0);
-- What callers keep for themselves, by kind and ID of the user or API key.
CREATE TABLE preference (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
-- By language, as JSON; NULL: none.
ALTER TABLE category ADD COLUMN names TEXT;
