// The model, and changes of it that records have to follow.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ModelChange } from '../../../src/core/model/rules/model-change.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import { DEFAULT_WORKFLOW } from '../../../src/core/model/rules/workflow.ts'
import { type Backend, hasCode, openWithModel, says } from './backend.ts'

export function describeModel(backend: Backend): void {
  describe(`${backend.name}: model`, () => {
    it('the model is the committed one, also after a transaction that changed it was undone', async (test) => {
      const { store } = await openWithModel(backend, test)
      assert.deepEqual([...(await store.read.model()).schemas.keys()], ['sch-a', 'sch-b'])
      const undone = store.transaction(async (tx) => {
        await tx.schemas.delete('sch-b')
        assert.deepEqual([...(await tx.model()).schemas.keys()], ['sch-a'])
        throw new Error('undo')
      })
      await assert.rejects(undone, /undo/)
      await store.transaction(async (tx) => assert.equal((await tx.model()).schemas.size, 2))
      await store.transaction((tx) => tx.schemas.delete('sch-b'))
      assert.deepEqual([...(await store.read.model()).schemas.keys()], ['sch-a'])
    })

    it('its version is another after each change, the same while nothing changes, and the old one after an undone one', async (test) => {
      const { store } = await openWithModel(backend, test)
      const before = await store.read.modelVersion()
      assert.equal(await store.transaction((tx) => tx.modelVersion()), before)
      const undone = store.transaction(async (tx) => {
        await tx.roles.insert(BUILT_IN_ROLES[0]!)
        assert.notEqual(await tx.modelVersion(), before)
        throw new Error('undo')
      })
      await assert.rejects(undone, /undo/)
      assert.equal(await store.read.modelVersion(), before)
      await store.transaction((tx) => tx.roles.insert(BUILT_IN_ROLES[0]!))
      const after = await store.read.modelVersion()
      assert.notEqual(after, before)
      await store.transaction((tx) => tx.catalogs.insert({ id: 'cat-1', name: 'No part of the model' }))
      assert.equal(await store.read.modelVersion(), after)
    })

    it('a part that stays is the same object after another one changed', async (test) => {
      const { store } = await openWithModel(backend, test)
      const before = await store.read.model()
      const changed = (await store.read.schemas.get('sch-b'))!
      await store.transaction((tx) => tx.schemas.update({ ...changed, combinations: [{ language: 'de' }] }))
      const after = await store.read.model()
      assert.equal(after.schemas.get('sch-a'), before.schemas.get('sch-a'))
      assert.deepEqual(after.schemas.get('sch-b')!.combinations, [{ language: 'de' }])
    })

    it('a second resource with the same ID is a CONFLICT naming it', async (test) => {
      const { store } = await openWithModel(backend, test)
      const twice = store.transaction((tx) => tx.workflows.insert(DEFAULT_WORKFLOW))
      await assert.rejects(twice, says('CONFLICT', /wf-default/))
    })
  })

  describe(`${backend.name}: changes of the model`, () => {
    it('are kept with how far they have come, and the model says what is to be regarded until they end', async (test) => {
      const { store, reopen } = await openWithModel(backend, test)
      const before = (await store.read.schemas.get('sch-a'))!
      const after = { ...before, name: 'New' }
      const who = { callerId: 'usr-1', roleId: 'role-admin' }
      const change: ModelChange = { id: 'schema sch-a', kind: 'schema', stage: 'look', before, after, ...who }
      assert.equal((await store.read.model()).pending, undefined)
      await store.transaction(async (tx) => {
        await tx.modelChanges.insert(change)
        assert.ok((await tx.model()).pending!.schemas.has('sch-a'))
      })
      await assert.rejects(
        store.transaction((tx) => tx.modelChanges.insert(change)),
        hasCode('CONFLICT'),
      )
      const known = await store.read.model()
      assert.ok(known.pending!.schemas.has('sch-a'))
      await store.transaction((tx) => tx.modelChanges.advance(change.id, 7))
      assert.equal(await store.read.model(), known, 'the model is not read again for each step')
      assert.equal(await store.read.modelChanges.cursorOf(change.id), 7)

      const again = await reopen()
      assert.deepEqual(await again.read.modelChanges.list(), [change])
      assert.equal(await again.read.modelChanges.cursorOf(change.id), 7)
      assert.deepEqual(await again.read.modelChanges.listAbandoned(), await again.read.modelChanges.list())
      assert.equal(await again.transaction((tx) => tx.modelChanges.adopt(change.id)), true)
      await again.transaction((tx) => tx.modelChanges.update({ ...change, stage: 'undo' }))
      assert.equal((await again.read.model()).pending!.schemas.size, 0)
      await again.transaction((tx) => tx.modelChanges.delete(change.id))
      assert.equal(await again.read.modelChanges.get(change.id), undefined)
      assert.equal((await again.read.model()).pending, undefined)
    })

    it('one that never was has come nowhere', async (test) => {
      const { store } = await openWithModel(backend, test)
      assert.equal(await store.read.modelChanges.cursorOf('schema none'), 0)
      assert.deepEqual(await store.read.modelChanges.list(), [])
    })
  })
}
