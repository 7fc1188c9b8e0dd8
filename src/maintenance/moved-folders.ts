// Files that belong to a workspace and lie beside its database: those that wait to be imported, and those that wait to be delivered again.
import { copyFile, lstat, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { syncDirectory, syncFile } from '../machine/files.ts'
import { FOLDERS } from './new-workspace.ts'

/** Nothing happens where both are the same directory. What is there already is replaced. */
export async function copyFolders(from: string, to: string): Promise<void> {
  if (from === to) return
  for (const folder of FOLDERS) await copyFolder(path.join(from, folder), path.join(to, folder))
  syncDirectory(to)
}

async function copyFolder(from: string, to: string): Promise<void> {
  // A link leads to what may be somebody else's: no server takes one.
  if ((await lstat(from).catch(() => undefined))?.isDirectory() !== true) return
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!entry.isFile()) continue
    await copyFile(path.join(from, entry.name), path.join(to, entry.name))
    syncFile(path.join(to, entry.name))
  }
  syncDirectory(to)
}
