-- Templates of product sheets, and links to sheets: the ID of a link is the beginning of the hash of its token.
CREATE TABLE sheet_template (n bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, document text COLLATE "C" NOT NULL);
CREATE TABLE sheet_link (n bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, document text COLLATE "C" NOT NULL);
-- Administrators may do everything, also what earlier versions added.
UPDATE role SET document = replace(document, '"permissions":[', '"permissions":["records.share",')
  WHERE id = 'role-admin' AND document LIKE '%"permissions":["%' AND document NOT LIKE '%"records.share"%';
UPDATE role SET document = replace(document, '"permissions":[', '"permissions":["audit.erase",')
  WHERE id = 'role-admin' AND document LIKE '%"permissions":["%' AND document NOT LIKE '%"audit.erase"%';
UPDATE role SET document = replace(document, '"permissions":[', '"permissions":["files.write",')
  WHERE id = 'role-admin' AND document LIKE '%"permissions":["%' AND document NOT LIKE '%"files.write"%';
UPDATE role SET document = replace(document, '"permissions":[', '"permissions":["subscriptions.write",')
  WHERE id = 'role-admin' AND document LIKE '%"permissions":["%' AND document NOT LIKE '%"subscriptions.write"%';
