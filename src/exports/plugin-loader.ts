// Loads destinations from the modules in `--plugins-dir`. Decisions §6: a module that does not load or conform stops the
// start with a message that names file and fault, so that no job finds out at night.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { importModule } from '../assets.ts'
import { findFault } from './conformance.ts'
import type { Destination } from './destination.ts'
import { callPlugin } from './plugin-calls.ts'

const MODULE = /^[^.].*\.(mjs|cjs|js|ts)$/
const DECLARATION = /\.d\.ts$/
/** A module that waits for something at its top level would keep the server from starting for ever. */
const LOAD_TIMEOUT_MS = 10_000

/**
 * All destinations by type: `builtIn` and one for each `*.mjs|*.cjs|*.js|*.ts` in `dir`, in the order of their names. A missing
 * directory is an empty one. Throws an Error that names the file and what is wrong with it.
 * @param onLateFault told of what a module sets in motion while it is loaded, and goes wrong later
 */
export async function loadPlugins(
  dir: string,
  builtIn: readonly Destination[],
  onLateFault: (message: string) => void = () => undefined,
): Promise<Map<string, Destination>> {
  const loaded = new Map(builtIn.map((destination) => [destination.type, destination]))
  const origins = new Map(builtIn.map(({ type }) => [type, 'a built-in destination']))
  for (const file of await listModules(dir)) {
    const destination = assertDestination(file, await importDefault(file, onLateFault))
    const origin = origins.get(destination.type)
    if (origin !== undefined) throw fault(file, `its type "${destination.type}" is already that of ${origin}`)
    loaded.set(destination.type, destination)
    origins.set(destination.type, file)
  }
  return loaded
}

async function listModules(dir: string): Promise<string[]> {
  let names: string[]
  try {
    names = await readdir(dir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new Error(`plugins directory ${dir} cannot be read: ${describe(error)}`, { cause: error })
  }
  const files = names.filter((name) => MODULE.test(name) && !DECLARATION.test(name)).sort()
  if (files.length > 0 && (await isWorldWritable(dir))) {
    throw new Error(`plugins directory ${dir} may be written by every user of this machine: chmod o-w it`)
  }
  return files.map((name) => join(dir, name))
}

async function importDefault(file: string, onLateFault: (message: string) => void): Promise<unknown> {
  const facts = await stat(file).catch((error: unknown) => {
    throw fault(file, `it cannot be read: ${describe(error)}`, error)
  })
  if (!facts.isFile()) throw fault(file, 'it is not a file')
  if (await isWorldWritable(file)) throw fault(file, 'it may be written by every user of this machine: chmod o-w it')
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error(`not done within ${LOAD_TIMEOUT_MS / 1000} s`)), LOAD_TIMEOUT_MS)
  const limits = {
    signal: late.signal,
    grace: 0,
    onLateFault: (error: unknown) => onLateFault(`plugin ${file} failed outside of a run: ${describe(error)}`),
  }
  try {
    return unwrapDefault(await callPlugin(() => importModule(pathToFileURL(file).href), limits))
  } catch (error) {
    throw fault(file, `it does not load: ${describe(error)}`, error)
  } finally {
    clearTimeout(timer)
  }
}

/** The default export; for `module.exports = …` and for CommonJS made by a compiler (`exports.default = …`) the thing meant. */
function unwrapDefault(module: unknown): unknown {
  const outer = isObject(module) ? module['default'] : undefined
  return isObject(outer) && !('type' in outer) && 'default' in outer ? outer['default'] : outer
}

function assertDestination(file: string, value: unknown): Destination {
  const what = findFault(value)
  if (what !== undefined) throw fault(file, what)
  return value as Destination
}

/** Others who may write a plugin may run code as this server. Windows keeps its rights elsewhere. */
async function isWorldWritable(path: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(path)).mode & 0o002) !== 0
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function fault(file: string, what: string, cause?: unknown): Error {
  return new Error(`plugin ${file}: ${what}`, { cause })
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
