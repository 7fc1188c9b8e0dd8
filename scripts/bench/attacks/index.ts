// Every attack that the bench makes.
import type { Attack } from './attack.ts'
import { idleConnections } from './idle-connections.ts'
import { lazyReaders } from './lazy-readers.ts'
import { pipeliningUnread } from './pipelining-unread.ts'

const SECONDS = 1000

export const ATTACKS: readonly Attack[] = [
  pipeliningUnread({ connections: 2, requests: 500, records: 1000, duration: 40 * SECONDS }),
  pipeliningUnread({ connections: 300, requests: 10, records: 1000, duration: 20 * SECONDS }),
  lazyReaders({ connections: 220, records: 4000, duration: 45 * SECONDS }),
  idleConnections({ connections: 2100, duration: 10 * SECONDS }),
]
