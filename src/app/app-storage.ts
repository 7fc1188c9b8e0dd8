// The store of the workspace, opened for a server: a part of the composition root (`app.ts`). Contract 2 §8.
import { PimletError } from '../kernel/errors.ts'
import { type DataDirectory, KEY_FILES, keyPrintOf, nameOfDirectory } from '../kernel/machine/data-directory.ts'
import { isOfSystem } from '../kernel/machine/whole-files.ts'
import { StartError } from '../kernel/machine/start-error.ts'
import { system } from '../kernel/machine/system.ts'
import { asStartError } from '../workspace/maintenance/start-faults.ts'
import type { Log } from '../kernel/observing/log.ts'
import type { Config } from '../kernel/settings/config.ts'
import type { News, Store } from '../store/port.ts'
import { describeDatabase, locationOf, openStore } from '../workspace/storages.ts'

interface WorkspaceOptions {
  readonly directory: DataDirectory
  readonly onCommit: readonly ((transactions: number) => void)[]
  readonly onNews: (news: News) => void
  readonly config: Config
  readonly log: Log
}

/** @throws StartError */
export async function openWorkspace({ directory, onCommit, onNews, config, log }: WorkspaceOptions): Promise<Store> {
  const store = await open(directory, config, {
    queryTimeout: config.queryTimeout * 1000,
    onCommit,
    onNews,
    onFault: (message, error) => log.error({ err: error }, message),
    onUpgrade: (sentence) => log.info({}, sentence),
    onWarning: (message) => log.warn({}, message),
  })
  try {
    await assertOwnKeys(store, directory)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

async function open(
  directory: DataDirectory,
  { databaseUrl, dataDir }: Config,
  options: Parameters<typeof openStore>[1],
): Promise<Store> {
  try {
    const home = databaseUrl === undefined ? undefined : nameOfDirectory(dataDir, system)
    return await openStore(locationOf({ dataDir, databaseUrl }), { ...options, home })
  } catch (error) {
    const place = databaseUrl === undefined ? `the database ${directory.databaseFile}` : describeDatabase(databaseUrl)
    throw asStartError(error, { failure: `Cannot open ${place}`, database: 'it' })
  }
}

/** With other keys the server would refuse the tokens of other servers, and could not open their secrets. @throws StartError */
async function assertOwnKeys(store: Store, directory: DataDirectory): Promise<void> {
  const print = keyPrintOf(directory)
  if ((await store.agreeOnKeys(print)) === print) return
  throw new StartError(
    `The keys in ${directory.path} are not those of the workspace: copy ${KEY_FILES.join(' and ')} from the data directory of a server that serves it`,
  )
}

/** Returns faults of storage and files during the start as StartError, because the user can mend these; others unchanged. */
export function explainStart(error: unknown, { dataDir, databaseUrl }: Config): unknown {
  const cause = causeOf(error)
  if (cause === error && !isOfSystem(error)) return error
  if (databaseUrl !== undefined && error instanceof PimletError)
    return asStartError(cause, { failure: `Cannot use ${describeDatabase(databaseUrl)}`, database: 'it' })
  const place = isOfSystem(cause) ? (cause.path ?? dataDir) : dataDir
  return asStartError(cause, { failure: `The data directory cannot be used: ${place}`, database: 'the database' })
}

function causeOf(error: unknown): unknown {
  return error instanceof PimletError ? error.cause : error
}
