// Who may work on a data directory alone. Contract 2 §8.
import path from 'node:path'
import { maintenanceIn } from '../storages.ts'
import { asStartError } from './start-faults.ts'

/** @returns what lets go of it. @throws StartError naming the process that has it */
export function lockWorkspace(directory: string): () => void {
  try {
    return maintenanceIn(directory).hold()
  } catch (error) {
    const failure = `The data directory ${directory} cannot be used`
    throw asStartError(error, {
      failure,
      database: `its lock ${path.join(directory, 'lock.db')}, which may be removed while no server runs,`,
    })
  }
}
