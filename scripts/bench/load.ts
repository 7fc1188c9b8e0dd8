// Drives a server over keep-alive connections, one request at a time on each, from a process other than the server's.
import { connect, type Socket } from 'node:net'
import { ResponseReader } from './response-reader.ts'
import { percentile } from './statistics.ts'

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  /** Returns the bytes of a whole request; undefined: no request is left. */
  readonly nextRequest: () => string | undefined
  /** Milliseconds after which nothing more is sent. */
  readonly milliseconds?: number
  readonly expectedStatus?: number
  /**
   * Polls for responses instead of sleeping. Waking a sleeping process costs the server time, and a virtual machine may
   * have to regain its processor. Polling takes a whole processor.
   */
  readonly isAwake?: boolean
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** Bytes of the bodies. */
  readonly bytes: number
  /** Processor time of the driver, per request. */
  readonly driverMicroseconds: number
}

const STALLED_MILLISECONDS = 60_000
const RECEIVE_BYTES = 65_536

/** @throws where a response has another status, or is missing */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const {
    port,
    connections,
    nextRequest,
    milliseconds = Number.POSITIVE_INFINITY,
    expectedStatus = 200,
    isAwake = false,
  } = options
  const run: Run = { nextRequest, expectedStatus, latencies: [], bytes: 0, end: 0 }
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const before = process.cpuUsage()
  const begin = performance.now()
  run.end = begin + milliseconds
  const sleepless = isAwake ? stayAwake() : undefined
  try {
    await Promise.all(sockets.map((socket) => drive(socket, run)))
  } finally {
    sleepless?.end()
    for (const { socket } of sockets) socket.destroy()
  }
  const seconds = (performance.now() - begin) / 1000
  const used = process.cpuUsage(before)
  const { latencies, bytes } = run
  const requests = latencies.length
  return {
    requests,
    seconds,
    perSecond: requests / seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    max: percentile(latencies, 1),
    bytes,
    driverMicroseconds: (used.user + used.system) / requests,
  }
}

/** Keeps the event loop from waiting, by scheduling work for its next turn. */
function stayAwake(): { end(): void } {
  let next = setImmediate(function again() {
    next = setImmediate(again)
  })
  return { end: () => clearImmediate(next) }
}

interface Run {
  readonly nextRequest: () => string | undefined
  readonly expectedStatus: number
  readonly latencies: number[]
  bytes: number
  /** A time of performance.now(). */
  end: number
}

interface OpenSocket {
  readonly socket: Socket
  /** Set while a load uses the connection. */
  onData: (data: Buffer) => void
}

function open(port: number): Promise<OpenSocket> {
  return new Promise((resolve, reject) => {
    const buffer = Buffer.allocUnsafe(RECEIVE_BYTES)
    // One buffer for all incoming data avoids streams and allocations.
    const onread = {
      buffer,
      callback: (length: number): boolean => {
        opened.onData(buffer.subarray(0, length))
        return true
      },
    }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
    const opened: OpenSocket = { socket, onData: () => undefined }
    socket.once('error', reject)
    socket.once('connect', () => resolve(opened))
  })
}

function drive(opened: OpenSocket, run: Run): Promise<void> {
  const { socket } = opened
  return new Promise((resolve, reject) => {
    let sentAt = 0
    const send = (): void => {
      sentAt = performance.now()
      const request = sentAt < run.end ? run.nextRequest() : undefined
      if (request === undefined) resolve()
      else socket.write(request, 'latin1')
    }
    const reader = new ResponseReader((status, bytes) => {
      run.latencies.push(performance.now() - sentAt)
      run.bytes += bytes
      if (status === run.expectedStatus) send()
      else reject(new Error(`The server answered ${status} where ${run.expectedStatus} was expected`))
    })
    opened.onData = (data) => reader.read(data)
    socket.setTimeout(STALLED_MILLISECONDS, () => reject(new Error('The server does not answer')))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed the connection')))
    send()
  })
}

/** The text of a request. `body` is JSON. */
export function httpRequest(method: string, path: string, key: string, body?: string): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Service-ApiKey: ${key}\r\n`
  if (body === undefined) return `${head}\r\n`
  const bytes = Buffer.from(body)
  return `${head}Content-Type: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n${bytes.toString('latin1')}`
}
