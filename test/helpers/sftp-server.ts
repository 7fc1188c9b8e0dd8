// An SFTP server on a directory, made with ssh2's Server: without the extensions posix-rename and fsync, and with
// faults on demand.
import { createHash } from 'node:crypto'
import { close, fstat, mkdtempSync, open, read, rename, rmSync, stat, statSync, unlink, write } from 'node:fs'
import type { Stats } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import ssh2 from 'ssh2'
import type { AuthContext, Connection, FileEntry, SFTPWrapper } from 'ssh2'

const { OPEN_MODE, STATUS_CODE, flagsToString } = ssh2.utils.sftp

export interface SftpServer {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
  /** Private keys that the server accepts; the second is encrypted with `passphrase`. */
  readonly privateKey: string
  readonly encryptedKey: string
  readonly passphrase: string
  /** In the format of `ssh-keygen -l`. */
  readonly fingerprint: string
  /** The directory that the server shows as `/`. */
  readonly root: string
  readonly behaviour: Behaviour
  /** Names of requests in the order of arrival. */
  readonly requests: string[]
  /** Offered credentials, by method. */
  readonly attempts: string[]
  connections: number
  names(directory?: string): Promise<string[]>
  read(name: string, directory?: string): Promise<Buffer | undefined>
  close(): Promise<void>
}

export interface Behaviour {
  /** Whether a rename may replace a file: many servers refuse, some replace. */
  renameReplaces?: boolean
  /** Whether the password is only accepted as the response to a prompt. */
  promptsOnly?: boolean
  /** Sets a status for every request of that name, or `silence`. */
  fails?: { request: string; status: number | 'silence'; message?: string }
  /** Delays each request of that name by milliseconds. */
  slow?: { request: string; milliseconds: number }
  /** Whether `stat` reports one byte too few. */
  losesByte?: boolean
  noSftp?: boolean
}

export async function startSftpServer(behaviour: Behaviour = {}): Promise<SftpServer> {
  const hostKey = makeKey()
  const client = makeKey()
  const passphrase = 'correct horse battery'
  const encrypted = makeKey(passphrase)
  const root = mkdtempSync(join(tmpdir(), 'pimlet-sftp-'))
  const blob = Buffer.from(hostKey.public.split(' ')[1] ?? '', 'base64')
  const sockets = new Set<Socket>()
  const server: SftpServer = {
    host: '127.0.0.1',
    port: 0,
    username: 'exporter',
    password: 'pass word/ö',
    privateKey: client.private,
    encryptedKey: encrypted.private,
    passphrase,
    fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`,
    root,
    behaviour,
    requests: [],
    attempts: [],
    connections: 0,
    names: async (directory = '') => (await readdir(join(root, directory))).sort(),
    read: (name, directory = '') => readFile(join(root, directory, name)).catch(() => undefined),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
      rmSync(root, { recursive: true, force: true })
    },
  }
  const keys = [client.public, encrypted.public].map((key) => ssh2.utils.parseKey(key))
  const ssh = new ssh2.Server({ hostKeys: [hostKey.private] }, (connection) => serve(connection, server, keys))
  const listener = createServer({ noDelay: true }, (socket) => {
    server.connections += 1
    sockets.add(socket.on('close', () => sockets.delete(socket)))
    ssh.injectSocket(socket)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return Object.assign(server, { port: (listener.address() as AddressInfo).port })
}

/** Avoids ed25519, because ssh2 cannot read about one in a thousand of its own keys of this kind. */
function makeKey(passphrase?: string): { private: string; public: string } {
  const encryption = passphrase ? { passphrase, cipher: 'aes256-cbc', rounds: 4 } : {}
  return ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256, ...encryption })
}

type Keys = ReturnType<typeof ssh2.utils.parseKey>[]

function serve(connection: Connection, server: SftpServer, keys: Keys): void {
  // These tests are about clients that disconnect midway.
  connection.on('error', () => undefined)
  connection.on('authentication', (attempt) => {
    server.attempts.push(attempt.method)
    if (isAccepted(attempt, server, keys)) attempt.accept()
    else decline(attempt, server)
  })
  connection.on('session', (accept) => {
    accept().on('sftp', (acceptSftp, reject) => {
      if (server.behaviour.noSftp) reject()
      else new SftpDialogue(acceptSftp(), server).listen()
    })
  })
}

function isAccepted(attempt: AuthContext, server: SftpServer, keys: Keys): boolean {
  if (attempt.username !== server.username) return false
  if (attempt.method === 'password') return attempt.password === server.password && !server.behaviour.promptsOnly
  if (attempt.method !== 'publickey') return false
  const { key, blob, signature, hashAlgo } = attempt
  const known = keys.find((each) => !(each instanceof Error) && each.getPublicSSH().equals(key.data))
  if (!known || known instanceof Error) return false
  // Without a signature the client only asks whether the key would do. `verify` may return an Error.
  const verdict: unknown = !signature || !blob || known.verify(blob, signature, hashAlgo)
  return verdict === true
}

function decline(attempt: AuthContext, { username, password, behaviour }: SftpServer): void {
  if (!behaviour.promptsOnly || attempt.method !== 'keyboard-interactive') {
    return attempt.reject(behaviour.promptsOnly ? ['keyboard-interactive'] : ['password', 'publickey'])
  }
  attempt.prompt([{ prompt: 'Password: ', echo: false }], (answers) =>
    answers[0] === password && attempt.username === username ? attempt.accept() : attempt.reject(),
  )
}

type Reply<T> = (error: NodeJS.ErrnoException | null, value: T) => void

class SftpDialogue {
  readonly #sftp: SFTPWrapper
  readonly #server: SftpServer
  readonly #descriptors = new Set<number>()

  constructor(sftp: SFTPWrapper, server: SftpServer) {
    this.#sftp = sftp
    this.#server = server
  }

  listen(): void {
    const sftp = this.#sftp
    sftp.on('error', () => undefined)
    sftp.on('close', () => this.#closeAll())
    sftp.on('REALPATH', (id, path) =>
      this.#unlessFailing('REALPATH', id, () => sftp.name(id, [entry(posix.resolve('/', path))])),
    )
    sftp.on('STAT', (id, path) => this.#unlessFailing('STAT', id, () => stat(this.#local(path), this.#attributes(id))))
    sftp.on('LSTAT', (id, path) =>
      this.#unlessFailing('LSTAT', id, () => stat(this.#local(path), this.#attributes(id))),
    )
    sftp.on('FSTAT', (id, handle) =>
      this.#unlessFailing('FSTAT', id, () => fstat(number(handle), this.#attributes(id))),
    )
    sftp.on('OPEN', (id, path, flags) => this.#unlessFailing('OPEN', id, () => this.#open(id, path, flags)))
    sftp.on('WRITE', (id, handle, offset, data) =>
      this.#unlessFailing('WRITE', id, () => write(number(handle), data, 0, data.length, offset, this.#status(id))),
    )
    sftp.on('READ', (id, handle, offset, length) =>
      this.#unlessFailing('READ', id, () => this.#read(id, handle, offset, length)),
    )
    sftp.on('CLOSE', (id, handle) => this.#unlessFailing('CLOSE', id, () => this.#close(id, number(handle))))
    sftp.on('REMOVE', (id, path) =>
      this.#unlessFailing('REMOVE', id, () => unlink(this.#local(path), this.#status(id))),
    )
    sftp.on('RENAME', (id, from, to) => this.#unlessFailing('RENAME', id, () => this.#rename(id, from, to)))
  }

  #unlessFailing(name: string, id: number, answer: () => void): void {
    this.#server.requests.push(name)
    const { fails, slow } = this.#server.behaviour
    if (slow?.request === name) return void setTimeout(answer, slow.milliseconds).unref()
    if (fails?.request !== name) return answer()
    if (fails.status !== 'silence') this.#sftp.status(id, fails.status, fails.message)
  }

  #open(id: number, path: string, flags: number): void {
    const exclusive = (flags & OPEN_MODE.EXCL) !== 0 ? 'wx' : flagsToString(flags)
    open(
      this.#local(path),
      exclusive ?? 'r',
      0o644,
      this.#answer(id, (descriptor) => {
        this.#descriptors.add(descriptor)
        this.#sftp.handle(id, handleOf(descriptor))
      }),
    )
  }

  #close(id: number, descriptor: number): void {
    this.#descriptors.delete(descriptor)
    close(descriptor, this.#status(id))
  }

  /** Closes the files that a disconnected client left open. */
  #closeAll(): void {
    for (const descriptor of this.#descriptors) close(descriptor, () => undefined)
    this.#descriptors.clear()
  }

  #read(id: number, handle: Buffer, offset: number, length: number): void {
    read(
      number(handle),
      Buffer.alloc(length),
      0,
      length,
      offset,
      this.#answer(id, (count: number, buffer?: Buffer) =>
        count === 0 ? this.#sftp.status(id, STATUS_CODE.EOF) : this.#sftp.data(id, buffer?.subarray(0, count) ?? ''),
      ),
    )
  }

  #rename(id: number, from: string, to: string): void {
    const isTaken = statSync(this.#local(to), { throwIfNoEntry: false }) !== undefined
    if (isTaken && !this.#server.behaviour.renameReplaces) return this.#sftp.status(id, STATUS_CODE.FAILURE)
    rename(this.#local(from), this.#local(to), this.#status(id))
  }

  #attributes(id: number): Reply<Stats> {
    return this.#answer(id, ({ mode, uid, gid, size, atimeMs, mtimeMs }) => {
      const told = this.#server.behaviour.losesByte ? size - 1 : size
      this.#sftp.attrs(id, { mode, uid, gid, size: told, atime: atimeMs / 1000, mtime: mtimeMs / 1000 })
    })
  }

  #status(id: number): (error: NodeJS.ErrnoException | null) => void {
    return this.#answer(id, () => this.#sftp.status(id, STATUS_CODE.OK))
  }

  #answer<A extends unknown[]>(id: number, answer: (...values: A) => void) {
    return (error: NodeJS.ErrnoException | null, ...values: A): void => {
      if (!error) return answer(...values)
      const known: Record<string, number> = { ENOENT: STATUS_CODE.NO_SUCH_FILE, EACCES: STATUS_CODE.PERMISSION_DENIED }
      this.#sftp.status(id, known[error.code ?? ''] ?? STATUS_CODE.FAILURE)
    }
  }

  #local(path: string): string {
    return join(this.#server.root, posix.resolve('/', path))
  }
}

function entry(filename: string): FileEntry {
  return {
    filename,
    longname: filename,
    attrs: { mode: 0o40755, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 },
  }
}

function handleOf(descriptor: number): Buffer {
  const handle = Buffer.alloc(4)
  handle.writeUInt32BE(descriptor)
  return handle
}

function number(handle: Buffer): number {
  return handle.readUInt32BE(0)
}
