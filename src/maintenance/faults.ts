// Faults of files and databases during maintenance, as the one line that the user sees.
import { explainFileError, isOfSystem } from '../machine/files.ts'
import { StartError } from '../machine/start-error.ts'
import { storageFaultOf } from '../storages.ts'

export interface Places {
  /** What was being done: `Cannot write backup.db`. */
  readonly failure: string
  /** The database that was read. */
  readonly database: string
}

export function asStartError(error: unknown, { failure, database }: Places): StartError {
  if (error instanceof StartError) return error
  const fault = storageFaultOf(error)
  if (fault === 'locked') return new StartError((error as Error).message, { cause: error })
  const because = (why: string): StartError => new StartError(`${failure}: ${why}`, { cause: error })
  if (fault === 'full') return because('the disk is full')
  if (fault === 'damaged') return because(`${database} is damaged (${(error as Error).message})`)
  return because(isOfSystem(error) ? explainFileError(error) : error instanceof Error ? error.message : String(error))
}
