-- A dry run of an import says how many records there would be.
ALTER TABLE bulk_job ADD COLUMN records_after INTEGER;
