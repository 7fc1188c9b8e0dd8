// One SFTP connection for `../sftp.ts`: pinned host key, no wait without an end, and no error event without a listener.
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Client, ConnectConfig, SFTPWrapper } from 'ssh2'
import { PermanentError } from '../../src/exports/destination.ts'
import type { RunContext } from '../../src/exports/destination.ts'
import type { SftpConfig } from '../sftp.ts'

/** Keepalives in the time of silence after which a line is given up as dead. */
const KEEPALIVES = 4
/** A server that lives, but answers none of the open requests, is stuck after this many times `timeoutSeconds`. */
const STUCK = 5
const LAST_WISH_MS = 500

type Done<T> = (error: unknown, answer?: T) => void

const PERMANENT_STATUS = new Map([
  [2, 'no such file or directory'],
  [3, 'permission denied'],
])

/** Opens a session or throws; a wrong key, a wrong password or a refused address is a PermanentError. */
export async function openSession(config: SftpConfig, context: RunContext): Promise<Session> {
  const { default: ssh2 } = await import('ssh2')
  const socket = await connectSocket(config, context)
  const session = new Session(new ssh2.Client(), socket, context.signal, config)
  try {
    await session.start()
    return session
  } catch (error) {
    session.close()
    throw error
  }
}

async function connectSocket({ host, port, timeoutSeconds }: SftpConfig, context: RunContext): Promise<Socket> {
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
  try {
    return await context.network.connect(host, port, AbortSignal.any([context.signal, timeout]))
  } catch (error) {
    if (!timeout.aborted || context.signal.aborted) throw error
    throw new Error(`${host}:${port} did not accept a connection within ${timeoutSeconds} s`, { cause: error })
  }
}

/** The SFTP status number of a failed request, or undefined. */
export function statusOf(error: unknown): number | undefined {
  const cause = error instanceof Error ? (error.cause as { code?: unknown; message?: string } | undefined) : undefined
  // ssh2 refuses an extension that the server does not offer before it asks the server.
  if (cause?.message === 'Server does not support this extended request') return 8
  return typeof cause?.code === 'number' ? cause.code : undefined
}

export class Session {
  readonly #client: Client
  readonly #socket: Socket
  readonly #signal: AbortSignal
  readonly #config: SftpConfig
  readonly #who: string
  readonly #pending = new Set<(error: unknown) => void>()
  readonly #watch: NodeJS.Timeout
  #sftp: SFTPWrapper | undefined
  #fault: { readonly error: unknown } | undefined
  #answeredAt = Date.now()
  #heard = { bytes: 0, at: Date.now() }

  constructor(client: Client, socket: Socket, signal: AbortSignal, config: SftpConfig) {
    this.#client = client
    this.#socket = socket
    this.#signal = signal
    this.#config = config
    this.#who = `${config.username}@${config.host}:${config.port}`
    socket.on('error', (error) => this.#halt(error))
    socket.on('close', () => this.#halt(new Error('the connection was closed')))
    client.on('error', (error) => this.#halt(explainConnection(this.#who, error)))
    client.on('close', () => this.#halt(new Error('the server closed the connection')))
    signal.addEventListener('abort', this.#abort, { once: true })
    this.#watch = setInterval(() => this.#look(), 500)
  }

  get sftp(): SFTPWrapper {
    if (!this.#sftp) throw new Error('the session is not open')
    return this.#sftp
  }

  async start(): Promise<void> {
    const { username, password, privateKey, passphrase, timeoutSeconds } = this.#config
    const options: ConnectConfig = {
      sock: this.#socket,
      username,
      ...(privateKey === undefined ? { password, tryKeyboard: true } : { privateKey, passphrase }),
      readyTimeout: timeoutSeconds * 2_000,
      keepaliveInterval: (timeoutSeconds * 1000) / KEEPALIVES,
      // ssh2's own count takes no note of data that arrives, and so gives up slow lines: `#look` decides instead.
      keepaliveCountMax: 1_000_000,
      hostVerifier: (key: Buffer) => this.#isTrusted(key),
    }
    this.#client.on('keyboard-interactive', (_name, _text, _language, prompts, finish) =>
      finish(prompts.map(() => password ?? '')),
    )
    await this.ask<void>(this.#who, (done) => {
      this.#client.once('ready', () => done(undefined))
      this.#client.connect(options)
    })
    this.#sftp = await this.ask<SFTPWrapper>(`${this.#who}: SFTP`, (done) => this.#client.sftp(done))
    this.#sftp.on('error', (error: unknown) => this.#halt(error))
  }

  /** One request. Rejects when the server refuses it (naming `what`), and when the session ends in whatever way. */
  async ask<T>(what: string, request: (done: Done<T>) => void): Promise<T> {
    if (this.#fault) throw this.#fault.error
    if (this.#pending.size === 0) this.#answeredAt = Date.now()
    const answer = Promise.withResolvers<T>()
    this.#pending.add(answer.reject)
    try {
      attempt(what, request, answer)
      return await answer.promise
    } finally {
      this.#answeredAt = Date.now()
      this.#pending.delete(answer.reject)
    }
  }

  /** A last request of a session that may have been aborted: has a second to succeed. */
  async askLast<T>(what: string, request: (done: Done<T>) => void): Promise<T> {
    if (this.#socket.destroyed) throw new Error(`${what}: the connection is gone`)
    const answer = Promise.withResolvers<T>()
    const timer = setTimeout(() => answer.reject(new Error(`${what}: no answer`)), LAST_WISH_MS)
    try {
      attempt(what, request, answer)
      return await answer.promise
    } finally {
      clearTimeout(timer)
    }
  }

  close(): void {
    clearInterval(this.#watch)
    this.#signal.removeEventListener('abort', this.#abort)
    this.#client.end()
    // A dead line never confirms the end.
    setTimeout(() => this.#socket.destroy(), LAST_WISH_MS).unref()
  }

  readonly #abort = (): void => this.#halt(this.#signal.reason)

  #halt(error: unknown): void {
    this.#fault ??= { error }
    for (const reject of this.#pending) reject(this.#fault.error)
    this.#pending.clear()
  }

  #look(): void {
    const now = Date.now()
    if (this.#socket.bytesRead !== this.#heard.bytes) this.#heard = { bytes: this.#socket.bytesRead, at: now }
    const { timeoutSeconds } = this.#config
    const isDead = now - this.#heard.at > timeoutSeconds * 1000
    const isStuck = this.#pending.size > 0 && now - this.#answeredAt > timeoutSeconds * 1000 * STUCK
    if (!isDead && !isStuck) return
    const what = isDead
      ? `nothing was heard for ${timeoutSeconds} s`
      : 'the server lives, but leaves requests unanswered'
    this.#halt(new Error(`${this.#who}: ${what}`))
    this.#socket.destroy()
  }

  #isTrusted(key: Buffer): boolean {
    const { host, hostKeySha256 } = this.#config
    const shown = createHash('sha256').update(key).digest('base64').replace(/=+$/, '')
    // Without a fingerprint the config has acceptAnyHostKey, or it would not have been saved.
    if (hostKeySha256 === undefined || hostKeySha256 === shown) return true
    this.#halt(
      new PermanentError(
        `the host key of ${host} is SHA256:${shown}, not SHA256:${hostKeySha256}: somebody else may be answering`,
      ),
    )
    return false
  }
}

/** Sends a request. ssh2 throws what it can tell without asking the server. */
function attempt<T>(what: string, request: (done: Done<T>) => void, answer: PromiseWithResolvers<T>): void {
  try {
    request((error, value) => (error ? answer.reject(explainStatus(what, error)) : answer.resolve(value as T)))
  } catch (error) {
    answer.reject(explainStatus(what, error))
  }
}

function explainStatus(what: string, error: unknown): Error {
  const { code, message } = error as { code?: unknown; message?: string }
  const permanent = typeof code === 'number' ? PERMANENT_STATUS.get(code) : undefined
  if (permanent !== undefined) return new PermanentError(`${what}: ${permanent}`, { cause: error })
  return new Error(`${what}: ${message ?? String(error)}`, { cause: error })
}

function explainConnection(who: string, error: Error & { level?: string }): Error {
  if (error.level === 'client-authentication') {
    return new PermanentError(`${who}: the server did not accept the user name with this password or key`, {
      cause: error,
    })
  }
  const hasNothingInCommon = error.level === 'handshake' && error.message.includes('no matching')
  const message = `${who}: ${error.message}`
  return hasNothingInCommon ? new PermanentError(message, { cause: error }) : new Error(message, { cause: error })
}
