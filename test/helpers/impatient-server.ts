// A program for `startServerProcess`: a server that waits briefly for a receiver of events, and retries soon.
import { parseArgs } from 'node:util'
import { startApp } from '../../src/app/app.ts'
import { createLog } from '../../src/kernel/observing/log.ts'
import { system } from '../../src/kernel/machine/system.ts'
import { configFor } from './server.ts'
import { PATIENCE } from './event-receiver.ts'

const { values } = parseArgs({
  options: { 'data-dir': { type: 'string' }, 'database-url': { type: 'string' } },
  strict: false,
})
const { PIMLET_ADMIN_API_KEY: adminApiKey, PIMLET_ADMIN_PASSWORD: adminPassword } = process.env
const databaseUrl = values['database-url']
const app = await startApp({
  config: {
    ...configFor(String(values['data-dir'])),
    ...(databaseUrl !== undefined && { databaseUrl: String(databaseUrl) }),
    maxRecords: 0,
    allowDestinations: ['127.0.0.1'],
  },
  firstStart: { adminPassword, adminApiKey },
  announcePassword: async () => undefined,
  version: '0.0.0-test',
  log: createLog({ level: 'error', format: 'json', system, write: (line) => process.stderr.write(line) }),
  testing: { eventLimits: { firstBackoff: 20, maxBackoff: 100, patience: PATIENCE } },
})
process.stdout.write(`pimlet listening on ${app.url}\n`)
