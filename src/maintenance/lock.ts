// Who may work on a data directory alone. Decisions §8.
import path from 'node:path'
import { LOCK_FILE, lockDataDirectory } from '../storage/sqlite/data-directory-lock.ts'
import { asStartError } from './faults.ts'

/** @returns what lets go of it. @throws StartError naming the process that has it */
export function lockWorkspace(directory: string): () => void {
  try {
    return lockDataDirectory(directory)
  } catch (error) {
    const failure = `The data directory ${directory} cannot be used`
    throw asStartError(error, {
      failure,
      database: `its lock ${path.join(directory, LOCK_FILE)}, which may be removed while no server runs,`,
    })
  }
}
