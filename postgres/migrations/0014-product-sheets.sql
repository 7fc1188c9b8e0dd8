-- Templates of product sheets, and links to sheets: the ID of a link is the beginning of the hash of its token.
CREATE TABLE sheet_template (n bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, document text COLLATE "C" NOT NULL);
CREATE TABLE sheet_link (n bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, document text COLLATE "C" NOT NULL);
