// One SFTP connection for `../sftp.ts`, on ssh2-sftp-client: the host key is pinned, every wait ends, and every error
// event has a listener.
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import type { SFTPWrapper } from 'ssh2'
import type SftpClient from 'ssh2-sftp-client'
import { PermanentError } from '../../src/kernel/destination.ts'
import type { RunContext } from '../../src/kernel/destination.ts'
import type { SftpConfig } from './config.ts'
import { atPlace } from '../shared/faults.ts'
import { explainConnection, explainStatus } from './faults.ts'

/** Keepalives within the time of silence after which a line counts as dead. */
const KEEPALIVES = 4
/** A live server that answers no open request is stuck after this many times `timeoutSeconds`. */
const STUCK = 5
const LAST_WISH_MS = 500

/** Opens a session or throws; a wrong key, a wrong password or a refused address is a PermanentError. */
export async function openSession(config: SftpConfig, context: RunContext): Promise<Session> {
  const { default: Client } = await import('ssh2-sftp-client')
  const socket = await connectSocket(config, context).catch((error: unknown) => {
    throw context.signal.aborted ? error : atPlace(placeOf(config), error)
  })
  // The client would print unhandled events to the console, so the session listens itself.
  const session = new Session(new Client('sftp', {}), socket, context.signal, config)
  try {
    await session.named(() => session.start())
    return session
  } catch (error) {
    session.close()
    throw error
  }
}

type Done<T> = (error: Error | null | undefined, answer: T) => void

/** Turns a request of the client's inner object into a promise. */
export function promise<T>(request: (done: Done<T>) => void): () => Promise<T> {
  return () => new Promise((resolve, reject) => request((error, answer) => (error ? reject(error) : resolve(answer))))
}

/** The server, as messages name it. */
function placeOf({ username, host, port }: SftpConfig): string {
  return `${username}@${host}:${port}`
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

export class Session {
  readonly client: SftpClient
  readonly #socket: Socket
  readonly #signal: AbortSignal
  readonly #config: SftpConfig
  readonly #who: string
  readonly #pending = new Set<(error: unknown) => void>()
  readonly #watch: NodeJS.Timeout
  #raw: SFTPWrapper | undefined
  #fault: { readonly error: unknown } | undefined
  #answeredAt = Date.now()
  #heard = { bytes: 0, at: Date.now() }

  constructor(client: SftpClient, socket: Socket, signal: AbortSignal, config: SftpConfig) {
    this.client = client
    this.#socket = socket
    this.#signal = signal
    this.#config = config
    this.#who = placeOf(config)
    socket.on('error', (error) => this.#halt(error))
    socket.on('close', () => this.#halt(new Error('the connection was closed')))
    client.on('error', (error: Error) => this.#halt(explainConnection(this.#who, error)))
    for (const event of ['end', 'close'])
      client.on(event, () => this.#halt(new Error('the server closed the connection')))
    signal.addEventListener('abort', this.#abort, { once: true })
    this.#watch = setInterval(() => this.#look(), 500)
  }

  /** The wrapper below the client, for functions that the client lacks or does badly; see `../sftp.ts`. */
  get raw(): SFTPWrapper {
    if (!this.#raw) throw new Error('the session is not open')
    return this.#raw
  }

  async start(): Promise<void> {
    const { username, password, privateKey, passphrase, timeoutSeconds } = this.#config
    let stage = this.#who
    this.client.on('ready', () => (stage = `${this.#who}: SFTP`))
    this.client.on('keyboard-interactive', (_name, _text, _language, prompts: unknown[], finish: Finish) =>
      finish(prompts.map(() => password ?? '')),
    )
    const connecting = this.client.connect({
      sock: this.#socket,
      username,
      ...(privateKey === undefined ? { password, tryKeyboard: true } : { privateKey, passphrase }),
      readyTimeout: timeoutSeconds * 2_000,
      keepaliveInterval: (timeoutSeconds * 1000) / KEEPALIVES,
      // ssh2's own count ignores arriving data, and so gives up slow lines: `#look` decides instead.
      keepaliveCountMax: 1_000_000,
      hostVerifier: (key: Buffer) => this.#isTrusted(key),
    })
    connecting.then(
      // A protocol fault is an event of this object, so its listener is added before another byte is read.
      (raw) => raw.on('error', (error: unknown) => this.#halt(error)),
      () => undefined,
    )
    this.#raw = await this.ask(
      () => stage,
      () => connecting,
    )
  }

  /** Names the server in the faults of `work`. */
  async named<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw this.#signal.aborted ? error : atPlace(this.#who, error)
    }
  }

  /** One request. Rejects if the server refuses it (naming `what`), and if the session ends. */
  async ask<T>(what: string | (() => string), request: () => Promise<T>): Promise<T> {
    if (this.#fault) throw this.#fault.error
    if (this.#pending.size === 0) this.#answeredAt = Date.now()
    const end = Promise.withResolvers<never>()
    this.#pending.add(end.reject)
    try {
      return await Promise.race([attempt(what, request), end.promise])
    } finally {
      this.#answeredAt = Date.now()
      this.#pending.delete(end.reject)
    }
  }

  /** Sends a last request, which still has half a second after the session is aborted. */
  async askLast<T>(what: string, request: () => Promise<T>): Promise<T> {
    if (this.#socket.destroyed) throw new Error(`${what}: the connection is lost`)
    const answer = attempt(what, request)
    const end = Promise.withResolvers<never>()
    let timer: NodeJS.Timeout | undefined
    const hurry = (): void => {
      timer ??= setTimeout(() => end.reject(new Error(`${what}: no answer`)), LAST_WISH_MS)
    }
    if (this.#fault) hurry()
    else if (this.#pending.size === 0) this.#answeredAt = Date.now()
    this.#pending.add(hurry)
    try {
      return await Promise.race([answer, end.promise])
    } finally {
      clearTimeout(timer)
      this.#pending.delete(hurry)
    }
  }

  close(): void {
    clearInterval(this.#watch)
    this.#signal.removeEventListener('abort', this.#abort)
    if (this.#raw === undefined) this.#socket.destroy()
    // Not awaited: a dead line never confirms the end.
    this.client.end().catch(() => undefined)
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
    // Settings without a fingerprint have acceptAnyHostKey; no other settings can be saved.
    if (hostKeySha256 === undefined || hostKeySha256 === shown) return true
    this.#halt(
      new PermanentError(
        `the host key of ${host} is SHA256:${shown}, not SHA256:${hostKeySha256}: another server may be answering`,
      ),
    )
    return false
  }
}

type Finish = (answers: string[]) => void

/** Sends a request; translates rejections and thrown errors into pimlet's words. */
async function attempt<T>(what: string | (() => string), request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    throw explainStatus(typeof what === 'string' ? what : what(), error)
  }
}
