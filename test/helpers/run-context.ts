// What a destination is given when the runner calls it, for tests: a RunContext with leftovers in memory, the log as an
// array, and a Network that lets loopback through (the real one, with the address guard, is `src/kernel/egress/network.ts`).
import { lookup } from 'node:dns'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { connect, type Socket } from 'node:net'
import { PermanentError, type Leftovers, type Network, type RunContext } from '../../src/kernel/destination.ts'

export interface TestRunContext extends RunContext {
  readonly leftovers: MemoryLeftovers
  readonly lines: string[]
}

export interface MemoryLeftovers extends Leftovers {
  readonly names: string[]
}

export interface TestNetwork extends Network {
  /** Hosts requested by an agent, `connect` or `assertAllowed`, in order. */
  readonly asked: string[]
  /** Ends idle connections; must be called after the test. */
  close(): void
}

export function makeRunContext(over: Partial<RunContext> = {}): TestRunContext {
  const lines: string[] = []
  const context = {
    jobId: 'job-test',
    runId: `run-${Math.random().toString(36).slice(2)}`,
    attempt: 1,
    signal: new AbortController().signal,
    network: sharedNetwork,
    log: (message: string) => void lines.push(message),
    ...over,
    lines,
  }
  return { ...context, leftovers: (over.leftovers as MemoryLeftovers | undefined) ?? makeLeftovers() }
}

export function makeLeftovers(...first: string[]): MemoryLeftovers {
  const names = [...first]
  return {
    names,
    list: async () => [...names],
    note: async (name) => {
      if (!names.includes(name)) names.push(name)
    },
    forget: async (name) => {
      const at = names.indexOf(name)
      if (at >= 0) names.splice(at, 1)
    },
  }
}

/**
 * Makes a network that reaches every host except those in `refuse`, and records requested hosts.
 * @param rebound the name changes its address after the check, so that only the connection reveals the new one
 */
export function makeNetwork(refuse: readonly string[] = [], { rebound = false } = {}): TestNetwork {
  const asked: string[] = []
  const pass = (host: string): void => {
    asked.push(host)
    if (refuse.includes(host)) throw new PermanentError(`the address ${host} may not be reached`)
  }
  const httpAgent = watched(new HttpAgent({ keepAlive: false }), pass)
  const httpsAgent = watched(new HttpsAgent({ keepAlive: false }), pass)
  return {
    asked,
    httpAgent,
    httpsAgent,
    lookup,
    connect: async (host, port, signal) => {
      pass(host)
      return openSocket(host, port, signal)
    },
    assertAllowed: async (host) => (rebound ? undefined : pass(host)),
    close: () => {
      httpAgent.destroy()
      httpsAgent.destroy()
    },
  }
}

/** One network for all tests that do not inspect it. */
const sharedNetwork = makeNetwork()

type Connecting = { createConnection(options: { host?: string | null }, done?: (error: unknown) => void): unknown }

function watched<A extends HttpAgent>(agent: A, pass: (host: string) => void): A {
  const inner = agent as unknown as Connecting
  const original = inner.createConnection.bind(agent)
  inner.createConnection = (options, done) => {
    try {
      pass(options.host ?? 'localhost')
    } catch (error) {
      // The error is an event of the request, like any connection fault: a throw would reach the caller of the request.
      process.nextTick(() => done?.(error))
      return undefined
    }
    return original(options, done)
  }
  return agent
}

function openSocket(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    const stop = () => socket.destroy(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    signal.addEventListener('abort', stop, { once: true })
    socket.once('error', reject)
    socket.once('connect', () => {
      signal.removeEventListener('abort', stop)
      socket.off('error', reject)
      resolve(socket)
    })
  })
}
