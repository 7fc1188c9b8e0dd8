-- Entries about roles belong to the model, and to the accounts: they are found by a kind of their own.
UPDATE event SET kind = 'role' WHERE kind = 'model' AND content::json ->> 'entityType' = 'role';
