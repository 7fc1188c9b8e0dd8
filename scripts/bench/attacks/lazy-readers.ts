// Searches without a limit whose results nobody reads. Each would hold a snapshot, its records in memory, and one of
// the slots for searches.
import { setTimeout as pause } from 'node:timers/promises'
import type { Attack, Target } from './attack.ts'
import { makeRecords, makeViewer, RawConnections } from './raw-connections.ts'

export interface LazyOptions {
  readonly connections: number
  readonly records: number
  readonly duration: number
}

const SEARCH = JSON.stringify({
  criteria: [{ attributeAlias: 'text', operator: 'isNotEmpty' }],
  criteriaOperator: 'and',
})

export function lazyReaders({ connections, records, duration }: LazyOptions): Attack {
  let key = ''
  return {
    name: `${connections} searches of one caller for ${records} records, whose results nobody reads`,
    longestWait: 500,
    async prepare(target) {
      await makeRecords(target, records, 4000)
      key = await makeViewer(target)
    },
    async run(target) {
      const raw = new RawConnections(target.port)
      const head = `POST /api/v1/search HTTP/1.1\r\nHost: x\r\nX-Service-ApiKey: ${key}\r\n`
      const body = `Content-Type: application/json\r\nContent-Length: ${SEARCH.length}\r\n\r\n${SEARCH}`
      const other = searchMeanwhile(target)
      await raw.openMany(connections, head + body)
      await pause(duration)
      const outcome = `${await raw.countEnded()} of ${connections} were cut off, ${await other.end()}`
      raw.close()
      return outcome
    },
  }
}

/** Another client, which searches all the time. */
function searchMeanwhile({ port, adminKey }: Target): { end(): Promise<string> } {
  let isOver = false
  const statuses: number[] = []
  const searching = (async () => {
    while (!isOver) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/search`, {
        method: 'POST',
        headers: { 'x-service-apikey': adminKey, 'content-type': 'application/json' },
        body: JSON.stringify({ ...(JSON.parse(SEARCH) as object), limit: 300 }),
      })
      await response.arrayBuffer()
      statuses.push(response.status)
      await pause(100)
    }
  })()
  return {
    async end() {
      isOver = true
      await searching
      const denied = statuses.filter((status) => status !== 200).length
      if (denied > 0) throw new Error(`another caller was denied ${denied} of ${statuses.length} searches`)
      return `another caller searched ${statuses.length} times`
    },
  }
}
