// Hundreds of connections request a large page each, close their sending side, and read nothing. Their pages are made
// for nobody, and delay callers with the same key.
import { setTimeout as pause } from 'node:timers/promises'
import type { Attack } from './attack.ts'
import { makeRecords, makeViewer, RawConnections } from './raw-connections.ts'

export interface HalfClosedOptions {
  readonly connections: number
  readonly records: number
  /** Whether the waiting callers have the same key. */
  readonly isSameKey: boolean
  /** Milliseconds that the attacker waits. */
  readonly duration: number
}

export function halfClosedUnread({ connections, records, isSameKey, duration }: HalfClosedOptions): Attack {
  let key = ''
  return {
    name: `${connections} half-closed connections ask for a page of ${records} records each, and read nothing, with ${isSameKey ? 'the same' : 'another'} key`,
    longestWait: 500,
    async prepare(target) {
      await makeRecords(target, records, 1400)
      key = isSameKey ? target.adminKey : await makeViewer(target)
    },
    async run({ port }) {
      const raw = new RawConnections(port)
      const request = `GET /api/v1/records?limit=1000 HTTP/1.1\r\nHost: x\r\nX-Service-ApiKey: ${key}\r\n\r\n`
      await raw.openMany(connections)
      raw.endMany(request)
      await pause(duration)
      const outcome = `${raw.countClosed()} of ${connections} were closed`
      raw.close()
      return outcome
    },
  }
}
