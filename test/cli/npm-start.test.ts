// `npm start` in a checkout, looked at, and stopped as whoever started it would stop it: by a signal to npm.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { bareEnvironment } from '../helpers/command.ts'
import { assertConsole } from '../helpers/console-files.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

it('npm start serves the console of the sources, and passes a SIGTERM on to the server, which stops in order before npm ends', async (t) => {
  const dataDir = path.join(makeTempDirectory(), 'data')
  const args = ['start', '--silent', '--', '--data-dir', dataDir, '--port', '0']
  // A process group of its own, so that a server that is left behind does not stay.
  const npm = spawn('npm', args, {
    cwd: ROOT,
    env: bareEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  t.after(() => killGroup(npm.pid!))
  const ended = once(npm, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    npm.once('exit', () => reject(new Error(text)))
    npm.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more
      const found = /^pimlet listening on (\S+)\n/m.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  assert.equal((await fetch(`${url}/healthz`)).status, 200)
  await assertConsole(url)
  npm.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  await assert.rejects(fetch(`${url}/healthz`))
  assert.ok(!existsSync(path.join(dataDir, 'pimlet.db-wal')))
})

function killGroup(id: number): void {
  try {
    process.kill(-id, 'SIGKILL')
  } catch {
    // Nobody is left.
  }
}
