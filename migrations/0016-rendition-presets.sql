-- The sizes in which pictures are made. A workspace that is new gets the same ones at its first start.
CREATE TABLE rendition_preset (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
INSERT INTO rendition_preset (n, id, document)
  SELECT 1, 'thumb', '{"id":"thumb","width":160,"height":160,"fit":"inside","format":"webp"}' WHERE EXISTS (SELECT 1 FROM account) UNION ALL
  SELECT 2, 'web', '{"id":"web","width":1600,"height":1600,"fit":"inside","format":"webp"}' WHERE EXISTS (SELECT 1 FROM account) UNION ALL
  SELECT 3, 'square', '{"id":"square","width":1200,"height":1200,"fit":"contain","format":"jpeg","background":"#ffffff"}' WHERE EXISTS (SELECT 1 FROM account) UNION ALL
  SELECT 4, 'original', '{"id":"original","fit":"inside","format":"original"}' WHERE EXISTS (SELECT 1 FROM account);

-- What the key of all public addresses is made of, besides a key of the data directory.
CREATE TABLE public_addresses (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT;
