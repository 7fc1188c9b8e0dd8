-- Templates of product sheets, and links to sheets: the ID of a link is the beginning of the hash of its token.
CREATE TABLE sheet_template (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
CREATE TABLE sheet_link (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
