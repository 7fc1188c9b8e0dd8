// `pimlet serve`: runs the server until a signal stops it. Contract 2 §8.
import { type App, type AppOptions, claimFault, startApp } from '../app/app.ts'
import { readVersion } from '../kernel/executable/assets.ts'
import {
  type Config,
  findUnknownVariables,
  FLAGS,
  readConfig,
  readFirstStartSecrets,
} from '../kernel/settings/config.ts'
import { createLog, type Log } from '../kernel/observing/log.ts'
import { StartError } from '../kernel/machine/start-error.ts'
import { system } from '../kernel/machine/system.ts'
import { type Command, warn } from './command.ts'

export const serveCommand: Command = {
  name: 'serve',
  isDefault: true,
  description: 'Serve a workspace over HTTP',
  flags: FLAGS,
  examples: [
    ['pimlet --data-dir ./data', 'Serve the workspace in ./data on http://127.0.0.1:8080'],
    ['pimlet --data-dir ./data --port 0', 'The same on a free port, which it prints'],
    ['PIMLET_DATA_DIR=./data pimlet', 'Every setting can be a variable'],
  ],
  reportsFaults: true,
  run({ flags }) {
    for (const message of findUnknownVariables()) warn(message)
    return serve(readConfig(flags), readFirstStartSecrets())
  },
}

/**
 * Resolves to the exit status after SIGTERM or SIGINT.
 * @param prepare runs before the server is announced; its result is printed after the announcement
 */
export async function serve(
  config: Config,
  firstStart: AppOptions['firstStart'],
  prepare: (app: App) => Promise<string> = async () => '',
): Promise<number> {
  const log = createLog({ level: config.logLevel, format: config.logFormat, system })
  const told = waitForSignal()
  endOnFault(log)
  const app = await startApp({ config, firstStart, announcePassword, version: readVersion(), log })
  const more = await prepare(app)
  log.info({ maxRecords: config.maxRecords }, limitOf(config))
  process.stdout.write(`pimlet listening on ${app.url}\n${more}`)
  // The check takes as long as a login, so nothing waits for it.
  const warned = warnOfUnknownSecrets(app, log)
  const signal = await told
  log.info({ signal }, 'stopping')
  await warned
  await app.stop()
  log.info({}, 'stopped')
  return 0
}

function limitOf({ maxRecords }: Config): string {
  return maxRecords === 0
    ? 'the workspace may have any number of records (--max-records 0)'
    : `the workspace may have at most ${maxRecords} records, variants included (--max-records)`
}

/** Resolves when the line has left this process. @throws StartError where nobody can read the line */
function announcePassword(password: string): Promise<void> {
  const line = `pimlet makes the user admin with the password ${password} (shown this once)\n`
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(
        new StartError('The password of admin cannot be printed on standard error: set PIMLET_ADMIN_PASSWORD', {
          cause: error,
        }),
      )
    process.stderr.once('error', fail)
    process.stderr.write(line, (error) => {
      if (error) return fail(error)
      process.stderr.off('error', fail)
      resolve()
    })
  })
}

const SECRETS = {
  adminApiKey:
    'PIMLET_ADMIN_API_KEY is no API key of this workspace: it is used at the first start only; pimlet key create makes another key',
  adminPassword:
    'PIMLET_ADMIN_PASSWORD is not the password of the user admin: it is used at the first start only; pimlet user set-password changes it',
} as const

/** Never rejects. */
async function warnOfUnknownSecrets(app: App, log: Log): Promise<void> {
  try {
    for (const name of await app.findUnknownSecrets()) warn(SECRETS[name])
  } catch (error) {
    log.warn({ err: error }, 'the secrets of the first start cannot be compared with those of the workspace')
  }
}

/**
 * Milliseconds within which signals count as one: `npm` forwards a signal that the terminal sends to all its processes
 * anyway.
 */
const SAME_SIGNAL = 1000

/** The first signal requests a stop; a later one ends the process at once. */
function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let toldAt: number | undefined
    for (const name of ['SIGTERM', 'SIGINT'] as const)
      process.on(name, (signal) => {
        toldAt ??= performance.now()
        if (performance.now() - toldAt > SAME_SIGNAL) process.exit(1)
        resolve(signal)
      })
  })
}

/**
 * After an uncaught fault, memory is unreliable, but acknowledged writes are on disk. Faults of plugins stay within the
 * plugins.
 */
function endOnFault(log: Log): void {
  process.on('uncaughtException', (error) => {
    if (claimFault(error)) return
    log.error({ err: error }, 'unexpected fault: the server ends')
    process.stderr.write('pimlet: an unexpected fault ended the server; the log has it\n')
    process.exit(1)
  })
}
