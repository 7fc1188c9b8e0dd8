// The workspace that a command works on, wherever it is. Contract 2 §8.
import { findWorkspace } from '../../kernel/machine/data-directory.ts'
import type { Maintenance } from '../../store/maintenance-port.ts'
import { locationOf, maintenanceOf, type WorkspacePlace } from '../storages.ts'
import { lockWorkspace } from './lock.ts'

/** @throws StartError for a directory that holds none */
export function maintain(place: WorkspacePlace): Promise<Maintenance> {
  const { dataDir, databaseUrl } = place
  if (databaseUrl === undefined && dataDir !== undefined) findWorkspace(dataDir)
  return maintenanceOf(locationOf(place))
}

/**
 * For whoever changes what a server would not notice: nobody else has the workspace until what is returned is called. Servers on a
 * database notice, and go on. @throws StartError naming the process that has it
 */
export function holdAlone({ dataDir, databaseUrl }: WorkspacePlace): () => void {
  return databaseUrl === undefined && dataDir !== undefined ? lockWorkspace(dataDir) : () => undefined
}
