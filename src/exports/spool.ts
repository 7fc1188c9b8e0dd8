// The spool: where a rendered export lies until its destination has it. Private to the server, empty whenever no export
// runs. Contract 2 §6.
import { createReadStream } from 'node:fs'
import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { ExportFile } from './destination.ts'

export interface Spool {
  /**
   * Makes the directory, and removes what a server that died has left in it.
   * @throws UnsafeSpool for a link: what is behind it may be somebody else's
   */
  sweep(): Promise<void>
  /** Absolute path of a run's file. */
  fileOf(runId: string): string
  /** Nothing happens where there is none. */
  remove(runId: string): Promise<void>
}

/** The spool directory does not belong to the server (it is a link). The message is for the person who starts the server. */
export class UnsafeSpool extends Error {
  override readonly name = 'UnsafeSpool'
}

export function createSpool(directory: string): Spool {
  const fileOf = (runId: string): string => path.join(directory, runId)
  return {
    async sweep() {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      if (!(await lstat(directory)).isDirectory())
        throw new UnsafeSpool(
          `${directory} must be a directory: a server empties it, and will not empty what a link leads to`,
        )
      await chmod(directory, 0o700)
      for (const name of await readdir(directory)) await rm(path.join(directory, name), { recursive: true })
    },
    fileOf,
    remove: (runId) => rm(fileOf(runId), { force: true }),
  }
}

/** A finished spool file as a destination gets it. */
export function asExportFile(spoolFile: string, facts: Omit<ExportFile, 'path' | 'open'>): ExportFile {
  return { ...facts, path: spoolFile, open: (range) => createReadStream(spoolFile, range) }
}
