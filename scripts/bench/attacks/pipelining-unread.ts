// Requests hundreds of large pages at once, and reads none: responses that pile up would use the memory.
import { setTimeout as pause } from 'node:timers/promises'
import type { Attack } from './attack.ts'
import { makeRecords, makeViewer, RawConnections } from './raw-connections.ts'

export interface PipeliningOptions {
  readonly connections: number
  readonly requests: number
  readonly records: number
  /** Milliseconds that the attacker waits. */
  readonly duration: number
}

export function pipeliningUnread({ connections, requests, records, duration }: PipeliningOptions): Attack {
  let key = ''
  return {
    name: `${connections} connections ask for ${requests} pages of ${records} records each, and read nothing`,
    longestWait: 500,
    async prepare(target) {
      await makeRecords(target, records, 1400)
      key = await makeViewer(target)
    },
    async run({ port }) {
      const raw = new RawConnections(port)
      const request = `GET /api/v1/records?limit=1000 HTTP/1.1\r\nHost: x\r\nX-Service-ApiKey: ${key}\r\n\r\n`
      await raw.openMany(connections, request.repeat(requests))
      await pause(duration)
      const outcome = `${await raw.countEnded()} of ${connections} were cut off`
      raw.close()
      return outcome
    },
  }
}
