// `pimlet key create`: from a workspace that nobody serves, and from a server. Contract 3 §8.
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Given } from '../../src/cli/command.ts'
import { createKeyCommand } from '../../src/cli/key.ts'
import { StartError } from '../../src/kernel/machine/start-error.ts'
import { send } from '../helpers/answers.ts'
import { keyClient } from '../helpers/client.ts'
import { assertEnds, runCommand } from '../helpers/command.ts'
import { ADMIN_KEY, ADMIN_PASSWORD, startServer, type TestServer } from '../helpers/server.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

const create = (args: string[], input = '') => runCommand(['key', 'create', ...args], { input })
const viewer = ['--name', 'shop', '--role', 'role-viewer']

async function roleOf(url: string, key: string): Promise<string> {
  return (await send<{ roleId: string }>(keyClient(url, key.trim()), 'GET', '/api/v1/me')).body.roleId
}

describe('pimlet key create', { timeout: 600_000 }, () => {
  it('makes a key in a workspace that nobody serves, and prints nothing else on standard output', async () => {
    const stopped = await startServer()
    await stopped.stop()
    const { dataDir } = stopped
    const { status, stdout, stderr } = await create([...viewer, '--data-dir', dataDir])
    assert.equal(status, 0, stderr)
    assert.match(stdout, /^pim_[\w-]{43}\n$/)
    assert.match(stderr, /^The key key-\S+ \(shop\) of the role role-viewer, shown this once:\n$/)
    assertEnds(
      await create(['--name', 'x', '--role', 'role-none', '--data-dir', dataDir]),
      2,
      'no role role-none',
      'role-admin, role-editor, role-viewer',
    )
    const again = await startServer({ dataDir })
    assert.equal(await roleOf(again.url, stdout), 'role-viewer')
    interface Told {
      items: { entityType: string; action: string; userId: string; origin: object }[]
    }
    const { body, text } = await send<Told>(again.admin, 'GET', '/api/v1/changes?entityType=account')
    assert.deepEqual(
      body.items.map(({ entityType, action, userId, origin }) => [entityType, action, userId, origin]),
      [['apiKey', 'create', 'system', { kind: 'command' }]],
    )
    assert.ok(!text.includes(stdout.trim()))
    await again.stop()
  })

  it('makes one through a server, as a user who gives the password or with a key that may', async () => {
    const as = [...viewer, '--url', server.url]
    const byPassword = await create([...as, '--username', 'admin', '--password-stdin'], `${ADMIN_PASSWORD}\n`)
    assert.equal(byPassword.status, 0, byPassword.stderr)
    assert.equal(await roleOf(server.url, byPassword.stdout), 'role-viewer')
    const byKey = await create([...as, '--api-key', ADMIN_KEY])
    assert.equal(await roleOf(server.url, byKey.stdout), 'role-viewer')
    assertEnds(await create([...as, '--api-key', byKey.stdout.trim()]), 1, '403 PERMISSION_DENIED')
    assertEnds(await create([...as, '--username', 'admin', '--password-stdin'], 'wrong'), 1, '401 UNAUTHORIZED')
    assertEnds(
      await create(['--name', 'x', '--role', 'role-none', '--url', server.url, '--api-key', ADMIN_KEY]),
      2,
      'role-none',
    )
  })

  it('refuses while a server runs, and says how to go on', async () => {
    assertEnds(await create([...viewer, '--data-dir', server.dataDir]), 1, `process ${process.pid}`, '--url')
  })

  it('used wrongly says what is missing', async () => {
    const nowhere = path.join(makeTempDirectory(), 'none')
    const [name, role] = ['x', 'role-viewer']
    const { url } = server
    const wrong: [Record<string, string>, number, ...string[]][] = [
      [{ role, 'data-dir': nowhere }, 2, '--name is required'],
      [{ name, 'data-dir': nowhere }, 2, '--role is required'],
      [{ name: ' ', role, 'data-dir': nowhere }, 2, '--name must not be empty'],
      [{ name, role }, 2, '--data-dir', '--url'],
      [{ name, role, 'data-dir': nowhere, url }, 2, '--data-dir', '--url'],
      [{ name, role, url }, 2, '--username', '--api-key'],
      [{ name, role, url, username: 'admin' }, 2, '--password-stdin'],
      [{ name, role, 'data-dir': nowhere }, 1, nowhere, 'no workspace'],
    ]
    for (const [flags, status, ...named] of wrong)
      await assert.rejects(createKeyCommand.run(new Given(flags, [])), (error: unknown) => {
        assert.ok(error instanceof StartError && error.exitCode === status, String(error))
        return named.every((text) => error.message.includes(text)) || assert.fail(error.message)
      })
  })
})
