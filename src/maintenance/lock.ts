// Who may work on a data directory alone. Decisions §8.
import { unusable } from '../data-directory.ts'
import { StartError } from '../start-error.ts'
import { DataDirectoryLocked, lockDataDirectory } from '../storage/sqlite/data-directory-lock.ts'

/** @returns what lets go of it. @throws StartError naming the process that has it */
export function lockWorkspace(directory: string): () => void {
  try {
    return lockDataDirectory(directory)
  } catch (error) {
    if (!(error instanceof DataDirectoryLocked)) throw unusable(directory, error)
    const holder = error.processId === undefined ? 'another process' : `process ${error.processId}`
    throw new StartError(`The data directory ${directory} is in use by ${holder}`, { cause: error })
  }
}
