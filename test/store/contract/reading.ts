// Reads that agree, how new what is read is, and what a storage tells of itself.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Backend, openWithModel } from './backend.ts'
import { insertRecord, insertRecords, recordOf } from './fixtures.ts'

export function describeReading(backend: Backend): void {
  describe(`${backend.name}: reads that agree`, () => {
    it('all of them see one moment, whatever is committed meanwhile', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1', 'ent-2'])
      let isOver = false
      const writing = (async () => {
        for (let round = 0; !isOver; round += 1)
          await store.transaction(async (tx) => {
            for (const id of ['ent-1', 'ent-2']) {
              const before = (await tx.records.get(id))!
              await tx.records.update(before, { ...before, version: tx.newVersion(), updatedBy: `usr-${round}` })
            }
          })
      })()
      const readBoth = () =>
        store.snapshot(async (reads) => [
          (await reads.records.get('ent-1'))!.updatedBy,
          (await reads.records.list({}, { offset: 1, limit: 1 }))!.items[0]!.updatedBy,
          (await reads.records.getMany(['ent-2'])).get('ent-2')!.updatedBy,
        ])
      const seen = new Set<string>()
      const end = performance.now() + 300
      while (performance.now() < end || seen.size < 5) {
        for (const read of await Promise.all([readBoth(), readBoth(), readBoth()])) {
          assert.equal(new Set(read).size, 1, read.join(', '))
          seen.add(read[0]!)
        }
        await sleep(1)
      }
      isOver = true
      await writing
    })

    it('nothing is missing of what was committed before', async (test) => {
      const { store } = await openWithModel(backend, test)
      for (let index = 0; index < 20; index += 1) {
        await store.transaction((tx) => insertRecord(tx, recordOf(`ent-${index}`)))
        assert.equal(await store.snapshot((reads) => reads.records.count({})), index + 1)
      }
    })

    it('what they throw is passed on, and reads that await something else come to an end', async (test) => {
      const { store } = await openWithModel(backend, test)
      const failure = new Error('no')
      const failing = store.snapshot(async (reads) => {
        await reads.model()
        throw failure
      })
      await assert.rejects(failing, failure)
      let runs = 0
      const waiting = store.snapshot(async (reads) => {
        runs += 1
        await reads.records.count({})
        await sleep(2)
      })
      await waiting.catch((error: unknown) => assert.match(String(error), /awaited something other/))
      assert.ok(runs > 0 && runs < 100)
    })
  })

  describe(`${backend.name}: what it tells of itself`, () => {
    it('its location can be sent to another thread, and opened there', async (test) => {
      const { store, openSnapshot } = await openWithModel(backend, test)
      assert.deepEqual(structuredClone(store.location), store.location)
      assert.equal(typeof store.location.kind, 'string')
      const snapshot = await openSnapshot()
      assert.deepEqual([...snapshot.model.schemas.keys()], ['sch-a', 'sch-b'])
      await snapshot.close()
    })

    it('gauges are the same ones each time, with names that Prometheus takes, and numbers', async (test) => {
      const { store } = await openWithModel(backend, test)
      const namesOf = () => store.gauges().map(({ name }) => name)
      const names = namesOf()
      await insertRecords(store, ['ent-1'])
      assert.deepEqual(namesOf(), names)
      assert.equal(new Set(names).size, names.length)
      for (const { name, help, value } of store.gauges()) {
        assert.match(name, /^pimlet_[a-z_]+$/)
        assert.ok(help.length > 0 && Number.isFinite(value) && value >= 0)
      }
    })

    it('what is kept in memory is as new as the last commit once it is fresh', async (test) => {
      const { store } = await openWithModel(backend, test)
      for (const name of ['One', 'Two']) {
        await store.transaction((tx) => tx.dimensions.insert({ id: name, name, segments: [] }))
        await store.fresh?.()
        assert.ok((await store.read.model()).dimensions.has(name))
      }
    })

    it('whoever serves it may say so, again and again', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.noteHolder()
      await store.noteHolder()
    })
  })
}
