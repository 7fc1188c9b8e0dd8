-- Comments on records and on their values. alias: null is the whole record. scope: in the form of scopeKey. thread_n: the
-- comment that begins the thread; null: this one. is_open: 1 for a comment that begins an unresolved thread.
CREATE TABLE comment (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  record_id TEXT NOT NULL,
  schema_id TEXT NOT NULL,
  alias TEXT,
  scope TEXT NOT NULL,
  thread_n INTEGER,
  is_open INTEGER NOT NULL,
  author TEXT NOT NULL,
  created_at TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE INDEX comment_by_record ON comment (record_id, n);
CREATE INDEX comment_open ON comment (record_id, schema_id, alias, scope) WHERE is_open = 1;
CREATE INDEX comment_by_thread ON comment (thread_n) WHERE thread_n IS NOT NULL;
CREATE INDEX comment_by_attribute ON comment (schema_id, alias) WHERE alias IS NOT NULL;
-- Who follows the comments of a record. follows: 0 is somebody who does not want to.
CREATE TABLE follower (
  record_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  follows INTEGER NOT NULL,
  PRIMARY KEY (record_id, user_id)
) STRICT, WITHOUT ROWID;
-- Records that people have to work on. giver: kind and ID. due: a day, 9999-12-31 for none. told: 1 of the day before, 2 of
-- the day after.
CREATE TABLE work_assignment (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  record_id TEXT NOT NULL,
  assignee_id TEXT NOT NULL,
  giver TEXT NOT NULL,
  state TEXT NOT NULL,
  due TEXT NOT NULL,
  told INTEGER NOT NULL,
  changed_at TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE INDEX work_assignment_by_record ON work_assignment (record_id, state, due, n);
CREATE INDEX work_assignment_by_assignee ON work_assignment (assignee_id, state, due, n);
CREATE INDEX work_assignment_by_giver ON work_assignment (giver, state, due, n);
CREATE INDEX work_assignment_due ON work_assignment (told, due) WHERE state = 'open' AND told < 2;
CREATE INDEX work_assignment_ended ON work_assignment (changed_at) WHERE state <> 'open';
-- What people are told. The ID is unique for a person.
CREATE TABLE notice (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  is_read INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  document TEXT NOT NULL,
  UNIQUE (user_id, id)
) STRICT;
CREATE INDEX notice_by_user ON notice (user_id, n);
CREATE INDEX notice_unread ON notice (user_id, n) WHERE is_read = 0;
CREATE INDEX notice_by_age ON notice (created_at);
-- Kinds of notices that people have switched off, by the ID of the user.
CREATE TABLE notice_setting (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
-- Permissions to work together: for roles that change records, and for viewers.
UPDATE role SET document = replace(document, '"permissions":[', '"permissions":["comments.moderate",')
  WHERE id = 'role-admin' AND document LIKE '%"permissions":["%';
UPDATE role SET document = replace(document, '"permissions":[', '"permissions":["comments.write","assignments.write",')
  WHERE document LIKE '%"records.update"%';
UPDATE role SET document = replace(document, '"permissions":[', '"permissions":["comments.write",')
  WHERE id = 'role-viewer' AND document LIKE '%"records.read"%' AND document NOT LIKE '%"comments.write"%';
