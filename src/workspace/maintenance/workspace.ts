// The workspace that a command works on, in a directory or a database, and the lock of a directory. Contract 2 §8.
import { findWorkspace } from '../../kernel/machine/data-directory.ts'
import type { Maintenance } from '../../store/maintenance-port.ts'
import { locationOf, maintenanceOf, type WorkspacePlace, maintenanceIn } from '../storages.ts'
import path from 'node:path'
import { asStartError } from './start-faults.ts'

/** @throws StartError for a directory that holds none */
export function maintain(place: WorkspacePlace): Promise<Maintenance> {
  const { dataDir, databaseUrl } = place
  if (databaseUrl === undefined && dataDir !== undefined) findWorkspace(dataDir)
  return maintenanceOf(locationOf(place))
}

/**
 * For commands whose changes a running server would not notice: locks the directory until the returned function is called.
 * Servers on a database notice changes, so nothing is locked there. @throws StartError naming the process that has the lock
 */
export function holdAlone({ dataDir, databaseUrl }: WorkspacePlace): () => void {
  return databaseUrl === undefined && dataDir !== undefined ? lockWorkspace(dataDir) : () => undefined
}

/** @returns the function that unlocks. @throws StartError naming the process that has the lock */
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
