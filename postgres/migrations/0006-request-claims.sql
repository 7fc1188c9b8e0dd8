-- Requests with an Idempotency-Key that servers have under way. Nothing of it outlives the database: it is not logged.
CREATE UNLOGGED TABLE request_claim (
  id text COLLATE "C" PRIMARY KEY,
  holder text COLLATE "C" NOT NULL,
  until timestamptz NOT NULL
);
