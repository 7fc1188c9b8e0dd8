// `pimlet demo`: serves a small made-up catalogue (demo/) from a temporary data directory, and suggests first steps. The
// demo works like a user: over HTTP, and with a plugin in the plugins directory. Contract 2 §8.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readDemoFile } from '../kernel/executable/assets.ts'
import { findUnknownVariables, FLAGS, readConfig, readFirstStartSecrets } from '../kernel/settings/config.ts'
import { StartError } from '../kernel/machine/start-error.ts'
import { system } from '../kernel/machine/system.ts'
import { type Command, type Given, warn } from './command.ts'
import { makeDemoCatalogue } from './demo-catalogue.ts'
import { serve } from './serve.ts'
import { own } from '../kernel/own.ts'

/** Settings of `serve` that the demonstration sets itself, and different defaults. */
const OWN = ['data-dir', 'plugins-dir']
const DEFAULTS: Readonly<Record<string, string>> = {
  port: '0',
  'log-level': 'error',
  'workspace-name': 'Tea shop',
}

export const demoCommand: Command = {
  name: 'demo',
  description: 'Serve a small made-up catalogue, to try pimlet',
  flags: FLAGS.filter(({ name }) => !OWN.includes(name)).map((flag) => {
    const defaultText = own(DEFAULTS, flag.name)
    return defaultText === undefined ? flag : { ...flag, defaultText }
  }),
  examples: [['pimlet demo', 'Serve it until Ctrl+C, and print requests that can be tried']],
  notes:
    'Its data is in a new directory for temporary files (TMPDIR), which is removed at the end. Password and API key of its administrator are made up, unless PIMLET_ADMIN_PASSWORD and PIMLET_ADMIN_API_KEY say them.',
  reportsFaults: true,
  run: runDemo,
}

async function runDemo(given: Given): Promise<number> {
  for (const message of findUnknownVariables()) warn(message)
  const dataDir = makeTemporaryDirectory()
  const exported = path.join(dataDir, 'exported')
  const pluginsDir = path.join(dataDir, 'plugins')
  for (const directory of [exported, pluginsDir]) mkdirSync(directory, { mode: 0o700 })
  writeFileSync(path.join(pluginsDir, 'folder.mjs'), readDemoFile('folder.mjs'), { mode: 0o600 })
  const own = { 'data-dir': dataDir, 'plugins-dir': pluginsDir }
  const config = readConfig({ ...given.flags, ...own }, undefined, DEFAULTS)
  const chosen = readFirstStartSecrets()
  const secrets = {
    adminPassword: chosen.adminPassword ?? makeSecret(),
    adminApiKey: chosen.adminApiKey ?? makeSecret(),
  }
  return serve(config, secrets, async (app) => {
    const url = app.url + config.basePath
    const connection = { url: new URL(url), apiKey: secrets.adminApiKey }
    await makeDemoCatalogue(connection, { folder: exported, secret: makeSecret() })
    return describe(url, { ...secrets, ...config }, exported)
  })
}

/** The directory is removed when the process ends, except after `kill -9`. */
function makeTemporaryDirectory(): string {
  let directory: string
  try {
    // Windows and macOS have several names for the directory.
    directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'pimlet-demo-')))
  } catch (error) {
    throw new StartError(`No temporary directory can be made in ${tmpdir()}: ${(error as Error).message}`, {
      cause: error,
    })
  }
  process.on('exit', () => {
    try {
      rmSync(directory, { recursive: true, force: true })
    } catch {
      // Windows keeps files of native code that is still loaded.
    }
  })
  // Closing the terminal ends the demonstration.
  process.on('SIGHUP', () => process.emit('SIGTERM'))
  return directory
}

/** Long enough for an API key, and safe in every shell. */
function makeSecret(): string {
  return system.randomBytes(24).toString('hex')
}

function describe(
  url: string,
  told: { adminPassword: string; adminApiKey: string; dataDir: string; servesConsole: boolean },
  exported: string,
): string {
  const { adminPassword, adminApiKey, dataDir, servesConsole } = told
  // Double quotes mean the same to the shells of all systems.
  const start = servesConsole
    ? `Open ${url}/console/ in a browser: user admin, password ${adminPassword}. Or try it from another terminal:`
    : 'Try it from another terminal:'
  const curl = `curl -H "X-Service-ApiKey: ${adminApiKey}"`
  return `
A made-up tea shop: three languages, two markets, variants, a workflow, exports, an import. ${start}

1. The first teas:
${curl} "${url}/api/v1/records?schemaId=sch-tea&limit=3"

2. Those that say "jasmin" in any language:
${curl} "${url}/api/v1/search/text?query=jasmin"

3. A price list, exported to ${exported}:
${curl} -X POST "${url}/export-jobs/job-german-list/trigger"

Every endpoint, to read about and to try: ${url}/docs in a browser, with that key.
The export goes there by a plugin, one small file: ${path.join(dataDir, 'plugins', 'folder.mjs')}
User admin, password ${adminPassword}. Ctrl+C ends the demonstration and removes ${dataDir}
`
}
