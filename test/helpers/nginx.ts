// Runs nginx for tests of servers behind a reverse proxy. Without nginx its tests are skipped (`.ci/install-packages`
// installs it).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeTempDirectory } from './temp-directory.ts'

const PROGRAM = '/usr/sbin/nginx'

/** Returns the reason why nginx cannot start here, or false. */
export function lacksNginx(): string | false {
  return existsSync(PROGRAM) ? false : 'nginx is not installed: .ci/install-packages'
}

export interface Nginx {
  readonly url: string
  stop(): Promise<void>
}

/** @param locations of the server, in the syntax of nginx's configuration */
export async function startNginx(locations: string): Promise<Nginx> {
  const directory = makeTempDirectory()
  const port = await findFreePort()
  writeFileSync(path.join(directory, 'nginx.conf'), configuration(port, locations, process.getuid?.() === 0))
  const child = spawn(PROGRAM, ['-p', directory, '-e', 'stderr', '-c', 'nginx.conf'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  let said = ''
  child.stderr.on('data', (data) => (said += String(data)))
  const url = `http://127.0.0.1:${port}`
  while (!(await isListening(url))) {
    if (child.exitCode !== null) throw new Error(`nginx did not start: ${said}`)
    await pause(20)
  }
  return {
    url,
    async stop() {
      process.off('exit', kill)
      child.kill('SIGTERM')
      await ended
    },
  }
}

function configuration(port: number, locations: string, isRoot: boolean): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`)
  return `${isRoot ? 'user root;' : ''}
daemon off;
pid nginx.pid;
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    ${locations}
  }
}
`
}

async function isListening(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
