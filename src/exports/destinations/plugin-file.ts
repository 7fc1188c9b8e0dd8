// A module file in `--plugins-dir`, checked before any of its code runs. Contract 2 §6.
import { stat } from 'node:fs/promises'

/** Names the file and its fault. */
export class PluginFault extends Error {
  override readonly name = 'PluginFault'
  /** The fault without the file. */
  readonly what: string

  constructor(file: string, what: string, cause?: unknown) {
    super(`plugin ${file}: ${what}`, { cause })
    this.what = what
  }
}

/** @throws PluginFault */
export async function assertPluginFile(file: string): Promise<void> {
  const facts = await stat(file).catch((error: unknown) => {
    throw new PluginFault(file, `it cannot be read: ${describeError(error)}`, error)
  })
  if (!facts.isFile()) throw new PluginFault(file, 'it is not a file')
  if (await isWorldWritable(file))
    throw new PluginFault(file, 'it may be written by every user of this machine: chmod o-w it')
}

/** A user who may write a plugin may run code as this server. On Windows, the mode of a file has no such rights. */
export async function isWorldWritable(path: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(path)).mode & 0o002) !== 0
}

export function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
