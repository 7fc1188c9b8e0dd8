// Transactions that take long: others go on meanwhile, and see nothing of them before they have resolved.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PimletError } from '../../../src/kernel/errors.ts'
import type { LongTransaction } from '../../../src/store/port.ts'
import { type Backend, hasCode, openWithModel } from './backend.ts'
import { appendEntry, entryOf, insertRecord, insertRecords, recordOf } from './fixtures.ts'

/** Long enough that it is time for a pause. */
function busy(): void {
  const end = performance.now() + 10
  while (performance.now() < end);
}

const insertSlowly = async (tx: LongTransaction, ids: readonly string[]): Promise<void> => {
  for (const id of ids) {
    await insertRecord(tx, recordOf(id))
    busy()
    await tx.pause()
  }
}

export function describeLongTransactions(backend: Backend): void {
  describe(`${backend.name}: long transactions`, () => {
    it('give way where they pause: reads go on, and see nothing of them', async (test) => {
      const { store } = await openWithModel(backend, test)
      const seen: number[] = []
      let isOver = false
      const ids = Array.from({ length: 12 }, (_, index) => `ent-${index}`)
      const writing = store.longTransaction((tx) => insertSlowly(tx, ids)).finally(() => (isOver = true))
      while (!isOver) {
        const count = await store.read.records.count({})
        if (!isOver) seen.push(count)
        await new Promise((resolve) => setImmediate(resolve))
      }
      await writing
      assert.ok(seen.length >= 2, String(seen.length))
      assert.deepEqual(new Set(seen), new Set([0]))
      assert.equal(await store.read.records.count({}), ids.length)
    })

    it('other transactions run before or after them, in the order of their calls', async (test) => {
      const { store } = await openWithModel(backend, test)
      const order: string[] = []
      const count = (name: string) =>
        store.transaction(async (tx) => {
          const records = await tx.records.count({})
          return () => order.push(`${name} ${records}`)
        })
      const told = async (name: string) => (await count(name))()
      await Promise.all([
        told('before'),
        store.longTransaction((tx) => insertSlowly(tx, ['ent-1', 'ent-2'])).then(() => order.push('long')),
        told('after'),
        store.longTransaction((tx) => insertSlowly(tx, ['ent-3'])),
        told('last'),
      ])
      assert.deepEqual(order, ['before 0', 'long', 'after 2', 'last 3'])
    })

    it('nothing is kept of one that throws after a pause, and nothing is missing in the trail', async (test) => {
      const { store } = await openWithModel(backend, test)
      const failure = new Error('no')
      const failing = store.longTransaction(async (tx) => {
        await insertSlowly(tx, ['ent-1', 'ent-2'])
        throw failure
      })
      await assert.rejects(failing, failure)
      assert.equal(await store.read.records.count({}), 0)
      await insertRecords(store, ['ent-3'])
      assert.deepEqual(
        (await store.read.audit.listAfter(0, 10)).map(({ sequence }) => sequence),
        [1],
      )
    })

    it('a step that fails leaves nothing, neither records nor versions nor room, and the others stay', async (test) => {
      const { store } = await openWithModel(backend, test)
      const failure = new PimletError('CONFLICT', 'no')
      await store.longTransaction(async (tx) => {
        const insert = async (id: string, error?: Error) => {
          await tx.records.reserve(2)
          await insertRecord(tx, recordOf(id))
          busy()
          await tx.pause()
          if (error !== undefined) throw error
        }
        await tx.attempt(() => insert('ent-1'))
        await assert.rejects(
          tx.attempt(() => insert('ent-2', failure)),
          failure,
        )
        await tx.attempt(() => insert('ent-3'))
        await assert.rejects(
          tx.attempt(() => insert('ent-4')),
          hasCode('LIMIT_EXCEEDED'),
        )
      })
      assert.deepEqual(
        (await store.read.audit.listAfter(0, 10)).map(({ sequence, entityId }) => `${sequence} ${entityId}`),
        ['1 ent-1', '2 ent-3'],
      )
      assert.equal(await store.read.records.get('ent-2'), undefined)
      assert.equal(await store.read.records.count({}), 2)
    })

    it('what is read ahead is found as they have left it: changed, given up, gone, made', async (test) => {
      const { store } = await openWithModel(backend, test)
      const large = { valuesJson: JSON.stringify({ name: 'x'.repeat(100_000) }) }
      await insertRecords(store, ['ent-1', 'ent-2', 'ent-3', 'ent-4'])
      await insertRecords(store, ['ent-large'], large)
      const ids = ['ent-1', 'ent-2', 'ent-3', 'ent-4', 'ent-large', 'ent-none']
      const update = async (tx: LongTransaction, id: string, entryId: string): Promise<void> => {
        const before = (await tx.records.get(id))!
        const version = appendEntry(tx, entryOf(id, { id: entryId, action: 'update' }))
        await tx.records.update(before, { ...before, version, valuesJson: '{"name":[]}' })
      }
      const look = (tx: LongTransaction) =>
        Promise.all(
          ids.map(async (id) => {
            const [record, { entries, next }] = [await tx.records.get(id), await tx.audit.readTrail(id, { limit: 2 })]
            return [record?.version, record?.valuesJson.length, entries.map((entry) => entry.id), next]
          }),
        )
      await store.longTransaction(async (tx) => {
        await update(tx, 'ent-4', 'early')
        await tx.readAhead(() => ids, { withTrail: true })
        await update(tx, 'ent-1', 'first')
        const giveUp = tx.attempt(async () => {
          await update(tx, 'ent-2', 'given up')
          throw new PimletError('CONFLICT', 'no')
        })
        await assert.rejects(giveUp, hasCode('CONFLICT'))
        appendEntry(tx, entryOf('ent-3', { id: 'gone', action: 'delete' }))
        await tx.records.delete('ent-3')
        await insertRecord(tx, recordOf('ent-none'))
        await tx.pause()
        assert.deepEqual(await look(tx), [
          [7, 11, ['first', 'aud-ent-1'], 1],
          [2, 2, ['aud-ent-2'], undefined],
          [undefined, undefined, ['gone', 'aud-ent-3'], 3],
          [6, 11, ['early', 'aud-ent-4'], 4],
          [5, large.valuesJson.length, ['aud-ent-large'], undefined],
          [9, 2, ['aud-ent-none'], undefined],
        ])
        const before = await look(tx)
        await tx.readAhead(() => ids, { withTrail: true })
        assert.deepEqual(await look(tx), before)
      })
    })

    it('await nothing else than their own methods, also after a pause', async (test) => {
      const { store } = await openWithModel(backend, test)
      const waiting = store.longTransaction(async (tx) => {
        await insertSlowly(tx, ['ent-1'])
        await sleep(20)
      })
      await assert.rejects(waiting, /awaited something other/)
      assert.equal(await store.read.records.get('ent-1'), undefined)
      await insertRecords(store, ['ent-2'])
    })

    it('closing waits for them', async (test) => {
      const { store, openAfterKill } = await openWithModel(backend, test)
      const writing = store.longTransaction((tx) => insertSlowly(tx, ['ent-1', 'ent-2']))
      await Promise.all([writing, store.close()])
      assert.equal(await (await openAfterKill()).read.records.count({}), 2)
    })
  })
}
