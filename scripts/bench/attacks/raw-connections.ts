// Connections of an attacker who writes arbitrary bytes and reads nothing, and records to request.
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Target } from './attack.ts'

const SCHEMA_ID = 'sch-attacked'
const CONNECT_MILLISECONDS = 10_000
const PROBE_MILLISECONDS = 500

/** Creates records with this many characters of text each. */
export async function makeRecords(target: Target, count: number, characters: number): Promise<void> {
  const attributes = [{ alias: 'text', dataType: 'richText' }]
  await target.send('POST', '/api/v1/schemas', { id: SCHEMA_ID, name: 'Attacked', attributes })
  const lines = Array.from({ length: count }, (_, n) => {
    const value = `${n} `.padEnd(characters, 'lorem ipsum ')
    return JSON.stringify({ id: `ent-attacked-${n}`, schemaId: SCHEMA_ID, values: { text: [{ scope: {}, value }] } })
  })
  const response = await fetch(`http://127.0.0.1:${target.port}/api/v1/records/import?mode=create`, {
    method: 'POST',
    headers: { 'x-service-apikey': target.adminKey, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  })
  const { created } = (await response.json()) as { created?: number }
  if (created !== count) throw new Error(`${created} of ${count} records were made`)
}

/** Makes a key that may read records, and little else. */
export async function makeViewer(target: Target): Promise<string> {
  const made = await target.send<{ key: string }>('POST', '/api/v1/api-keys', { name: 'viewer', roleId: 'role-viewer' })
  return made.key
}

export class RawConnections {
  readonly #port: number
  readonly #sockets: Socket[] = []
  #ended = 0

  constructor(port: number) {
    this.#port = port
  }

  /** Opens another connection and writes `text`. Only the socket's own buffer is read. */
  async open(text = ''): Promise<Socket> {
    const socket = connect(this.#port, '127.0.0.1')
    this.#sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => (this.#ended += 1))
    await new Promise<void>((resolve) => {
      socket.once('connect', resolve).once('close', () => resolve())
      setTimeout(resolve, CONNECT_MILLISECONDS).unref()
    })
    if (text !== '') socket.write(text)
    return socket
  }

  /** Opens this many connections, several at a time. */
  async openMany(count: number, text = ''): Promise<void> {
    for (let opened = 0; opened < count; opened += 50)
      await Promise.all(Array.from({ length: Math.min(50, count - opened) }, () => this.open(text)))
  }

  /** Writes `text` on all connections, and closes their sending side. */
  endMany(text: string): void {
    for (const socket of this.#sockets) socket.end(text)
  }

  /** Counts the half-closed connections that the server has closed. */
  countClosed(): number {
    return this.#ended
  }

  /** Counts the connections that the server has closed. A client that reads nothing learns this only by writing. */
  async countEnded(): Promise<number> {
    for (const socket of this.#sockets) if (socket.writable) socket.write('G')
    await pause(PROBE_MILLISECONDS)
    return this.#ended
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}
