// Where a workspace in PostgreSQL is: a database, and in it the schema that comes first in its search path.
import type { StoreLocation } from '../store/port.ts'

const KIND = 'postgres'

export interface PostgresLocation extends StoreLocation {
  readonly kind: typeof KIND
  /** As libpq has it; it may hold a password. */
  readonly url: string
}

export function postgresAt(url: string): PostgresLocation {
  return { kind: KIND, url }
}

export function isPostgres(location: StoreLocation): location is PostgresLocation {
  return location.kind === KIND
}

/** For messages: without user, password and options. */
export function describeLocation({ url }: PostgresLocation): string {
  const { host, pathname, searchParams } = new URL(url)
  const server = searchParams.get('host') ?? decodeURIComponent(host)
  return `the database ${decodeURIComponent(pathname.slice(1))}${server === '' ? '' : ` at ${server}`}`
}
