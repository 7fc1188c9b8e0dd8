// Transactions: one after another, all or nothing, durable when they resolve.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from '../../../src/store/port.ts'
import { type Backend, hasCode, openWithModel } from './backend.ts'
import { insertRecord, insertRecords, recordOf } from './fixtures.ts'

export function describeTransactions(backend: Backend): void {
  describe(`${backend.name}: transactions`, () => {
    it('what a transaction wrote is read after it resolved, and after the storage was reopened', async (test) => {
      const { store, reopen } = await openWithModel(backend, test)
      const written = await store.transaction((tx) => insertRecord(tx, recordOf('ent-1', { valuesJson: '{"a":[]}' })))
      assert.deepEqual({ ...(await store.read.records.get('ent-1')) }, written)
      const again = await reopen()
      assert.deepEqual({ ...(await again.read.records.get('ent-1')) }, written)
    })

    it('what a transaction wrote is there when the process dies as soon as it resolved', async (test) => {
      const { store, openAfterKill } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1', 'ent-2'])
      const again = await openAfterKill()
      assert.equal(await again.read.records.count({}), 2)
      assert.equal((await again.read.audit.listAfter(0, 10)).length, 2)
    })

    it('nothing is kept of a transaction that throws, and its error is passed on', async (test) => {
      const { store } = await openWithModel(backend, test)
      const failure = new Error('no')
      const failing = store.transaction(async (tx) => {
        await insertRecord(tx, recordOf('ent-1'))
        throw failure
      })
      await assert.rejects(failing, failure)
      assert.equal(await store.read.records.get('ent-1'), undefined)
      assert.equal(await store.read.records.count({}), 0)
      assert.deepEqual(await store.read.audit.listAfter(0, 10), [])
    })

    it('one that throws takes none of its neighbours with it', async (test) => {
      const { store } = await openWithModel(backend, test)
      const results = await Promise.allSettled(
        Array.from({ length: 30 }, (_, index) =>
          store.transaction(async (tx) => {
            await insertRecord(tx, recordOf(`ent-${index}`))
            if (index % 3 === 0) throw new Error('no')
          }),
        ),
      )
      assert.equal(results.filter((result) => result.status === 'rejected').length, 10)
      assert.equal(await store.read.records.count({}), 20)
    })

    it('transactions run one after another: none reads what another is about to change', async (test) => {
      const { store } = await openWithModel(backend, test)
      await Promise.all(
        Array.from({ length: 50 }, () =>
          store.transaction(async (tx) => {
            const count = await tx.records.count({})
            if (count < 10) await insertRecord(tx, recordOf(`ent-${count}`))
          }),
        ),
      )
      assert.equal(await store.read.records.count({}), 10)
    })

    it('those that touch the same key take effect in the order of their calls', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction((tx) => tx.catalogs.insert({ id: 'cat-1', name: '' }))
      await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          store.transaction(async (tx) => {
            const catalog = await tx.catalogs.get('cat-1')
            await tx.catalogs.update({ id: 'cat-1', name: `${catalog!.name} ${index}` })
          }),
        ),
      )
      const order = Array.from({ length: 40 }, (_, index) => ` ${index}`).join('')
      assert.equal((await store.read.catalogs.get('cat-1'))!.name, order)
    })

    it('records stand in lists in the order of the calls, also where some of them look something up first', async (test) => {
      const { store } = await openWithModel(backend, test)
      const ids = Array.from({ length: 40 }, (_, index) => `ent-${index}`)
      await Promise.all(
        ids.map((id, index) =>
          store.transaction(async (tx) => {
            for (let looks = index % 3; looks > 0; looks -= 1) await tx.records.get(`none-${looks}`)
            await insertRecord(tx, recordOf(id))
            if (index % 4 > 0) return
            const record = (await tx.records.get(id))!
            await tx.records.update(record, { ...record, version: 99 })
          }),
        ),
      )
      const { items } = (await store.read.records.list({}, { offset: 0, limit: 50 }))!
      assert.deepEqual(
        items.map(({ id, version }) => [id, version === 99]),
        ids.map((id, index) => [id, index % 4 === 0]),
      )
    })

    for (const [what, isOther] of [
      ['look something up first', () => false],
      ['look something up first, write several, nothing or are refused', (index: number) => index % 10],
    ] as const)
      it(`changes get their versions in the order of the calls, also where some ${what}`, async (test) => {
        const { store } = await openWithModel(backend, test)
        const write = (index: number) =>
          store.transaction(async (tx) => {
            for (let looks = index % 3; looks > 0; looks -= 1) await tx.records.get(`none-${index}-${looks}`)
            if (isOther(index) === 7) return []
            const made = [await insertRecord(tx, recordOf(`ent-${index}`))]
            if (isOther(index) === 4) made.push(await insertRecord(tx, recordOf(`more-${index}`)))
            if (isOther(index) === 9) throw new Error('refused')
            return made
          })
        const written = await Promise.all(Array.from({ length: 40 }, (_, index) => write(index).catch(() => [])))
        const made = written.flat()
        assert.deepEqual(
          made.map(({ version }) => version),
          made.map((_, index) => made[0]!.version + index),
        )
        const entries = await store.read.audit.listAfter(made[0]!.version - 1, 100)
        assert.deepEqual(
          entries.map(({ entityId, sequence }) => [entityId, sequence]),
          made.map(({ id, version }) => [id, version]),
        )
      })

    it('a transaction reads its own writes, and others see them when it has resolved', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        await insertRecord(tx, recordOf('ent-1'))
        assert.equal((await tx.records.get('ent-1'))?.id, 'ent-1')
        assert.equal((await tx.records.list({}, { offset: 0, limit: 5 }))!.total, 1)
        assert.equal((await tx.audit.readTrail('ent-1', { limit: 5 })).entries.length, 1)
      })
      assert.equal((await store.read.records.get('ent-1'))?.id, 'ent-1')
    })

    it('a transaction that awaits something else than its own methods is refused', async (test) => {
      const { store } = await openWithModel(backend, test)
      const waiting = store.transaction(async (tx) => {
        await insertRecord(tx, recordOf('ent-1'))
        await sleep(20)
      })
      await assert.rejects(waiting, /awaited something other/)
      assert.equal(await store.read.records.get('ent-1'), undefined)
      await store.transaction((tx) => insertRecord(tx, recordOf('ent-2')))
    })

    it('what goes on after it was refused can write nothing more', async (test) => {
      const { store } = await openWithModel(backend, test)
      let goneOn: Promise<unknown> | undefined
      const waiting = store.transaction((tx) => {
        const work = sleep(20).then(() => insertRecord(tx, recordOf('ent-1')))
        goneOn = work.catch((error: unknown) => error)
        return work
      })
      await assert.rejects(waiting, /awaited something other/)
      assert.match(String(await goneOn), /after its end/)
      assert.equal(await store.read.records.get('ent-1'), undefined)
      assert.deepEqual(await store.read.audit.listAfter(0, 10), [])
    })

    it('a transaction is of no use when it is over', async (test) => {
      const { store } = await openWithModel(backend, test)
      let escaped: Transaction | undefined
      await store.transaction(async (tx) => {
        escaped = tx
      })
      assert.throws(() => escaped!.records, /after its end/)
    })

    it('calm comes: work that can wait goes on while nobody writes', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.whenCalm()
    })

    it('closing waits for what was begun, and may be asked for twice', async (test) => {
      const { store, openAfterKill } = await openWithModel(backend, test)
      const writing = insertRecords(store, ['ent-1'])
      await Promise.all([writing, store.close(), store.close()])
      const again = await openAfterKill()
      assert.equal(await again.read.records.count({}), 1)
    })

    it('a closed storage answers UNAVAILABLE', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.ping()
      await store.close()
      await assert.rejects(store.ping(), hasCode('UNAVAILABLE'))
      await assert.rejects(
        store.transaction(async () => {}),
        hasCode('UNAVAILABLE'),
      )
    })
  })
}
