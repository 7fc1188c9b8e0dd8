// `pimlet serve`: runs the server until it is told to stop. Decisions §8.
import { type App, type AppOptions, claimFault, startApp } from '../app.ts'
import { readVersion } from '../assets.ts'
import { type Config, FLAGS, readConfig, readFirstStartSecrets } from '../config.ts'
import { createLog, type Log } from '../log.ts'
import { system } from '../system.ts'
import type { Command } from './command.ts'

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
  run: ({ flags }) => serve(readConfig(flags), readFirstStartSecrets()),
}

/**
 * Resolves to the exit status, after SIGTERM or SIGINT. `prepare` runs before the server is said to listen; what it
 * resolves to is printed after that line.
 */
export async function serve(
  config: Config,
  firstStart: AppOptions['firstStart'],
  prepare: (app: App) => Promise<string> = async () => '',
): Promise<number> {
  const log = createLog({ level: config.logLevel, format: config.logFormat, system })
  const told = waitForSignal()
  endOnFault(log)
  const app = await startApp({ config, firstStart, version: readVersion(), log })
  if (app.randomAdminPassword !== undefined)
    process.stderr.write(`pimlet made the user admin with the password ${app.randomAdminPassword} (shown this once)\n`)
  const more = await prepare(app)
  process.stdout.write(`pimlet listening on ${app.url}\n${more}`)
  const signal = await told
  log.info({ signal }, 'stopping')
  await app.stop()
  log.info({}, 'stopped')
  return 0
}

/** The first signal asks for a stop, a second one ends the process at once. */
function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isTold = false
    for (const name of ['SIGTERM', 'SIGINT'] as const)
      process.on(name, (signal) => {
        if (isTold) process.exit(1)
        isTold = true
        resolve(signal)
      })
  })
}

/** After a fault that nobody caught, nothing in memory can be relied on; what was acknowledged is on disk. Plugins keep to themselves. */
function endOnFault(log: Log): void {
  process.on('uncaughtException', (error) => {
    if (claimFault(error)) return
    log.error({ err: error }, 'unexpected fault: the server ends')
    process.stderr.write('pimlet: an unexpected fault ended the server; the log has it\n')
    process.exit(1)
  })
}
