// A TCP proxy between a destination and its server that can break the link in the ways real links break: a reset, a
// black hole, a slow line, a refused connection. Bytes are counted in the direction client → server.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpProxy {
  readonly host: string
  readonly port: number
  /** Bytes that came from clients since the last change of behaviour. */
  readonly received: number
  /** Connections accepted since the start. */
  readonly connections: number
  /** Restores a good link for new connections; connections in a black hole are reset. */
  pass(): void
  /** Resets every connection, old and new, after that many bytes over all connections together. */
  resetAfter(bytes: number): void
  /** Silently stops all data in both directions after that many bytes. */
  blackHoleAfter(bytes: number): void
  /** Stops data from the server after that many bytes, while data to the server continues. */
  muteAfter(bytes: number): void
  /** Client → server at about this speed. */
  slowTo(bytesPerSecond: number): void
  /** Waits until that many bytes came from clients since the last change of behaviour. */
  waitFor(bytes: number): Promise<void>
  /** Simulates a dead server: connections are reset, and new ones refused. */
  kill(): Promise<void>
}

interface State {
  mode: 'pass' | 'reset' | 'black-hole' | 'mute' | 'slow'
  limit: number
  received: number
  connections: number
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
}

/** Where the server listens. */
type Target = { readonly host: string; readonly port: number } | { readonly path: string }

export async function startTcpProxy(target: Target): Promise<TcpProxy> {
  const state: State = { mode: 'pass', limit: 0, received: 0, connections: 0 }
  const pairs = new Set<Pair>()
  const listener = createServer({ noDelay: true, allowHalfOpen: true }, (client) =>
    accept(client, target, state, pairs),
  )
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const change = (mode: State['mode'], limit: number): void => {
    // A restored link has lost its connections.
    if (state.mode === 'black-hole' || (mode === 'reset' && limit === 0)) resetAll(pairs)
    Object.assign(state, { mode, limit, received: 0 })
  }
  return {
    host: '127.0.0.1',
    port: (listener.address() as AddressInfo).port,
    get received() {
      return state.received
    },
    get connections() {
      return state.connections
    },
    pass: () => change('pass', 0),
    resetAfter: (bytes) => change('reset', bytes),
    blackHoleAfter: (bytes) => change('black-hole', bytes),
    muteAfter: (bytes) => change('mute', bytes),
    slowTo: (bytesPerSecond) => change('slow', bytesPerSecond),
    waitFor: async (bytes) => {
      while (state.received < bytes) await pause(10)
    },
    kill: async () => {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()))
      resetAll(pairs)
      await closed
    },
  }
}

function accept(client: Socket, target: Target, state: State, pairs: Set<Pair>): void {
  state.connections++
  // Peers that disconnect midway are the purpose of this proxy, and no fault.
  client.on('error', () => undefined)
  if (state.mode === 'reset' && state.received >= state.limit) return reset(client)
  const server = connect({ ...target, noDelay: true, allowHalfOpen: true })
  const pair = { client, server }
  pairs.add(pair)
  server.on('error', () => reset(client))
  void forward(client, server, state, pairs)
  void answer(client, server, state)
  client.on('close', () => {
    // In a black hole, the server does not learn of the close either.
    if (state.mode === 'black-hole') return
    pairs.delete(pair)
    server.destroy()
  })
  server.on('close', () => {
    if (state.mode !== 'black-hole') client.destroy()
  })
}

async function forward(client: Socket, server: Socket, state: State, pairs: Set<Pair>): Promise<void> {
  try {
    for await (const chunk of client as AsyncIterable<Buffer>) {
      const before = state.received
      state.received += chunk.length
      if (state.mode === 'slow') await pause((chunk.length / state.limit) * 1000)
      if (state.mode === 'reset' && state.received > state.limit) {
        server.write(chunk.subarray(0, Math.max(0, state.limit - before)))
        return resetAll(pairs)
      }
      if (state.mode === 'black-hole' && state.received > state.limit) return await never(client)
      if (server.destroyed) return reset(client)
      if (!server.write(chunk)) await new Promise((resolve) => server.once('drain', resolve).once('close', resolve))
    }
    server.end()
  } catch {
    reset(server)
  }
}

async function answer(client: Socket, server: Socket, state: State): Promise<void> {
  try {
    for await (const chunk of server as AsyncIterable<Buffer>) {
      if (state.mode === 'black-hole' && state.received > state.limit) return await never(client)
      // The chunk is lost, the connection stays open, and data from the client continues.
      if (state.mode === 'mute' && state.received > state.limit) return await closing(client)
      if (!client.write(chunk)) await new Promise((resolve) => client.once('drain', resolve).once('close', resolve))
    }
    client.end()
  } catch {
    reset(client)
  }
}

function resetAll(pairs: Set<Pair>): void {
  for (const { client, server } of pairs) {
    reset(client)
    reset(server)
  }
  pairs.clear()
}

/**
 * After `end()`, libuv refuses a reset, and Node would keep the handle open and busy for ever. A socket without an
 * address, such as a Unix socket, supports no reset.
 */
function reset(socket: Socket): void {
  if (socket.writableEnded || socket.remoteAddress === undefined) socket.destroy()
  else socket.resetAndDestroy()
}

/** Keeps the connection unread until the client closes it; leaving the loop would close the connection. */
function never(client: Socket): Promise<void> {
  client.pause()
  return closing(client)
}

function closing(client: Socket): Promise<void> {
  return new Promise((resolve) => client.once('close', () => resolve()))
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
