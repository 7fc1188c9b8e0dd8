// Records of megabytes: nothing holds all of them in memory at once.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import { sharedInSuite } from '../../helpers/shared-in-suite.ts'
import { type Backend, openWithModel } from './backend.ts'
import { appendEntry, entryOf, insertRecord, recordOf } from './fixtures.ts'
import type { SearchQuery } from '../../../src/store/search-port.ts'

const RECORDS = 10
const ids = Array.from({ length: RECORDS }, (_, n) => `ent-${n}`)
const large = 'x'.repeat(14 * 1024 * 1024)
const valuesJson = JSON.stringify({ a: [{ scope: {}, value: large }] })
const change = { attributeAlias: 'a', scope: {}, oldValue: null, newValue: large }

export function describeLargeRecords(backend: Backend): void {
  describe(`${backend.name}: of large records`, () => {
    const storage = sharedInSuite(async (suite) => {
      const opened = await openWithModel(backend, suite)
      for (const id of ids)
        await opened.store.transaction(async (tx) => {
          await insertRecord(tx, recordOf(id, { valuesJson }))
          appendEntry(tx, entryOf('ent-0', { id: `aud-${id}`, action: 'update', changes: [change] }))
        })
      return opened
    })

    it('a page that is too large to be read at once is handed on one after another', async () => {
      const page = { offset: 0, limit: 50 }
      const { read } = storage().store
      assert.equal(await read.records.list({}, page), undefined)
      const asked = { filter: {}, page, view: {}, role: BUILT_IN_ROLES[0]! }
      const { total, batches } = await read.items.list(asked, AbortSignal.timeout(30_000))
      const found: string[] = []
      for await (const batch of batches) {
        assert.ok(batch.length <= 2, 'not many at once')
        assert.ok(batch.every((record) => record.valuesJson === valuesJson))
        found.push(...batch.map(({ id }) => id))
      }
      assert.deepEqual([found, total], [ids, RECORDS])
    })

    it('a search hands on one after another, with or without a page', async () => {
      for (const limit of [null, 100]) {
        const find = { kind: 'criteria', criteria: { criteria: [], criteriaOperator: 'and' } } as const
        const query: SearchQuery = { find, role: BUILT_IN_ROLES[0]!, offset: 0, limit }
        const { total, batches } = await storage().store.read.search(query, AbortSignal.timeout(30_000))
        const found: string[] = []
        for await (const batch of batches) {
          assert.ok(batch.length <= 2, 'not many at once')
          found.push(...batch.map(({ id }) => id))
        }
        assert.deepEqual([found, total], [ids, limit === null ? null : RECORDS])
      }
    })

    it('as many audit entries are read as are not too large together, and the next page goes on', async () => {
      const { audit } = storage().store.read
      let piece = await audit.readTrail('ent-0', { limit: 50 })
      for (; piece.next !== undefined; piece = await audit.readTrail('ent-0', { limit: 50, before: piece.next }))
        assert.equal(piece.entries.length, 1, 'not two at once')
      const seen: number[] = []
      for (let after = 0; ;) {
        const entries = await storage().store.read.audit.listAfter(after, 1000)
        assert.ok(entries.length < 7)
        if (entries.length === 0) break
        seen.push(...entries.map(({ sequence }) => sequence))
        after = seen.at(-1)!
      }
      assert.deepEqual(
        seen,
        Array.from({ length: 2 * RECORDS }, (_, n) => n + 1),
      )
    })
  })
}
