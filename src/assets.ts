// The files that travel with the code: where they are in a checkout and inside the bundle or executable.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

declare const PIMLET_BUNDLE_DIRECTORY: string | undefined

/** The checkout's root, or the directory of the bundle, which the build fills with the same files. */
const root =
  typeof PIMLET_BUNDLE_DIRECTORY === 'undefined' ? path.join(import.meta.dirname, '..') : PIMLET_BUNDLE_DIRECTORY

export function readDatabaseSchema(): string {
  return readText('schema.sql')
}

/** As package.json has it. */
export function readVersion(): string {
  const { version } = JSON.parse(readText('package.json')) as { version: string }
  return version
}

/** Name → text of the files in `pages/<folder>`. */
export function readPages(folder: string): ReadonlyMap<string, string> {
  const names = listNames(`pages/${folder}`)
  return new Map(names.map((name) => [name, readText(`pages/${folder}/${name}`)]))
}

export interface Migration {
  /** The `user_version` that it leads to. */
  readonly version: number
  readonly sql: string
}

/** In ascending order; the first one leads from version 1 to 2. */
export function readMigrations(): Migration[] {
  return listNames('migrations')
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()
    .map((name) => ({ version: Number(name.slice(0, 4)), sql: readText(`migrations/${name}`) }))
}

/** What `new Worker` is given for the thread whose code is `src/<relative>`; the bundle is one file, which asks its workerData. */
export function workerEntry(relative: string): string {
  return typeof PIMLET_BUNDLE_DIRECTORY === 'undefined'
    ? path.join(root, 'src', relative)
    : path.join(PIMLET_BUNDLE_DIRECTORY, 'pimlet.cjs')
}

function readText(name: string): string {
  return readFileSync(path.join(root, name), 'utf8')
}

function listNames(directory: string): string[] {
  return readdirSync(path.join(root, directory))
}
