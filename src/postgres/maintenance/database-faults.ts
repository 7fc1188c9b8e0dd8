// Messages for errors of a database: the kind of fault, and one line of advice. This needs no client of PostgreSQL.
import type { StorageFault } from '../../store/maintenance-port.ts'

/** The database cannot be used as it is; the message is for the operator who starts the server. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable'
}

/** The index cannot be compared; the message contains the reason. */
export class IndexNotComparable extends Error {
  override readonly name = 'IndexNotComparable'
}

/** An error of the client `pg`. */
interface DatabaseError extends Error {
  /** SQLSTATE. */
  readonly code: string
}

function isOfDatabase(error: unknown): error is DatabaseError {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
}

export function postgresFaultOf(error: unknown): StorageFault | undefined {
  if (error instanceof DatabaseUnusable) return 'unfit'
  if (error instanceof IndexNotComparable) return 'incomparable'
  if (!isOfDatabase(error)) return undefined
  if (error.code === '53100') return 'full'
  return /^XX00[12]$/.test(error.code) ? 'damaged' : undefined
}

/** Explanations, chosen by SQLSTATE and message of a `DatabaseError`. */
const EXPLAINED: readonly (readonly [code: RegExp, message: RegExp, why: (message: string) => string])[] = [
  [
    /^(42501|0A000|58P01|42704)$/,
    /pg_trgm/,
    (message) =>
      `the extension pg_trgm is missing, and ${/permission/.test(message) ? 'its user may not make it' : 'the server does not have it'}: install the contrib modules of PostgreSQL where they are missing, and run CREATE EXTENSION pg_trgm as an administrator of the database`,
  ],
  [
    /^42501$/,
    /./,
    (message) =>
      `${message}: its user needs the right to make tables there (GRANT CREATE ON SCHEMA), or has to own them`,
  ],
  [/^3F000$/, /./, () => 'its search_path names no schema that is there: make one, which the user may make tables in'],
  [/^3D000$/, /./, (message) => `${message}: make it (CREATE DATABASE), in the encoding UTF8`],
  [/^28/, /./, (message) => `${message}: see its user and password in --database-url`],
  [/^53300$/, /./, (message) => `${message}: give the database more connections (max_connections)`],
]

/** Explains an error of a database or of the way to it; undefined: another error. The message contains no password. */
export function explainDatabaseError(error: unknown): string | undefined {
  if (isOfDatabase(error)) {
    const { code, message } = error
    const [, , why] = EXPLAINED.find(([codes, words]) => codes.test(code) && words.test(message)) ?? []
    return why?.(message) ?? message
  }
  if (!(error instanceof Error)) return undefined
  if (/client password must be a string/.test(error.message))
    return 'it asks for a password, and --database-url has none: put it there, better as the variable PIMLET_DATABASE_URL'
  // All addresses of a name were tried.
  if (error instanceof AggregateError && 'code' in error)
    return explainDatabaseError(error.errors[0]) ?? String(error.code)
  if (/^(timeout expired|Connection terminated due to connection timeout)/.test(error.message))
    return 'it does not answer'
  return undefined
}
