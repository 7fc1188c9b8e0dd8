// The location of a workspace in PostgreSQL: a database, and the schema that comes first in its search path.
import type { StoreLocation } from '../store/port.ts'

const KIND = 'postgres'

export interface PostgresLocation extends StoreLocation {
  readonly kind: typeof KIND
  /** In the format of libpq; it may contain a password. */
  readonly url: string
}

export function postgresAt(url: string): PostgresLocation {
  return { kind: KIND, url }
}

export function isPostgres(location: StoreLocation): location is PostgresLocation {
  return location.kind === KIND
}

/** Describes a location in messages, without user, password and options. */
export function describeLocation({ url }: PostgresLocation): string {
  const { host, pathname, searchParams } = new URL(url)
  const server = searchParams.get('host') ?? decodeURIComponent(host)
  return `the database ${decodeURIComponent(pathname.slice(1))}${server === '' ? '' : ` at ${server}`}`
}
