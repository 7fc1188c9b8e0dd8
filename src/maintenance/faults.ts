// Faults of files and databases during maintenance, as the one line that the user sees.
import { explainFileError, isOfSystem } from '../files.ts'
import { StartError } from '../start-error.ts'
import { isDamage, isFullDisk } from '../storage/sqlite/connection.ts'
import { DataDirectoryLocked } from '../storage/sqlite/data-directory-lock.ts'
import { DatabaseVersionError } from '../storage/sqlite/migrate.ts'

export interface Places {
  /** What was being done: `Cannot write backup.db`. */
  readonly failure: string
  /** The database that was read. */
  readonly database: string
}

export function asStartError(error: unknown, { failure, database }: Places): StartError {
  if (error instanceof StartError) return error
  if (error instanceof DataDirectoryLocked) return new StartError(error.message, { cause: error })
  const because = (why: string): StartError => new StartError(`${failure}: ${why}`, { cause: error })
  if (isFullDisk(error)) return because('the disk is full')
  if (isDamage(error)) return because(`${database} is damaged (${(error as Error).message})`)
  if (error instanceof DatabaseVersionError) return because(error.message)
  return because(isOfSystem(error) ? explainFileError(error) : error instanceof Error ? error.message : String(error))
}
