// Texts of commands about workspaces in PostgreSQL. Contract 2 §8.

/** Used in examples of `--database-url`. */
export const EXAMPLE_URL = 'postgres://pimlet@db.example/pimlet'

export const BACK_UP_BY_ITS_TOOLS =
  'A workspace in PostgreSQL is backed up by its own tools: pg_dump --format=custom --file=FILE DATABASE while servers go on, and signing.key and encryption.key of --data-dir kept with the file; pg_restore takes it back'

export const RESTORE_BY_ITS_TOOLS =
  'A workspace in PostgreSQL is restored by its own tools: pg_restore --dbname=DATABASE FILE into a new, empty database, and signing.key and encryption.key put into --data-dir before a server starts; a file of pimlet backup is restored into a directory, without --database-url'

export const ANY_TIME = 'Or PostgreSQL database of the workspace, whether servers run on it or not'
