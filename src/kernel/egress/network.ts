// The way out of the process for destinations: agents, lookup and sockets that refuse the addresses of `address-rules.ts`.
// Contract 2 §6. The rule is applied to the very address that is connected to, so a name that changes its answer gains nothing.
import { lookup as systemLookup } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import { Agent as HttpAgent } from 'node:http'
import type { ClientRequestArgs } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { connect as connectSocket, isIP } from 'node:net'
import type { LookupFunction, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { findRefusal, normalizeHost, parseAllowList, parseLiteral } from './address-rules.ts'
import type { AllowList } from './address-rules.ts'
import { PermanentError } from '../destination.ts'
import type { Network } from '../destination.ts'

interface NetworkOptions {
  /** Values of `--allow-destination`. */
  readonly allow: readonly string[]
  /** How names become addresses; the system's resolver unless a test brings its own. */
  readonly resolve?: LookupFunction
}

type Connected = (error: Error | null, stream: Duplex) => void

const AGENT_OPTIONS = { keepAlive: true, maxSockets: 64, maxFreeSockets: 16 }
/**
 * Milliseconds that a connection waits for the next request to its server. Servers wait longer: a request on a connection that the
 * server just ends would fail.
 */
const KEPT_ALIVE = 1000

export interface GuardedNetwork extends Network {
  /** Why `host` is refused, judged without a DNS look-up; undefined: no reason yet. */
  findRefusal(host: string): string | undefined
}

/** Throws for a malformed entry of `allow`. */
export function createNetwork({ allow, resolve = systemLookup }: NetworkOptions): GuardedNetwork {
  const guard = createGuard(parseAllowList(allow), resolve)
  return {
    httpAgent: guarded(new HttpAgent(AGENT_OPTIONS), guard),
    httpsAgent: guarded(new HttpsAgent(AGENT_OPTIONS), guard),
    lookup: guard.lookup,
    connect: (host, port, signal) => connect(guard, host, port, signal),
    assertAllowed: (host) => assertAllowed(guard, host),
    findRefusal: (host) => guard.judgeAlone(host)?.message,
  }
}

interface Guard {
  readonly lookup: LookupFunction
  /** The refusal of a literal address; undefined for an allowed one and for a name, which `lookup` judges. */
  judgeLiteral(host: string): PermanentError | undefined
  /** As `judgeLiteral`, and also for names that always mean this machine. */
  judgeAlone(host: string): PermanentError | undefined
}

/** The addresses of `localhost` (RFC 6761 §6.3); the resolver chooses. */
const LOOPBACK = ['127.0.0.1', '::1']

function createGuard(allow: AllowList, resolve: LookupFunction): Guard {
  function judge(host: string, address: string): PermanentError | undefined {
    if (allow.hosts.has(normalizeHost(host))) return undefined
    const reason = findRefusal(address, allow)
    return reason === undefined ? undefined : refuse(host, address, reason)
  }
  function judgeLiteral(host: string): PermanentError | undefined {
    const address = parseLiteral(host)
    return address === undefined ? undefined : judge(host, address)
  }
  return {
    judgeLiteral,
    judgeAlone(host) {
      if (!/(^|\.)localhost$/.test(normalizeHost(host))) return judgeLiteral(host)
      const refusals = LOOPBACK.map((address) => judge(host, address))
      return refusals.includes(undefined) ? undefined : refusals[0]
    },
    lookup(host, options, callback) {
      resolve(host, { ...options, all: true }, (error, found) => {
        if (error) return callback(error, [])
        const addresses = found as LookupAddress[]
        const refusal = addresses.map(({ address }) => judge(host, address)).find((each) => each !== undefined)
        const first = addresses[0]
        if (refusal) return callback(refusal, [])
        if (!first) return callback(new Error(`${host} has no address`), [])
        return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
      })
    },
  }
}

function refuse(host: string, address: string, reason: string): PermanentError {
  const shown = normalizeHost(host).slice(0, 253)
  const what = shown === address ? `${shown} is refused` : `${shown} is refused: it resolves to ${address}`
  return new PermanentError(`destination ${what} (${reason}); to permit it start with --allow-destination ${shown}`)
}

/** Refuses options that need no look-up; `lookup` judges names. */
function judgeOptions(guard: Guard, options: ClientRequestArgs): PermanentError | undefined {
  if (options.socketPath) return new PermanentError('destinations may not use a local socket')
  return guard.judgeLiteral(options.host ?? 'localhost')
}

/** Makes the agent check every connection, look names up by the guard, and end connections that nobody uses. */
function guarded<Agent extends HttpAgent>(agent: Agent, guard: Guard): Agent {
  const keep = agent.keepSocketAlive.bind(agent)
  // The agent ends a free socket when the time of the socket is over; a request sets another time.
  agent.keepSocketAlive = (socket) => {
    const isKept: unknown = keep(socket)
    ;(socket as Socket).setTimeout(KEPT_ALIVE)
    return isKept
  }
  const reuse = agent.reuseSocket.bind(agent)
  agent.reuseSocket = (socket, request) => {
    ;(socket as Socket).setTimeout(0)
    reuse(socket, request)
  }
  const create = agent.createConnection.bind(agent)
  agent.createConnection = (options: ClientRequestArgs, connected?: Connected) => {
    const refusal = judgeOptions(guard, options)
    if (refusal) return failLater(refusal, connected)
    return create({ ...options, lookup: guard.lookup }, connected)
  }
  return agent
}

/** A throw would surface in the caller of `http.request`; a late callback becomes the request's `error` event. */
function failLater(error: Error, connected: Connected | undefined): undefined {
  process.nextTick(() => (connected as ((error: Error) => void) | undefined)?.(error))
}

async function connect(guard: Guard, host: string, port: number, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted()
  const bare = normalizeHost(host)
  const refusal = guard.judgeLiteral(bare)
  if (refusal) throw refusal
  const literal = isIP(bare) ? bare : (parseLiteral(bare) ?? bare)
  const socket = connectSocket({ host: literal, port, noDelay: true, lookup: guard.lookup })
  await new Promise<void>((resolve, reject) => {
    const stop = (error: unknown): void => {
      signal.removeEventListener('abort', abort)
      socket.destroy()
      reject(error instanceof Error ? error : new Error('aborted', { cause: error }))
    }
    const abort = (): void => stop(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', stop)
    socket.once('connect', () => {
      signal.removeEventListener('abort', abort)
      socket.off('error', stop)
      resolve()
    })
  })
  return socket
}

async function assertAllowed(guard: Guard, host: string): Promise<void> {
  const bare = normalizeHost(host)
  const refusal = guard.judgeLiteral(bare)
  if (refusal) throw refusal
  if (parseLiteral(bare) !== undefined) return
  await new Promise<void>((resolve, reject) => {
    guard.lookup(bare, { all: true }, (error) => (error ? reject(error) : resolve()))
  })
}
