// Runs an OpenSSH SFTP server for tests by `servers/sshd.sh`. Without OpenSSH its tests are skipped
// (`.ci/install-packages` installs it).
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export interface OpenSsh {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
  readonly privateKey: string
  readonly fingerprint: string
  /** The user's home, where a session begins. */
  readonly home: string
  names(directory?: string): Promise<string[]>
  read(name: string, directory?: string): Promise<Buffer | undefined>
  close(): Promise<void>
}

/** Returns the reason why OpenSSH cannot start here, or false. */
export function lacksOpenSsh(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'OpenSSH is tested on Linux as root'
  return existsSync('/usr/sbin/sshd') ? false : 'OpenSSH is not installed: .ci/install-packages'
}

export async function startOpenSsh(): Promise<OpenSsh> {
  const directory = mkdtempSync(join(tmpdir(), 'pimlet-sshd-'))
  const port = await findFreePort()
  const script = join(import.meta.dirname, 'servers/sshd.sh')
  const child = spawn('bash', [script, String(port), directory], { stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  // Kills the whole group, because a session over a dead line outlives the listener.
  const kill = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  process.once('exit', kill)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => (said = (said + String(data)).slice(-20_000)))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const home = join(directory, 'home')
  await waitUntilListening(
    port,
    () => child.exitCode !== null,
    () => said,
  )
  return {
    host: '127.0.0.1',
    port,
    username: 'exportu',
    password: 'exportpw',
    privateKey: await readFile(join(directory, 'client_ed25519'), 'utf8'),
    fingerprint: /host key (SHA256:\S+)/.exec(said)?.[1] ?? '',
    home,
    names: async (below = '') => (await readdir(join(home, below))).sort(),
    read: (name, below = '') => readFile(join(home, below, name)).catch(() => undefined),
    close: async () => {
      process.off('exit', kill)
      kill()
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function waitUntilListening(port: number, hasEnded: () => boolean, said: () => string): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline && !hasEnded()) {
    if (await answers(port)) return
    await pause(50)
  }
  throw new Error(`sshd did not start: ${said()}`)
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const end = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('data', () => end(true)).once('error', () => end(false))
    socket.setTimeout(2_000, () => end(false))
  })
}
