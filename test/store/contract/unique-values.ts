// Values that no two records of a schema hold in the same scope.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { UniqueKey } from '../../../src/core/values/values.ts'
import type { Store } from '../../../src/store/port.ts'
import { type Backend, hasCode, openWithModel, says } from './backend.ts'
import { insertRecords, recordOf } from './fixtures.ts'

const key = (text: string, more: Partial<UniqueKey> = {}): UniqueKey => ({
  alias: 'sku',
  scope: '',
  key: text,
  ...more,
})

/** Whether the record may hold the value: nobody else does. */
async function mayHold(store: Store, id: string, wanted: UniqueKey): Promise<boolean> {
  const undo = new Error('undo')
  const trying = store.transaction(async (tx) => {
    await tx.records.setUniqueKeys(recordOf(id), [], [wanted])
    throw undo
  })
  return trying.catch((error: unknown) => error === undo)
}

export function describeUniqueValues(backend: Backend): void {
  describe(`${backend.name}: unique values`, () => {
    it('a value that another record holds in the same scope is a CONFLICT naming attribute and scope', async (test) => {
      const { store } = await openWithModel(backend, test)
      const german = key('"1"', { scope: 'language=de' })
      await insertRecords(store, ['ent-1', 'ent-2'])
      await store.transaction(async (tx) => {
        await tx.records.setUniqueKeys(recordOf('ent-1'), [], [german])
        await tx.records.setUniqueKeys(recordOf('ent-2'), [], [key('"1"')])
        await tx.records.setUniqueKeys(recordOf('ent-2', { schemaId: 'sch-b' }), [], [german])
      })
      const second = store.transaction((tx) => tx.records.setUniqueKeys(recordOf('ent-2'), [], [german]))
      await assert.rejects(second, says('CONFLICT', /sku.*language=de/))
      await store.transaction(async (tx) => {
        await tx.records.delete('ent-1')
        await tx.records.setUniqueKeys(recordOf('ent-2'), [key('"1"')], [german])
      })
      assert.equal(await mayHold(store, 'ent-3', key('"1"')), true)
      assert.equal(await mayHold(store, 'ent-3', german), false)
    })

    it('those that another record of the schema holds are told without trying', async (test) => {
      const { store } = await openWithModel(backend, test)
      const german = key('"1"', { scope: 'language=de' })
      await insertRecords(store, ['ent-1', 'ent-2'])
      await store.transaction((tx) => tx.records.setUniqueKeys(recordOf('ent-1'), [], [german]))
      const taken = (id: string, more: object = {}) =>
        store.read.records.takenUniqueKeys(recordOf(id, more), [key('"1"'), german, key('"2"')])
      assert.deepEqual(await taken('ent-2'), [german])
      assert.deepEqual(await taken('ent-1'), [])
      assert.deepEqual(await taken('none'), [german])
      assert.deepEqual(await taken('ent-2', { schemaId: 'sch-b' }), [])
      assert.equal(await store.read.records.holderOf('sch-a', german), 'ent-1')
      assert.equal(await store.read.records.holderOf('sch-a', key('"1"')), undefined)
      assert.equal(await store.read.records.holderOf('sch-b', german), undefined)
    })

    it('what conflicts is told before anything is written', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        await tx.records.setUniqueKeys(recordOf('ent-1'), [], [key('"1"')])
        await tx.records.setUniqueKeys(recordOf('ent-2'), [], [key('"2"')])
        await assert.rejects(
          tx.records.setUniqueKeys(recordOf('ent-1'), [key('"1"')], [key('"3"'), key('"2"')]),
          hasCode('CONFLICT'),
        )
      })
      assert.equal(await mayHold(store, 'ent-3', key('"1"')), false)
      assert.equal(await mayHold(store, 'ent-3', key('"3"')), true)
    })

    it('two records swap their values in one transaction, once one of them has let go', async (test) => {
      const { store } = await openWithModel(backend, test)
      const [one, other] = [key('"1"'), key('"2"')]
      await store.transaction(async (tx) => {
        await tx.records.setUniqueKeys(recordOf('ent-1'), [], [one])
        await tx.records.setUniqueKeys(recordOf('ent-2'), [], [other])
      })
      const atOnce = store.transaction((tx) => tx.records.setUniqueKeys(recordOf('ent-1'), [one], [other]))
      await assert.rejects(atOnce, hasCode('CONFLICT'))
      await store.transaction(async (tx) => {
        await tx.records.setUniqueKeys(recordOf('ent-1'), [one], [])
        await tx.records.setUniqueKeys(recordOf('ent-2'), [other], [one])
        await tx.records.setUniqueKeys(recordOf('ent-1'), [], [other])
      })
      assert.equal(await mayHold(store, 'ent-1', other), true)
      assert.equal(await mayHold(store, 'ent-1', one), false)
      assert.equal(await mayHold(store, 'ent-2', one), true)
    })

    it('one that the record holds already may be asked for again, and one that it does not hold may be let go', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        await tx.records.setUniqueKeys(recordOf('ent-1'), [], [key('"1"'), key('"1"')])
        await tx.records.setUniqueKeys(recordOf('ent-1'), [key('"none"')], [key('"1"')])
        await tx.records.setUniqueKeys(recordOf('ent-2'), [key('"1"')], [])
      })
      assert.equal(await mayHold(store, 'ent-2', key('"1"')), false)
    })

    it('keys are told apart however long they are, and by every character', async (test) => {
      const { store, reopen } = await openWithModel(backend, test)
      const long = 'x'.repeat(100_000)
      const keys = [
        `${long}a`,
        `${long}b`,
        'é',
        'e\u0301',
        'É',
        'a\u0000b',
        'a\u0000c',
        '"\\ud800"',
        '"\\ud801"',
        '',
        ' ',
      ]
      await store.transaction(async (tx) => {
        for (const [index, text] of keys.entries())
          await tx.records.setUniqueKeys(recordOf(`ent-${index}`), [], [key(text)])
      })
      const again = await reopen()
      for (const [index, text] of keys.entries()) {
        assert.equal(await mayHold(again, `ent-${index}`, key(text)), true, JSON.stringify(text.slice(-9)))
        assert.equal(await mayHold(again, 'ent-other', key(text)), false, JSON.stringify(text.slice(-9)))
      }
    })
  })
}
