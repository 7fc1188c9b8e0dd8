// Large pages of changes and of a trail are in memory one after another, as far as `--max-held` demands it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import { ChangeBell } from '../../../src/core/feed/change-bell.ts'
import { createChangeFeed } from '../../../src/core/feed/change-feed.ts'
import { createAuditService } from '../../../src/core/records/audit.ts'
import { HeldMemory } from '../../../src/kernel/held-memory.ts'
import type { Store } from '../../../src/store/port.ts'
import { everywhere, make, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { send } from '../../helpers/answers.ts'

let shop: Workspace
let store: Store
before(async () => {
  shop = await startWorkspace({
    maxRecords: 0,
    testing: { wrapStore: (opened) => (store = opened), passwordCost: 4, checkResponses: true },
  })
  const attributes = [{ alias: 'long', dataType: 'text' }]
  await make(shop.admin, '/api/v1/schemas', { id: 'sch-long', name: 'Long', attributes })
  await make(shop.admin, '/api/v1/records', { id: 'long', schemaId: 'sch-long', values: {} })
  for (let n = 0; n < 12; n += 1)
    await send(shop.admin, 'PUT', '/api/v1/records/long', { values: { long: everywhere(`${n}`.repeat(40_000)) } })
})
after(() => shop.stop())

const caller = { id: 'key-1', kind: 'apiKey', name: 'K', role: BUILT_IN_ROLES[0]! } as const
const { signal } = new AbortController()

/** How many of six pages are there at the same time. Each stays until all six are there, for `patience` milliseconds at most. */
async function countTogether(patience: number, read: (answer: () => Promise<void>) => Promise<void>): Promise<number> {
  let [present, most] = [0, 0]
  const answer = async (): Promise<void> => {
    most = Math.max(most, (present += 1))
    const end = performance.now() + patience
    while (most < 6 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5))
    present -= 1
  }
  await Promise.all(Array.from({ length: 6 }, () => read(answer)))
  return most
}

const PAGES = {
  changes: (held: HeldMemory, limit: number, patience: number) => {
    const feed = createChangeFeed({ store, bell: new ChangeBell(), held })
    const query = { limit, types: new Set(['record'] as const) }
    return countTogether(patience, (answer) => feed.list(caller, query, signal, answer))
  },
  trail: (held: HeldMemory, limit: number, patience: number) => {
    const trail = createAuditService({ store, held })
    return countTogether(patience, (answer) => trail.listOf(caller, 'long', { limit }, { signal, answer }))
  },
}

describe('Pages that are read at once', () => {
  for (const [name, count] of Object.entries(PAGES)) {
    it(`are together if they are small: ${name}`, async () => {
      assert.equal(await count(new HeldMemory(1024), 1, 5000), 6)
    })
    it(`are one after another if they are large and have no room: ${name}`, async () => {
      assert.equal(await count(new HeldMemory(1024), 1000, 50), 1)
      assert.equal(await count(new HeldMemory(1024 ** 3), 1000, 5000), 6)
    })
  }
})
