// Loads destinations from the modules in `--plugins-dir`. Contract 2 §6: a module that does not load or conform stops the
// start with a message that names file and fault, so that no job finds out at night.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { explainFileError } from '../../kernel/machine/files.ts'
import type { Destination } from '../../kernel/destination.ts'
import { isWorldWritable, PluginFault } from './plugin-file.ts'
import type { PluginThreads } from '../plugin-threads/plugin-threads.ts'

const MODULE = /^[^.].*\.(mjs|cjs|js|ts)$/
const DECLARATION = /\.d\.ts$/

/**
 * All destinations by type: `builtIn`, and one for each `*.mjs|*.cjs|*.js|*.ts` in `dir`, in the order of their names. A
 * missing directory counts as empty. Throws an Error that names the file and its fault.
 */
export async function loadPlugins(
  dir: string,
  builtIn: readonly Destination[],
  threads: Pick<PluginThreads, 'load'>,
): Promise<Map<string, Destination>> {
  const loaded = new Map(builtIn.map((destination) => [destination.type, destination]))
  const origins = new Map(builtIn.map(({ type }) => [type, 'a built-in destination']))
  for (const file of await listModules(dir)) {
    const destination = await threads.load(file)
    const origin = origins.get(destination.type)
    if (origin !== undefined) throw new PluginFault(file, `its type "${destination.type}" is already that of ${origin}`)
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
    throw new Error(`plugins directory ${dir} cannot be read: ${explainFileError(error)}`, { cause: error })
  }
  const files = names.filter((name) => MODULE.test(name) && !DECLARATION.test(name)).sort()
  if (files.length > 0 && (await isWorldWritable(dir))) {
    throw new Error(`plugins directory ${dir} may be written by every user of this machine: chmod o-w it`)
  }
  return files.map((name) => join(dir, name))
}
