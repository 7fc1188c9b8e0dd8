// Work on the users and keys of a workspace. One in a directory has to be served by nobody: the server keeps them in memory, and would go
// on with the old ones. Servers on a database look whether they have changed.
// Contract 2 §2, 2 §8.
import { StartError, UsageError } from '../../kernel/machine/start-error.ts'
import type { Accounts } from '../../store/maintenance-port.ts'
import { storageFaultOf, type WorkspacePlace } from '../storages.ts'
import { asStartError } from './start-faults.ts'
import { holdAlone, maintain } from './workspace.ts'

interface AccountWork {
  readonly workspace: WorkspacePlace
  /** What is being done: `set the password`. */
  readonly task: string
  /** What to do where a server runs. */
  readonly otherwise: string
}

/** Names that a message lists. */
const NAMED = 10

/** Resolves to what `work` does, when it is on disk. @throws StartError */
export async function changeAccounts<Result>(
  { workspace, task, otherwise }: AccountWork,
  work: (accounts: Accounts) => Promise<Result>,
): Promise<Result> {
  const maintenance = await maintain(workspace)
  process.umask(0o077)
  let unlock = (): void => undefined
  try {
    unlock = holdAlone(workspace)
    const accounts = await maintenance.openAccounts()
    try {
      return await work(accounts)
    } finally {
      await accounts.close()
    }
  } catch (error) {
    const told = asStartError(error, { failure: `Cannot ${task} in ${maintenance.place}`, database: 'it' })
    if (storageFaultOf(told.cause) !== 'locked') throw told
    throw new StartError(`${told.message}: stop it first, or ${otherwise}`, { cause: told.cause })
  } finally {
    unlock()
  }
}

/** `There is no user bob. The users are: admin, ann` */
export function noSuch(kind: 'user' | 'role', name: string, known: readonly string[]): UsageError {
  const more = known.length > NAMED ? ` and ${known.length - NAMED} more` : ''
  const rest =
    known.length === 0
      ? `The workspace has no ${kind}s yet: start a server on it once`
      : `The ${kind}s are: ${known.slice(0, NAMED).join(', ')}${more}`
  return new UsageError(`There is no ${kind} ${name}. ${rest}`)
}
