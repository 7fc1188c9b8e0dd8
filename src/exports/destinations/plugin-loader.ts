// Loads destinations and messengers from the modules in `--plugins-dir`. A module that does not load or conform stops the
// start with a message that names file and fault. Otherwise a job would fail at night. Contract 2 §6.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { explainFileError } from '../../kernel/machine/whole-files.ts'
import type { Plugin } from '../messengers/messenger-plugin.ts'
import { isWorldWritable, PluginFault } from './plugin-file.ts'
import type { PluginThreads } from '../plugin-threads/plugin-threads.ts'

const MODULE = /^[^.].*\.(mjs|cjs|js|ts)$/
const DECLARATION = /\.d\.ts$/

/**
 * All plugins: `builtIn`, and one for each `*.mjs|*.cjs|*.js|*.ts` in `dir`, in the order of their names. A missing directory
 * counts as empty. By type; the key of a messenger begins with `messenger `, so both kinds may have the same type. Throws an
 * Error that names the file and its fault.
 */
export async function loadPlugins(
  dir: string,
  builtIn: readonly Plugin[],
  threads: Pick<PluginThreads, 'load'>,
): Promise<Map<string, Plugin>> {
  const loaded = new Map(builtIn.map((plugin) => [keyOf(plugin), plugin]))
  const origins = new Map(builtIn.map((plugin) => [keyOf(plugin), `a built-in ${kindOf(plugin)}`]))
  for (const file of await listModules(dir)) {
    const plugin = await threads.load(file)
    const key = keyOf(plugin)
    const origin = origins.get(key)
    if (origin !== undefined) throw new PluginFault(file, `its type "${plugin.type}" is already that of ${origin}`)
    loaded.set(key, plugin)
    origins.set(key, file)
  }
  return loaded
}

/** The plugins of one kind, by type. */
export function pluginsOf(kind: 'destination' | 'messenger', loaded: ReadonlyMap<string, Plugin>): Map<string, Plugin> {
  const wanted = [...loaded.values()].filter((plugin) => kindOf(plugin) === kind)
  return new Map(wanted.map((plugin) => [plugin.type, plugin]))
}

function kindOf({ isMessenger }: Plugin): 'destination' | 'messenger' {
  return isMessenger === true ? 'messenger' : 'destination'
}

function keyOf(plugin: Plugin): string {
  return plugin.isMessenger === true ? `messenger ${plugin.type}` : plugin.type
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
