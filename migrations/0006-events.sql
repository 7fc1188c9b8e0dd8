-- What happens in the workspace besides changes of records: it stands between the entries of the audit trail, numbered with them.
CREATE TABLE event (
  sequence INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX event_by_kind ON event (kind, sequence);
-- Who is told of what happens. The secrets in the document are encrypted; state: how far it has come, as JSON.
CREATE TABLE subscription (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  document TEXT NOT NULL,
  state TEXT NOT NULL
) STRICT;
CREATE TABLE subscription_delivery (
  n INTEGER PRIMARY KEY,
  subscription_n INTEGER NOT NULL REFERENCES subscription (n) ON DELETE CASCADE,
  id TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX subscription_delivery_by_id ON subscription_delivery (subscription_n, id);
CREATE INDEX subscription_delivery_by_age ON subscription_delivery (subscription_n, n);
