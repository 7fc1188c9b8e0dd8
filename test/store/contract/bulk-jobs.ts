// Jobs that change many records, and what is kept of each.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BulkJob, MAX_SAMPLES, NO_COUNTS } from '../../../src/core/jobs/rules/bulk-job.ts'
import type { Store } from '../../../src/store/port.ts'
import { type Backend, openWithModel, says } from './backend.ts'

const at = (minute: number): string => `2026-01-02T03:${String(minute).padStart(2, '0')}:00.000Z`
const job = (id: string, parts: Partial<BulkJob> = {}): BulkJob => ({
  id,
  name: null,
  kind: 'bulk',
  status: 'queued',
  dryRun: false,
  createdAt: at(0),
  startedAt: null,
  completedAt: null,
  createdBy: 'usr-1',
  ownerId: 'usr-1',
  ownerKind: 'user',
  pausedReason: null,
  undoes: null,
  undoneBy: null,
  isSelected: false,
  firstVersion: null,
  importId: null,
  round: 0,
  position: 0,
  recordsAfter: null,
  ...NO_COUNTS,
  ...parts,
})
const TASK = { kind: 'bulk', selection: { ids: ['a'] }, actions: [{ delete: true }] } as const
const PAGE = { offset: 0, limit: 100 }
const ended = (minute: number) => ({ status: 'succeeded', completedAt: at(minute) }) as const
const items = (...ids: string[]) => ids.map((recordId) => ({ recordId, arrangement: null }))

async function insert(store: Store, ...jobs: BulkJob[]): Promise<void> {
  await store.transaction(async (tx) => {
    for (const each of jobs) await tx.bulkJobs.insert(each, TASK)
  })
}
const idsOf = (jobs: readonly { id: string }[]): string => jobs.map(({ id }) => id).join(' ')

export function describeBulkJobs(backend: Backend): void {
  describe(`${backend.name}: bulk jobs`, () => {
    it('are kept with all that is said of them, and replaced as a whole', async (test) => {
      const { store, reopen } = await openWithModel(backend, test)
      const first = job('bulk-1', { name: 'Näme', dryRun: true, undoes: 'bulk-0' })
      await insert(store, first)
      assert.deepEqual(await store.read.bulkJobs.get('bulk-1'), first)
      assert.deepEqual(await store.read.bulkJobs.taskOf('bulk-1'), TASK)
      const counts = { selected: 9, done: 6, changed: 3, unchanged: 2, failed: 1 }
      const pausedReason = { code: 'OWNER', message: 'Größe' } as const
      const paused = { ownerId: 'key-2', ownerKind: 'apiKey', pausedReason } as const
      const more = {
        ...first,
        ...ended(7),
        ...counts,
        isSelected: true,
        firstVersion: 12,
        undoneBy: 'x',
        ...paused,
        startedAt: at(1),
      }
      await store.transaction((tx) => tx.bulkJobs.update(more))
      const { bulkJobs } = (await reopen()).read
      assert.deepEqual(await bulkJobs.get('bulk-1'), more)
      assert.equal(await bulkJobs.get('bulk-2'), undefined)
    })

    it('one with an ID that exists is a CONFLICT naming it', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insert(store, job('bulk-1'))
      await assert.rejects(insert(store, job('bulk-1')), says('CONFLICT', /bulk-1/))
    })

    it('are listed the latest first, of one owner or of all; those that wait in the order in which they go on', async (test) => {
      const { store } = await openWithModel(backend, test)
      const other = { ownerId: 'usr-2' }
      await insert(store, job('b-1'), job('b-2', other), job('b-3', ended(5)), job('b-4', { status: 'interrupted' }))
      const { bulkJobs } = store.read
      assert.equal(idsOf(await bulkJobs.list(undefined, PAGE)), 'b-4 b-3 b-2 b-1')
      assert.equal(idsOf(await bulkJobs.list('usr-1', { offset: 1, limit: 1 })), 'b-3')
      assert.equal(idsOf(await bulkJobs.listOpen()), 'b-4 b-1 b-2')
      assert.deepEqual([await bulkJobs.countQueued('usr-1'), await bulkJobs.countQueued('usr-2')], [1, 1])
      assert.deepEqual(await bulkJobs.listEndedBefore(at(5), 10), [])
      assert.deepEqual(await bulkJobs.listEndedBefore(at(6), 10), ['b-3'])
    })

    it('have their records in order, of which those that were changed are found from both ends', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insert(store, job('b-1'), job('b-2'))
      await store.transaction(async (tx) => {
        await tx.bulkJobs.addItems('b-1', 1, items('a', 'b'))
        await tx.bulkJobs.addItems('b-1', 3, items('c', 'd'))
        await tx.bulkJobs.addItems('b-2', 1, items('z'))
        for (const [place, arrangement] of [
          [1, null],
          [2, '[]'],
          [4, null],
        ] as const)
          await tx.bulkJobs.noteChanged('b-1', place, arrangement)
      })
      const { bulkJobs } = store.read
      const namesOf = (found: readonly { recordId: string }[]) => found.map(({ recordId }) => recordId).join('')
      assert.equal(namesOf(await bulkJobs.itemsFrom('b-1', 0, 10)), 'abcd')
      assert.deepEqual(await bulkJobs.itemsFrom('b-1', 1, 1), [{ place: 2, recordId: 'b', arrangement: '[]' }])
      assert.equal(namesOf(await bulkJobs.changedFrom('b-1', 0, 10, false)), 'abd')
      assert.equal(namesOf(await bulkJobs.changedFrom('b-1', 4, 10, true)), 'ba')
      assert.equal(await store.transaction((tx) => tx.bulkJobs.removeItems('b-1', 3)), 3)
      assert.equal(namesOf(await bulkJobs.itemsFrom('b-1', 0, 10)), 'd')
      assert.equal(namesOf(await bulkJobs.itemsFrom('b-2', 0, 10)), 'z')
    })

    it('have errors and samples, of each outcome so many, which go with them', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insert(store, job('b-1'))
      const error = (recordId: string | null) =>
        ({ recordId, error: 'CONFLICT', message: 'No “way”', line: 7, file: recordId && 'ä-1.jpg' }) as const
      const sample = (recordId: string) => ({
        recordId,
        schemaId: 'sch',
        changes: [],
        line: null,
        file: 'ä-1.jpg',
        filePlace: 3,
      })
      await store.transaction(async (tx) => {
        await tx.bulkJobs.addError('b-1', 2, error('b'))
        await tx.bulkJobs.addError('b-1', 0, error(null))
        for (let place = 1; place <= MAX_SAMPLES + 5; place += 1)
          await tx.bulkJobs.addSample('b-1', place, 'updated', sample(`r-${place}`))
        await tx.bulkJobs.addSample('b-1', 9, 'unchanged', sample('r-9'))
      })
      const { bulkJobs } = store.read
      assert.deepEqual(await bulkJobs.errorsOf('b-1', PAGE), [error(null), error('b')])
      assert.deepEqual(await bulkJobs.errorsOf('b-1', { offset: 1, limit: 1 }), [error('b')])
      assert.equal((await bulkJobs.samplesOf('b-1', 'updated', { offset: 0, limit: 5000 })).length, MAX_SAMPLES)
      assert.deepEqual(await bulkJobs.samplesOf('b-1', 'unchanged', PAGE), [sample('r-9')])
      assert.deepEqual(await bulkJobs.errorsFrom('b-1', 0, 10), [{ ...error('b'), place: 2 }])
      assert.deepEqual(await bulkJobs.errorsFrom('b-1', -1, 1), [{ ...error(null), place: 0 }])
      const clear = () => store.transaction((tx) => tx.bulkJobs.clearFindings('b-1', MAX_SAMPLES))
      assert.equal(await clear(), 2 + MAX_SAMPLES)
      assert.deepEqual([await clear(), await clear()], [1, 0])
      assert.deepEqual(await bulkJobs.errorsOf('b-1', PAGE), [])
      await store.transaction((tx) => tx.bulkJobs.addSample('b-1', 1, 'updated', sample('again')))
      assert.deepEqual(await bulkJobs.samplesOf('b-1', 'updated', PAGE), [sample('again')])
      await store.transaction((tx) => tx.bulkJobs.delete('b-1'))
      assert.equal(await bulkJobs.get('b-1'), undefined)
    })

    it('of imports keep the rows that wait for others, until these are written or the job begins again', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insert(store, job('b-1'), job('b-2'))
      const row = (position: number, namesId: string | null) => ({ position, namesId, written: null })
      const written = { ...row(7, 'c'), written: { recordId: 'c', outcome: 'created' } } as const
      await store.transaction(async (tx) => {
        for (const one of [row(7, 'c'), row(3, null), row(5, 'b')]) await tx.bulkJobs.putWaiting('b-1', one)
        await tx.bulkJobs.putWaiting('b-2', row(4, 'z'))
        await tx.bulkJobs.putWaiting('b-1', written)
        await tx.bulkJobs.removeWaiting('b-1', 5)
      })
      const { bulkJobs } = store.read
      assert.deepEqual(await bulkJobs.waitingFrom('b-1', 0, 10), [row(3, null), written])
      assert.deepEqual(await bulkJobs.waitingFrom('b-1', 3, 1), [written])
      assert.deepEqual(await bulkJobs.waitingNames('b-1', 10), ['c'])
      assert.equal(await store.transaction((tx) => tx.bulkJobs.clearFindings('b-1', 1)), 1)
      assert.equal(await store.transaction((tx) => tx.bulkJobs.clearFindings('b-1', 1)), 1)
      assert.deepEqual(await bulkJobs.waitingFrom('b-1', 0, 10), [])
      assert.deepEqual(await bulkJobs.waitingNames('b-2', 10), ['z'])
    })

    it('lose what they say of one record, and what they were to do', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insert(store, job('bulk-1'), job('bulk-2'))
      const change = { attributeAlias: 'a', scope: {}, oldValue: null, newValue: 1 }
      await store.transaction(async (tx) => {
        for (const id of ['bulk-1', 'bulk-2'])
          for (const [index, recordId] of ['ent-1', 'ent-2'].entries()) {
            await tx.bulkJobs.addItems(id, index + 1, [{ recordId, arrangement: '[]' }])
            await tx.bulkJobs.addError(id, index + 1, {
              recordId,
              error: 'CONFLICT',
              message: 'is 1',
              line: null,
              file: 'f',
            })
            await tx.bulkJobs.addSample(id, index + 1, 'updated', {
              recordId,
              schemaId: 's',
              changes: [change],
              line: 1,
              file: 'f',
            })
          }
        await tx.bulkJobs.replaceTask('bulk-1', { ...TASK, actions: [] })
      })
      let [steps, erased] = [0, 0]
      for (let last = 1; last > 0; steps += 1) {
        last = await store.transaction((tx) => tx.bulkJobs.eraseFindings('ent-1', 'erased', 1))
        erased += last
      }
      assert.deepEqual([steps, erased], [3, 6])
      const { bulkJobs } = store.read
      assert.deepEqual(
        (await bulkJobs.errorsOf('bulk-2', PAGE)).map(({ message, file }) => [message, file]),
        [
          ['erased', null],
          ['is 1', 'f'],
        ],
      )
      const samples = await bulkJobs.samplesOf('bulk-2', 'updated', PAGE)
      assert.deepEqual(
        samples.map(({ recordId, changes, file }) => [recordId, changes, file]),
        [
          ['ent-1', [], null],
          ['ent-2', [change], 'f'],
        ],
      )
      assert.deepEqual(
        (await bulkJobs.itemsFrom('bulk-2', 0, 9)).map(({ arrangement }) => arrangement),
        [null, '[]'],
      )
      assert.deepEqual(await bulkJobs.taskOf('bulk-1'), { ...TASK, actions: [] })
    })

    it('keep no more samples than they may have characters', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insert(store, job('b-1'))
      const change = { attributeAlias: 'a', scope: {}, oldValue: null, newValue: 'x'.repeat(3 * 1024 * 1024) }
      await store.transaction(async (tx) => {
        for (const [place, recordId] of ['a', 'b'].entries())
          await tx.bulkJobs.addSample('b-1', place, 'updated', {
            recordId,
            schemaId: 'sch',
            changes: [change],
            line: 3,
          })
        await tx.bulkJobs.addSample('b-1', 9, 'updated', { recordId: 'c', schemaId: 'sch', changes: [], line: null })
      })
      const found = await store.read.bulkJobs.samplesOf('b-1', 'updated', PAGE)
      assert.deepEqual(
        found.map(({ recordId }) => recordId),
        ['a'],
      )
      const next = await store.read.bulkJobs.samplesOf('b-1', 'updated', { offset: 1, limit: 10 })
      assert.deepEqual(
        next.map(({ recordId }) => recordId),
        ['c'],
      )
    })
  })
}
