// Endless bodies in chunks of one byte: parsing each chunk takes time, and buffering each would take memory.
import { setTimeout as pause } from 'node:timers/promises'
import type { Attack } from './attack.ts'
import { RawConnections } from './raw-connections.ts'

export interface TinyChunksOptions {
  readonly connections: number
  /** Bytes of each body, one per chunk. */
  readonly bytes: number
  readonly hasKey: boolean
  /** Milliseconds that the attacker waits. */
  readonly duration: number
}

const CHUNK = '1\r\n \r\n'

export function tinyChunks({ connections, bytes, hasKey, duration }: TinyChunksOptions): Attack {
  return {
    name: `${connections} bodies of ${bytes} bytes in chunks of one byte, ${hasKey ? 'with' : 'without'} a key`,
    longestWait: 500,
    mostMemory: 64 * 1024 ** 2,
    async run({ port, adminKey }) {
      const raw = new RawConnections(port)
      const target = hasKey
        ? `/api/v1/records HTTP/1.1\r\nX-Service-ApiKey: ${adminKey}`
        : '/api/v1/auth/login HTTP/1.1'
      const head = `POST ${target}\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
      await raw.openMany(connections, head + CHUNK.repeat(bytes))
      await pause(duration)
      const outcome = `${await raw.countEnded()} of ${connections} were cut off`
      raw.close()
      return outcome
    },
  }
}
