-- Findings of an import of a zip name the file, and its place in the list of the record.
ALTER TABLE bulk_error ADD COLUMN file text COLLATE "C";
ALTER TABLE bulk_sample ADD COLUMN file text COLLATE "C", ADD COLUMN file_place bigint;
