// Faults of files and databases during maintenance, as the one line that the user sees.
import { PimletError } from '../../kernel/errors.ts'
import { explainFileError, isOfSystem } from '../../kernel/machine/whole-files.ts'
import { StartError } from '../../kernel/machine/start-error.ts'
import { explainStorageError, storageFaultOf } from '../storages.ts'

export interface Places {
  /** The failed task: `Cannot write backup.db`. */
  readonly failure: string
  /** The database that was read. */
  readonly database: string
}

export function asStartError(thrown: unknown, { failure, database }: Places): StartError {
  if (thrown instanceof StartError) return thrown
  // The cause says more than the public error.
  const error = thrown instanceof PimletError ? (thrown.cause ?? thrown) : thrown
  const fault = storageFaultOf(error)
  if (fault === 'locked') return new StartError((error as Error).message, { cause: error })
  const because = (why: string): StartError => new StartError(`${failure}: ${why}`, { cause: error })
  if (fault === 'full') return because('the disk is full')
  if (fault === 'damaged') return because(`${database} is damaged (${(error as Error).message})`)
  const explained = explainStorageError(error)
  if (explained !== undefined) return because(explained)
  return because(isOfSystem(error) ? explainFileError(error) : error instanceof Error ? error.message : String(error))
}
