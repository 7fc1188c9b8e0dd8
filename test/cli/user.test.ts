// `pimlet user set-password`: the new password holds, the old one and its tokens do not, and nothing of it is shown.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { askForPassword, readPasswordLine } from '../../src/cli/password-input.ts'
import { send } from '../helpers/answers.ts'
import { type Client, tokenClient } from '../helpers/client.ts'
import { assertEnds, runCommand } from '../helpers/command.ts'
import { ADMIN_PASSWORD, startServer, type TestServer } from '../helpers/server.ts'
import { make } from '../helpers/shirts.ts'

async function logIn(client: Client, username: string, password: string): Promise<string | undefined> {
  const answer = await send<{ accessToken: string }>(client, 'POST', '/api/v1/auth/login', { username, password })
  return answer.status === 200 ? answer.body.accessToken : undefined
}

function setPassword(dataDir: string, name: string, password: string, ...more: string[]) {
  const args = ['user', 'set-password', name, '--data-dir', dataDir, '--password-stdin', ...more]
  return runCommand(args, { input: password })
}

async function serve(t: TestContext, dataDir?: string): Promise<TestServer> {
  const server = await startServer(dataDir === undefined ? {} : { dataDir })
  t.after(() => server.stop())
  return server
}

describe('pimlet user set-password', { timeout: 600_000 }, () => {
  it('lets the user in with the new password alone, and ends the sessions', async (t) => {
    const before = await serve(t)
    const user = { username: 'ann', roleId: 'role-viewer', password: 'the first of ann', disabled: true }
    await make(before.admin, '/api/v1/users', user)
    const token = await logIn(before.anonymous, 'admin', ADMIN_PASSWORD)
    assert.ok(token !== undefined)
    await before.stop()

    const result = await setPassword(before.dataDir, 'admin', 'pässword of the future\r\n')
    assert.deepEqual(result, { status: 0, stdout: 'admin has a new password\n', stderr: '' })
    const other = await setPassword(before.dataDir, 'ann', 'the second of ann')
    assert.equal(other.stdout, 'ann has a new password, but is disabled\n')

    const after = await serve(t, before.dataDir)
    assert.equal((await send(tokenClient(after.url, token), 'GET', '/api/v1/me')).status, 401)
    assert.equal(await logIn(after.anonymous, 'admin', ADMIN_PASSWORD), undefined)
    assert.ok((await logIn(after.anonymous, 'admin', 'pässword of the future')) !== undefined)
    interface Told {
      items: { action: string; userId: string; origin: object; changes: object[] }[]
    }
    const changes = await send<Told>(after.admin, 'GET', '/api/v1/changes?entityType=account&limit=1000')
    const told = changes.body.items.filter(({ action }) => action === 'update')
    const set = { field: 'password', oldValue: null, newValue: null }
    assert.deepEqual(
      told.map(({ userId, origin, changes: [change] }) => [userId, origin, change]),
      [
        ['system', { kind: 'command' }, set],
        ['system', { kind: 'command' }, set],
      ],
    )
  })

  it('refuses while a server runs, which would not notice, and says what to do', async (t) => {
    const server = await serve(t)
    const result = await setPassword(server.dataDir, 'admin', 'pässword of the future')
    assertEnds(result, 1, `process ${process.pid}`, 'PATCH /api/v1/users/:id')
    assert.ok((await logIn(server.anonymous, 'admin', ADMIN_PASSWORD)) !== undefined)
  })

  it('refuses unknown users, bad passwords and a missing terminal, in one line without the password', async (t) => {
    const server = await startServer()
    await server.stop()
    const { dataDir } = server
    assertEnds(await setPassword(dataDir, 'admim', 'pässword of the future'), 2, 'no user admim', 'admin')
    assertEnds(await setPassword(dataDir, 'admin', 'short'), 2, 'at least 8')
    assertEnds(await setPassword(dataDir, 'admin', 'one line\nand another'), 2, 'one line')
    assertEnds(await setPassword(dataDir, 'admin', 'x'.repeat(100_000)), 2, 'too long')
    assertEnds(await runCommand(['user', 'set-password', 'admin', '--data-dir', dataDir]), 2, '--password-stdin')
    const usage: [string[], number, string][] = [
      [['user', 'set-password', 'admin', 'secret', '--data-dir', dataDir], 2, 'secret'],
      [['user', 'set-password', 'admin', '--data-dir', `${dataDir}-none`], 1, 'no workspace'],
      [['user', 'set-pasword', 'admin'], 2, 'did you mean pimlet user set-password'],
      [['user'], 2, 'set-password'],
    ]
    await Promise.all(usage.map(async ([args, status, named]) => assertEnds(await runCommand(args), status, named)))
    const again = await serve(t, dataDir)
    assert.ok((await logIn(again.anonymous, 'admin', ADMIN_PASSWORD)) !== undefined)
  })

  it('refuses a workspace whose wal is damaged, and leaves it as it is', async () => {
    const server = await startServer()
    await server.stop()
    const wal = path.join(server.dataDir, 'pimlet.db-wal')
    writeFileSync(wal, 'no wal '.repeat(100))
    const result = await setPassword(server.dataDir, 'admin', 'pässword of the future')
    assertEnds(result, 1, 'pimlet.db', 'pimlet.db-wal is damaged')
    assert.equal(readFileSync(wal, 'utf8'), 'no wal '.repeat(100))
  })
})

describe('A password from a terminal', () => {
  class Terminal extends PassThrough {
    readonly isTTY = true
    readonly modes: boolean[] = []
    setRawMode(isRaw: boolean): void {
      this.modes.push(isRaw)
    }
  }

  async function type(...chunks: string[]): Promise<{ password: string; shown: string }> {
    const terminal = new Terminal()
    let shown = ''
    const asked = askForPassword(terminal, { write: (text: string) => (shown += text) }, () => undefined)
    for (const chunk of chunks) terminal.write(chunk)
    try {
      return { password: await asked, shown }
    } finally {
      assert.deepEqual(terminal.modes, [true, false])
    }
  }

  it('is asked for twice, and not shown', async () => {
    const { password, shown } = await type('geheim', 'es Wort\r', 'geheimes Wort\r')
    assert.equal(password, 'geheimes Wort')
    assert.equal(shown, 'New password: \nOnce more: \n')
    assert.equal((await type('pasted twice\npasted twice\n')).password, 'pasted twice')
  })

  it('can be corrected; keys that are no characters count for nothing', async () => {
    assert.equal((await type('ä😀x\u007f\u007fb', '\u001b[A', '\t\r', 'äb\n')).password, 'äb')
  })

  it('is refused when it was not the same, and left when the user leaves', async () => {
    await assert.rejects(type('one\r', 'other\r'), /not the same/)
    for (const key of ['\u0003', '\u0004'])
      await assert.rejects(type('half', key), { name: 'Interrupted', exitCode: 130 })
  })

  it('is one line of standard input', async () => {
    const read = (...chunks: string[]) => readPasswordLine(Readable.from(chunks))
    assert.equal(await read('a b', ' c\n'), 'a b c')
    assert.equal(await read('kept \r\n'), 'kept ')
    assert.equal(await read(), '')
    await assert.rejects(read('a\nb'), /one line/)
  })
})
