// The files that travel with the code: where they are in a checkout and inside the bundle or executable.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

declare const PIMLET_BUNDLE_DIRECTORY: string | undefined

/** The checkout's root, or the directory of the bundle, which the build fills with the same files. */
const root =
  typeof PIMLET_BUNDLE_DIRECTORY === 'undefined' ? path.join(import.meta.dirname, '..') : PIMLET_BUNDLE_DIRECTORY

export function readDatabaseSchema(): string {
  return readFileSync(path.join(root, 'schema.sql'), 'utf8')
}

/** As package.json has it. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
  return version
}

/** Name → text of the files in `pages/<folder>`. */
export function readPages(folder: string): ReadonlyMap<string, string> {
  const directory = path.join(root, 'pages', folder)
  return new Map(readdirSync(directory).map((name) => [name, readFileSync(path.join(directory, name), 'utf8')]))
}

export interface Migration {
  /** The `user_version` that it leads to. */
  readonly version: number
  readonly sql: string
}

/** In ascending order; the first one leads from version 1 to 2. */
export function readMigrations(): Migration[] {
  const directory = path.join(root, 'migrations')
  return readdirSync(directory)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()
    .map((name) => ({ version: Number(name.slice(0, 4)), sql: readFileSync(path.join(directory, name), 'utf8') }))
}

/** What `new Worker` is given for the thread whose code is `src/<relative>`; the bundle is one file, which asks its workerData. */
export function workerEntry(relative: string): string {
  return typeof PIMLET_BUNDLE_DIRECTORY === 'undefined'
    ? path.join(root, 'src', relative)
    : path.join(PIMLET_BUNDLE_DIRECTORY, 'pimlet.cjs')
}
