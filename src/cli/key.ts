// `pimlet key create`: makes an API key in a workspace or on a server. A workspace in a directory must have no running
// server. Contract 3 §8.
import * as v from 'valibot'
import { CONNECTION_FLAGS, WORKSPACE_FLAGS } from '../kernel/settings/config.ts'
import { type Accounts, type Connection, readPlace } from '../kernel/settings/workspace-place.ts'
import { Id, Name } from '../kernel/input/validation.ts'
import { createKey } from '../workspace/maintenance/offline-accounts.ts'
import { makeApiKey } from '../core/accounts/api-keys.ts'
import { UsageError } from '../kernel/machine/start-error.ts'
import { system } from '../kernel/machine/system.ts'
import { call, readJson } from './client.ts'
import type { Command, Given } from './command.ts'
import { assertListed } from './assert-known.ts'
import { ANY_TIME, EXAMPLE_URL } from './database-texts.ts'
import { askForKnownPassword, readPasswordLine } from './password-input.ts'

const ROLES = 'role-admin, role-editor, role-viewer'

export const createKeyCommand: Command = {
  name: 'key create',
  description: 'Make an API key, and print it this once',
  flags: [
    { name: 'name', description: 'What it is for, for the list of keys' },
    { name: 'role', description: `ID of the role that says what it may, such as ${ROLES}` },
    ...WORKSPACE_FLAGS.map((flag) =>
      flag.name === 'data-dir'
        ? { ...flag, description: 'Directory of a workspace that no server runs on' }
        : flag.name === 'database-url'
          ? { ...flag, description: ANY_TIME }
          : flag,
    ),
    ...CONNECTION_FLAGS.filter(({ name }) => name !== 'config').map(({ name, description }) =>
      name === 'url' ? { name, description: 'Or address of the server that runs' } : { name, description },
    ),
    { name: 'username', description: 'Log in to the server as this user, in place of an API key' },
    { name: 'password-stdin', isSwitch: true, description: 'Read the password from standard input, as one line' },
  ],
  examples: [
    [
      'pimlet key create --name shop --role role-viewer --url http://127.0.0.1:8080 --username admin',
      'Of a server that runs; it asks for the password',
    ],
    ['pimlet key create --name scripts --role role-admin --data-dir ./data', 'Before the server is started again'],
    [
      `pimlet key create --name scripts --role role-admin --database-url ${EXAMPLE_URL}`,
      'In a database; servers take the key at their next request',
    ],
    [
      'export PIMLET_API_KEY=$(pimlet key create --name me --role role-editor --data-dir ./data)',
      'For pimlet import and pimlet export',
    ],
  ],
  notes: 'Standard output gets the key and nothing else. DELETE /api/v1/api-keys/:id takes a key back.',
  async run(given) {
    const [name, roleId] = [check(given, 'name', Name), check(given, 'role', Id)]
    const place = readPlace(given.flags)
    const made = 'url' in place ? await askFor(place, given, name, roleId) : await makeIn(place, name, roleId)
    process.stderr.write(`The key ${made.id} (${name}) of the role ${roleId}, shown this once:\n`)
    process.stdout.write(`${made.key}\n`)
    return 0
  },
}

/** @throws UsageError */
function check(given: Given, flag: string, rule: v.GenericSchema<unknown, string>): string {
  const text = given.text(flag)
  if (text === undefined) throw new UsageError(`--${flag} is required; see pimlet key create --help`)
  const result = v.safeParse(rule, text)
  if (result.success) return result.output
  throw new UsageError(`--${flag} ${result.issues[0].message}`)
}

async function makeIn(workspace: Accounts, name: string, roleId: string): Promise<{ id: string; key: string }> {
  const { stored, key } = makeApiKey({ name, roleId }, system)
  await createKey(workspace, stored, system)
  return { id: stored.id, key }
}

async function askFor(
  server: Connection,
  given: Given,
  name: string,
  roleId: string,
): Promise<{ id: string; key: string }> {
  const connection = await authenticate(server, given)
  await assertListed(connection, '/api/v1/roles', '--role', 'role', roleId)
  return readJson(await call(connection, 'POST', '/api/v1/api-keys', asJson({ name, roleId })))
}

async function authenticate(server: Connection, given: Given): Promise<Connection> {
  const username = given.text('username')
  if (username === undefined) {
    if (server.apiKey !== undefined) return server
    throw new UsageError('The server asks who you are: give --username (it asks for the password) or --api-key')
  }
  const password = given.isOn('password-stdin')
    ? await readPasswordLine(process.stdin)
    : await askForKnownPassword(process.stdin, process.stderr, username)
  const login = asJson({ username, password })
  const { url } = server
  const { accessToken } = await readJson<{ accessToken: string }>(
    await call({ url }, 'POST', '/api/v1/auth/login', login),
  )
  return { url, accessToken }
}

function asJson(body: object): { type: string; content: string } {
  return { type: 'application/json', content: JSON.stringify(body) }
}
