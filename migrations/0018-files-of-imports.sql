-- Findings of an import of a zip name the file, and its place in the list of the record.
ALTER TABLE bulk_error ADD COLUMN file TEXT;
ALTER TABLE bulk_sample ADD COLUMN file TEXT;
ALTER TABLE bulk_sample ADD COLUMN file_place INTEGER;
