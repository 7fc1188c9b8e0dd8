-- What happens in the workspace besides changes of records: it stands between the entries of the audit trail, numbered with them.
CREATE TABLE event (
  sequence INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX event_by_kind ON event (kind, sequence);
