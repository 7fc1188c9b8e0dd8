// Who may work on a data directory alone. Decisions §8.
import path from 'node:path'
import { StartError } from '../start-error.ts'
import { DataDirectoryLocked, LOCK_FILE, lockDataDirectory } from '../storage/sqlite/data-directory-lock.ts'
import { asStartError } from './faults.ts'

/** @returns what lets go of it. @throws StartError naming the process that has it */
export function lockWorkspace(directory: string): () => void {
  try {
    return lockDataDirectory(directory)
  } catch (error) {
    if (!(error instanceof DataDirectoryLocked)) {
      const failure = `The data directory ${directory} cannot be used`
      throw asStartError(error, {
        failure,
        database: `its lock ${path.join(directory, LOCK_FILE)}, which may be removed,`,
      })
    }
    const holder = error.processId === undefined ? 'another process' : `process ${error.processId}`
    throw new StartError(`The data directory ${directory} is in use by ${holder}`, { cause: error })
  }
}
