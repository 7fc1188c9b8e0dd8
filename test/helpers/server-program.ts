// Starts a server like `startServer`, but from the built program in TEST_PROGRAM, such as dist/pimlet.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { keyClient } from './client.ts'
import { ADMIN_KEY, ADMIN_PASSWORD, type LogLine, type ServerOptions, type TestServer } from './server.ts'
import { makeTempDirectory } from './temp-directory.ts'

/** Settings whose flags have another name. */
const FLAGS: Readonly<Record<string, string>> = {
  allowDestinations: 'allow-destination',
  corsOrigins: 'cors-origin',
  trustedProxies: 'trust-proxy',
}

export async function startProgram(program: string, options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? makeTempDirectory()
  const logged: LogLine[] = []
  const child = spawn(path.resolve(program), ['--data-dir', dataDir, '--config', writeSettings(options)], {
    env: { PIMLET_ADMIN_API_KEY: ADMIN_KEY, PIMLET_ADMIN_PASSWORD: ADMIN_PASSWORD },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const listening = Promise.withResolvers<string>()
  child.once('close', () => listening.reject(new Error(`${program} ended: ${JSON.stringify(logged)}`)))
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith('{')) logged.push(JSON.parse(line) as LogLine)
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const url = /^pimlet listening on (http:\S+)$/.exec(line)?.[1]
    if (url !== undefined) listening.resolve(url)
  })
  const url = await listening.promise
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return
    const ended = once(child, 'close')
    child.kill('SIGTERM')
    await ended
  }
  return {
    url,
    dataDir,
    dataDirs: [dataDir],
    admin: keyClient(url, ADMIN_KEY),
    anonymous: keyClient(url),
    logged,
    stop,
    async restart() {
      await stop()
      return startProgram(program, { ...options, dataDir })
    },
  }
}

/** Writes a file for --config. */
function writeSettings({
  dataDir: _dataDir,
  allowFaults: _faults,
  testing: _testing,
  ...options
}: ServerOptions): string {
  const settings = { workspaceName: 'Workspace of tests', port: 0, ...options }
  const flagOf = (name: string): string =>
    FLAGS[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const file = path.join(makeTempDirectory(), 'settings.json')
  writeFileSync(
    file,
    JSON.stringify(Object.fromEntries(Object.entries(settings).map(([name, value]) => [flagOf(name), value]))),
  )
  return file
}
