// The files that travel with the code: where they are in a checkout, in the bundle and inside the executable.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { type ResourceLimits, type Transferable, Worker, workerData } from 'node:worker_threads'

/** The data that the executable passes to its program (`executable.ts`). */
export interface Executable {
  /** Names with slashes, for example `migrations/0002-more.sql`. */
  readonly assetNames: readonly string[]
  readonly readAsset: (name: string) => Buffer
  /** The first code of a thread, as text. */
  readonly threadCode: string
  /** `import()`, which code inside the executable does not have. */
  readonly importModule: (url: string) => Promise<unknown>
}

declare const PIMLET_BUNDLE_DIRECTORY: string | undefined
declare const PIMLET_EXECUTABLE: Executable | undefined

const NATIVE = 'native'
const NATIVE_BINDING = 'better_sqlite3.node'
const executable = typeof PIMLET_EXECUTABLE === 'undefined' ? undefined : PIMLET_EXECUTABLE
const isBundle = typeof PIMLET_BUNDLE_DIRECTORY !== 'undefined'
/** The checkout's root, or the directory of the bundle, which the build fills with the same files. */
const root = isBundle ? PIMLET_BUNDLE_DIRECTORY : path.join(import.meta.dirname, '../../..')

export function readDatabaseSchema(): string {
  return readText('schema.sql')
}

/** The version in package.json. */
export function readVersion(): string {
  const { version } = JSON.parse(readText('package.json')) as { version: string }
  return version
}

/** Name → text of the files in `pages/<folder>`. */
export function readPages(folder: string): ReadonlyMap<string, string> {
  const names = listNames(`pages/${folder}`)
  return new Map(names.map((name) => [name, readText(`pages/${folder}/${name}`)]))
}

let builtPages: string | undefined

/** Gives a checkout the directory of pages that a build has made, for example in a bundle. */
export function useBuiltPages(directory: string): void {
  builtPages = directory
}

/** Names of the files in `pages/<folder>` that a build makes; undefined in a checkout, where none has. */
export function listBuiltPages(folder: string): readonly string[] | undefined {
  if (builtPages !== undefined) return readdirSync(path.join(builtPages, folder))
  return isBundle ? listNames(`pages/${folder}`) : undefined
}

/** A file that a build has made, by its path below `pages/`. */
export function readBuiltPage(name: string): Uint8Array {
  return builtPages === undefined ? readBytes(`pages/${name}`) : readFileSync(path.join(builtPages, name))
}

/** A file of a checkout, by its path from the root; `listBuiltPages` shows whether this is a checkout. */
export function pathInCheckout(name: string): string {
  return path.join(root, name)
}

export interface Migration {
  /** The version of the workspace after this step. */
  readonly version: number
  readonly sql: string
}

/** In ascending order; the first migration leads from version 1 to 2. */
export function readMigrations(): Migration[] {
  return migrationsIn('migrations')
}

/** The migrations of a workspace in PostgreSQL; the first migration makes the tables. */
export function readPostgresMigrations(): Migration[] {
  return migrationsIn('postgres/migrations')
}

function migrationsIn(folder: string): Migration[] {
  return listNames(folder)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()
    .map((name) => ({ version: Number(name.slice(0, 4)), sql: readText(`${folder}/${name}`) }))
}

/** A file of `demo/`: the demonstration, and templates. */
export function readDemoFile(name: string): string {
  return readText(`demo/${name}`)
}

/** A file that the build puts beside the code; undefined in a checkout. */
export function readBundleFile(name: string): string | undefined {
  return isBundle ? readText(name) : undefined
}

let threadFile = path.join(root, isBundle ? 'thread.cjs' : 'src/thread.ts')

/** Sets the first file of all later threads in a checkout, for example a bundle, which loads faster. */
export function useThreadFile(file: string): void {
  threadFile = file
}

/** Starts a thread; `src/thread.ts` knows the roles. `transferList`: objects in `data` to transfer. */
export function startThread(
  data: { readonly role: string },
  resourceLimits: ResourceLimits,
  transferList: readonly Transferable[] = [],
): Worker {
  // The main thread's flag would exceed this thread's own limit, and costs 30 MB.
  setFlagsFromString('--max-semi-space-size=0')
  // A thread needs no preloaded modules, such as the loader of tests.
  const options = {
    workerData: { ...data, nativeBinding: placedBinding },
    resourceLimits,
    transferList: [...transferList],
    execArgv: [],
  }
  if (executable !== undefined) return new Worker(executable.threadCode, { ...options, eval: true })
  return new Worker(threadFile, options)
}

/**
 * Starts a process of this program for itself, which `src/thread.ts` begins; `node:child_process` carries messages. It
 * inherits no environment, hence no secrets.
 */
export function startProcess(role: string, args: readonly string[]): ChildProcess {
  const program = executable === undefined ? [threadFile] : []
  return spawn(process.execPath, [...program, role, ...args], {
    // One question at a time: more threads only pass memory around.
    env: { UV_THREADPOOL_SIZE: '1' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  })
}

/** `import()` of a file that is not part of the program. */
export function importModule(url: string): Promise<unknown> {
  return executable === undefined ? import(url) : executable.importModule(url)
}

export interface EmbeddedBinding {
  /** SHA-256 of the content, in lower-case hexadecimal. */
  readonly sha256: string
  readonly fileName: string
  readonly read: () => Buffer
}

/** The database's native code inside the executable, which no system can load from there; undefined elsewhere. */
export function embeddedBinding(): EmbeddedBinding | undefined {
  const name = executable?.assetNames.find((candidate) => candidate.endsWith(`/${NATIVE_BINDING}`))
  if (executable === undefined || name === undefined) return undefined
  const { readAsset } = executable
  return { sha256: name.split('/').at(-2)!, fileName: NATIVE_BINDING, read: () => readAsset(name) }
}

let placedBinding = (workerData as { nativeBinding?: string } | null)?.nativeBinding

/** `file`: the embedded binding on disk, for this thread and the threads that it starts. */
export function usePlacedBinding(file: string): void {
  placedBinding = file
}

/** The file with the database's native code; undefined: where its package has it. */
export function nativeBinding(): string | undefined {
  if (placedBinding !== undefined) return placedBinding
  if (executable !== undefined) throw new Error('The native binding is not placed: prepareDataDirectory comes first')
  return isBundle ? path.join(root, 'native', NATIVE_BINDING) : undefined
}

/** A file of the native code for pictures. */
interface EmbeddedFile {
  /** With slashes, below the folder of the native code: the files find each other by these paths. */
  readonly path: string
  readonly read: () => Buffer
}

const PICTURE_FOLDER = 'pictures'

/** The native code for pictures inside the executable, and the folder that names its version; undefined elsewhere. */
export function embeddedPictureFiles():
  | { readonly folder: string; readonly files: readonly EmbeddedFile[] }
  | undefined {
  if (executable === undefined) return undefined
  const { readAsset } = executable
  const begin = `${NATIVE}/${PICTURE_FOLDER}-`
  const names = executable.assetNames.filter((name) => name.startsWith(begin))
  const folder = names[0]?.split('/')[1]
  if (folder === undefined) return undefined
  const toFile = (name: string): EmbeddedFile => ({
    path: name.slice(NATIVE.length + 1 + folder.length + 1),
    read: () => readAsset(name),
  })
  return { folder, files: names.map(toFile) }
}

let placedPictureFolder: string | undefined

/** `directory`: holds the embedded files on disk, for this process. */
export function usePlacedPictureFiles(directory: string): void {
  placedPictureFolder = directory
}

/** The file with the native code of the library for pictures, outside a checkout. @throws Error where there is none */
export function pictureBinding(): string {
  const directory = placedPictureFolder ?? path.join(root, NATIVE, PICTURE_FOLDER)
  const name = readdirSync(directory, { recursive: true, encoding: 'utf8' }).find((file) => file.endsWith('.node'))
  if (name === undefined) throw new Error(`${directory} has no library for pictures`)
  return path.join(directory, name)
}

/** A text, such as a guide, by its path from the root. */
export function readText(name: string): string {
  return readBytes(name).toString('utf8')
}

function readBytes(name: string): Buffer {
  return executable === undefined ? readFileSync(path.join(root, name)) : executable.readAsset(name)
}

function listNames(directory: string): string[] {
  if (executable === undefined) return readdirSync(path.join(root, directory))
  const begin = `${directory}/`
  return executable.assetNames.filter((name) => name.startsWith(begin)).map((name) => name.slice(begin.length))
}
