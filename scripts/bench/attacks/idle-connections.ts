// One address opens more connections than the server keeps, and sends nothing.
import { setTimeout as pause } from 'node:timers/promises'
import type { Attack } from './attack.ts'
import { RawConnections } from './raw-connections.ts'

export interface IdleOptions {
  readonly connections: number
  readonly duration: number
}

export function idleConnections({ connections, duration }: IdleOptions): Attack {
  return {
    name: `${connections} connections of one address that say nothing`,
    longestWait: 500,
    async run({ port }) {
      const raw = new RawConnections(port)
      await raw.openMany(connections)
      await pause(duration)
      const outcome = `${connections - (await raw.countEnded())} are left of them`
      raw.close()
      return outcome
    },
  }
}
