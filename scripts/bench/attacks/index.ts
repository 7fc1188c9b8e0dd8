// Every attack that the bench makes.
import type { Attack } from './attack.ts'
import { combiningMarks } from './combining-marks.ts'
import { costlyCompleteness } from './costly-completeness.ts'
import { halfClosedUnread } from './half-closed-unread.ts'
import { heavyPictures } from './heavy-pictures.ts'
import { idleConnections } from './idle-connections.ts'
import { largeLines, legalJson, refusedJson, refusedParsedJson, strangersJson } from './large-json.ts'
import { lazyReaders } from './lazy-readers.ts'
import { longModelChange } from './long-model-change.ts'
import { longPatterns } from './long-pattern.ts'
import { manySchemas } from './many-schemas.ts'
import { pipeliningUnread } from './pipelining-unread.ts'
import { tinyChunks } from './tiny-chunks.ts'

const SECONDS = 1000

export const ATTACKS: readonly Attack[] = [
  pipeliningUnread({ connections: 2, requests: 500, records: 1000, duration: 40 * SECONDS }),
  pipeliningUnread({ connections: 300, requests: 10, records: 1000, duration: 20 * SECONDS }),
  lazyReaders({ connections: 220, records: 4000, duration: 45 * SECONDS }),
  idleConnections({ connections: 4200, duration: 10 * SECONDS }),
  halfClosedUnread({ connections: 500, records: 1000, isSameKey: false, duration: 15 * SECONDS }),
  halfClosedUnread({ connections: 500, records: 1000, isSameKey: true, duration: 15 * SECONDS }),
  tinyChunks({ connections: 900, bytes: 15_000, hasKey: false, duration: 20 * SECONDS }),
  tinyChunks({ connections: 4, bytes: 9_000_000, hasKey: true, duration: 20 * SECONDS }),
  combiningMarks({ marks: 60_000, clients: 4, milliseconds: 20 * SECONDS }),
  strangersJson,
  refusedJson,
  refusedParsedJson,
  legalJson,
  largeLines,
  costlyCompleteness({ milliseconds: 20 * SECONDS, clients: 8, text: 1_000_000 }),
  longPatterns,
  heavyPictures,
  longModelChange(30_000),
  manySchemas({ schemas: 300, attributes: 100, milliseconds: 10 * SECONDS, clients: 4 }),
]
