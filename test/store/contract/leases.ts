// What only one server of a workspace does at a time.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Backend, hasCode, openWithModel } from './backend.ts'

export function describeLeases(backend: Backend): void {
  describe(`${backend.name}: leases`, () => {
    it('a second holder is told that it waits, until the first one lets go; other names are free', async (test) => {
      const { store } = await openWithModel(backend, test)
      let waits = 0
      const onWait = (): void => void (waits += 1)
      const first = await store.leases.hold('one', onWait)
      assert.equal(waits, 0)
      await store.leases.hold('another')
      assert.ok(first.term > 0 && !first.signal.aborted)
      let isHeld = false
      const second = store.leases.hold('one', onWait).then((lease) => {
        isHeld = true
        return lease
      })
      await sleep(5)
      assert.deepEqual([isHeld, waits], [false, 1])
      first.release()
      first.release()
      assert.ok((await second).term >= first.term)
      const third = store.leases.hold('one')
      ;(await second).release()
      ;(await third).release()
      await store.leases.hold('one')
    })

    it('all end when the storage is closed: who holds one is told, who waits is refused', async (test) => {
      const { store } = await openWithModel(backend, test)
      const held = await store.leases.hold('one')
      const waiting = store.leases.hold('one')
      const refused = assert.rejects(waiting, hasCode('UNAVAILABLE'))
      await store.close()
      await refused
      assert.equal(held.signal.aborted, true)
      await assert.rejects(store.leases.hold('another'), hasCode('UNAVAILABLE'))
    })
  })
}
