// The run history of export jobs, and what their destinations have noted as left behind.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ExportRun } from '../../../src/exports/rules/export-run.ts'
import type { Store, Transaction } from '../../../src/store/port.ts'
import { type Backend, openWithModel, says } from './backend.ts'
import { jobOf, runOf } from './fixtures.ts'

const at = (minute: number): string => `2026-01-02T03:${String(minute).padStart(2, '0')}:00.000Z`

const ended = (id: string, jobId: string, minute: number): ExportRun =>
  runOf(id, jobId, { status: 'success', startedAt: at(minute), completedAt: at(minute), recordCount: 1, fileSize: 2 })

async function insertJobs(tx: Transaction): Promise<void> {
  for (const id of ['job-1', 'job-2']) await tx.exportJobs.insert(jobOf(id))
}

const idsOf = (runs: readonly ExportRun[]): string => runs.map(({ id }) => id).join(' ')

export function describeExportRuns(backend: Backend): void {
  describe(`${backend.name}: export runs`, () => {
    it('are listed the latest start first, those of equal starts by their creation', async (test) => {
      const { store } = await openWithModel(backend, test, insertJobs)
      await store.transaction(async (tx) => {
        for (const [id, minute] of [
          ['run-1', 5],
          ['run-2', 9],
          ['run-3', 5],
          ['run-4', 1],
        ] as const)
          await tx.exportRuns.insert(ended(id, 'job-1', minute))
        await tx.exportRuns.insert(ended('run-5', 'job-2', 3))
      })
      const { exportRuns } = store.read
      assert.equal(idsOf(await exportRuns.listOf('job-1', 10)), 'run-2 run-3 run-1 run-4')
      assert.equal(idsOf(await exportRuns.listOf('job-1', 2)), 'run-2 run-3')
      assert.deepEqual(await exportRuns.listOf('none', 2), [])
      assert.equal(idsOf(await exportRuns.list({}, 10)), 'run-2 run-3 run-1 run-5 run-4')
      assert.equal(idsOf(await exportRuns.list({}, 4)), 'run-2 run-3 run-1 run-5')
      assert.equal(idsOf(await exportRuns.list({ jobId: 'job-2' }, 10)), 'run-5')
      assert.equal(idsOf(await exportRuns.list({ status: 'success', jobId: 'job-1' }, 1)), 'run-2')
      assert.equal(idsOf(await exportRuns.list({ status: 'failed' }, 10)), '')
      assert.deepEqual(
        [...(await exportRuns.latest())].map(([jobId, { id }]) => [jobId, id]),
        [
          ['job-1', 'run-2'],
          ['job-2', 'run-5'],
        ],
      )
    })

    it('one with an ID that exists is a CONFLICT naming it', async (test) => {
      const { store } = await openWithModel(backend, test, insertJobs)
      await store.transaction((tx) => tx.exportRuns.insert(ended('run-1', 'job-1', 1)))
      const twice = store.transaction((tx) => tx.exportRuns.insert(ended('run-1', 'job-2', 1)))
      await assert.rejects(twice, says('CONFLICT', /run-1/))
    })

    it('is replaced as a whole, and one that is gone stays so', async (test) => {
      const { store, reopen } = await openWithModel(backend, test, insertJobs)
      await store.transaction((tx) => tx.exportRuns.insert(runOf('run-1', 'job-1')))
      const failed = runOf('run-1', 'job-1', { status: 'failed', completedAt: at(9), error: 'It “failed”' })
      await store.transaction(async (tx) => {
        await tx.exportRuns.update(failed)
        await tx.exportRuns.update(runOf('run-none', 'job-1'))
      })
      const again = await reopen()
      assert.deepEqual({ ...(await again.read.exportRuns.get('run-1')) }, failed)
      assert.equal(await again.read.exportRuns.get('run-none'), undefined)
    })

    it('running ones are found, of all jobs in the order of creation and of one', async (test) => {
      const { store } = await openWithModel(backend, test, insertJobs)
      await store.transaction(async (tx) => {
        await tx.exportRuns.insert(runOf('run-2', 'job-2'))
        await tx.exportRuns.insert(ended('run-3', 'job-1', 3))
        await tx.exportRuns.insert(runOf('run-1', 'job-1'))
      })
      const { exportRuns } = store.read
      assert.equal(idsOf(await exportRuns.listRunning()), 'run-2 run-1')
      assert.equal((await exportRuns.findRunning('job-1'))?.id, 'run-1')
      await store.transaction((tx) => tx.exportRuns.update(ended('run-1', 'job-1', 4)))
      assert.equal(await exportRuns.findRunning('job-1'), undefined)
    })

    it('silent ones are those that were last heard of before a moment, never those of this server', async (test) => {
      const { store } = await openWithModel(backend, test, insertJobs)
      await store.transaction(async (tx) => {
        await tx.exportRuns.insert(runOf('run-1', 'job-1'), at(1))
        await tx.exportRuns.insert(runOf('run-own', 'job-2'))
      })
      const silent = async (minute: number, jobId?: string): Promise<string> =>
        idsOf(await store.read.exportRuns.listSilent(at(minute), 5, jobId))
      assert.equal(await silent(1), '')
      assert.equal(await silent(2), 'run-1')
      assert.equal(await silent(2, 'job-2'), '')
      await store.transaction((tx) => tx.exportRuns.update(runOf('run-1', 'job-1')))
      assert.equal(await silent(2), 'run-1', 'heard of when it was before')
      await store.transaction((tx) => tx.exportRuns.update(runOf('run-1', 'job-1'), at(5)))
      assert.equal(await silent(2), '')
      assert.equal(await silent(6), 'run-1')
    })

    it('a server performs one run of a job at a time: a second one is a CONFLICT, whoever else tells of one', async (test) => {
      const { store } = await openWithModel(backend, test, insertJobs)
      await store.transaction((tx) => tx.exportRuns.begin(runOf('run-1', 'job-1'), 1))
      const second = store.transaction((tx) => tx.exportRuns.begin(runOf('run-2', 'job-1'), 1))
      await assert.rejects(second, says('CONFLICT', /job-1/))
      await store.transaction(async (tx) => {
        await tx.exportRuns.begin(runOf('run-3', 'job-2'), 1)
        await tx.exportRuns.insert(runOf('run-told', 'job-1'), at(1))
        await tx.exportRuns.end(ended('run-1', 'job-1', 4), 1)
        await tx.exportRuns.begin(runOf('run-4', 'job-1'), 1)
      })
      assert.equal(idsOf(await store.read.exportRuns.listRunning()), 'run-3 run-told run-4')
    })

    it('how one has ended is written under the term in which it was begun only', async (test) => {
      const { store } = await openWithModel(backend, test, insertJobs)
      const end = (term: number) => store.transaction((tx) => tx.exportRuns.end(ended('run-1', 'job-1', 4), term))
      await store.transaction((tx) => tx.exportRuns.begin(runOf('run-1', 'job-1'), 2))
      await end(1)
      assert.equal((await store.read.exportRuns.get('run-1'))?.status, 'running')
      await end(2)
      assert.equal((await store.read.exportRuns.get('run-1'))?.status, 'success')
    })

    it('those that nobody performs any more are abandoned: of a server that has gone, not of this one', async (test) => {
      const { store, openAfterKill } = await openWithModel(backend, test, insertJobs)
      await store.transaction((tx) => tx.exportRuns.begin(runOf('run-1', 'job-1'), 1))
      assert.equal(idsOf(await store.read.exportRuns.listAbandoned()), '')
      const next = await openAfterKill()
      assert.equal(idsOf(await next.read.exportRuns.listAbandoned()), 'run-1')
      await next.transaction(async (tx) => {
        await tx.exportRuns.update(runOf('run-1', 'job-1', { status: 'failed', completedAt: at(9), error: 'gone' }))
        await tx.exportRuns.begin(runOf('run-2', 'job-1'), 1)
      })
      assert.equal(idsOf(await next.read.exportRuns.listAbandoned()), '')
    })

    it('whoever performs one learns with its next heartbeat that it is to be ended', async (test) => {
      const { store } = await openWithModel(backend, test, insertJobs)
      await store.transaction(async (tx) => {
        await tx.exportRuns.begin(runOf('run-1', 'job-1'), 1)
        await tx.exportRuns.begin(runOf('run-2', 'job-2'), 1)
      })
      const beat = (minute: number) => store.transaction((tx) => tx.exportRuns.beat(at(minute)))
      assert.deepEqual(await beat(5), [])
      await store.transaction((tx) => tx.exportRuns.requestCancel('run-2'))
      assert.deepEqual(await beat(6), ['run-2'])
      await store.transaction((tx) => tx.exportRuns.end(ended('run-2', 'job-2', 7), 1))
      assert.deepEqual(await beat(8), [])
    })

    it('are pruned to the latest, but for those that are running', async (test) => {
      const { store } = await openWithModel(backend, test, insertJobs)
      await store.transaction(async (tx) => {
        await tx.exportRuns.insert(runOf('run-0', 'job-1', { startedAt: at(0) }))
        for (const minute of [1, 2, 3]) await tx.exportRuns.insert(ended(`run-${minute}`, 'job-1', minute))
        await tx.exportRuns.insert(ended('run-9', 'job-2', 1))
        await tx.exportRuns.prune('job-1', 2)
      })
      assert.equal(idsOf(await store.read.exportRuns.listOf('job-1', 9)), 'run-3 run-2 run-0')
      assert.equal(idsOf(await store.read.exportRuns.listOf('job-2', 9)), 'run-9')
    })

    it('fail and are read whatever characters they and their jobs have', async (test) => {
      const odd = 'a\0b\ud800c\\u0000'
      const { store } = await openWithModel(backend, test, (tx) => tx.exportJobs.insert(jobOf('job-1', { name: odd })))
      const failed = { ...ended('run-1', 'job-1', 5), status: 'failed' as const, error: odd }
      await store.transaction((tx) => tx.exportRuns.insert(failed))
      assert.equal((await store.read.exportRuns.get('run-1'))?.status, 'failed')
      const heads = await store.read.feed.headsAfter(0, 10)
      assert.deepEqual(
        heads.map(({ sequence: _sequence, ...head }) => head).filter(({ kind }) => kind === 'run'),
        [{ kind: 'run', isSuccess: false }],
      )
    })
  })

  describe(`${backend.name}: leftovers of exports`, () => {
    const namesOf = (store: Store, jobId: string): Promise<string[]> => store.read.exportLeftovers.listOf(jobId)

    it('noting one twice is noting it once, and forgetting one that is none does nothing', async (test) => {
      const { store } = await openWithModel(backend, test, insertJobs)
      await store.transaction(async (tx) => {
        for (const name of ['b', 'a', 'b']) await tx.exportLeftovers.note('job-1', name)
        await tx.exportLeftovers.forget('job-1', 'c')
      })
      assert.deepEqual(await namesOf(store, 'job-1'), ['a', 'b'])
      assert.deepEqual(await store.read.exportLeftovers.jobIds(), ['job-1'])
      await store.transaction((tx) => tx.exportLeftovers.forget('job-1', 'a'))
      assert.deepEqual(await namesOf(store, 'job-1'), ['b'])
    })

    it('a job takes its runs and leftovers along when it goes', async (test) => {
      const { store } = await openWithModel(backend, test, insertJobs)
      await store.transaction(async (tx) => {
        await tx.exportLeftovers.note('job-1', 'a')
        await tx.exportLeftovers.note('job-2', 'a')
        await tx.exportRuns.insert(runOf('run-1', 'job-1'))
      })
      await store.transaction((tx) => tx.exportJobs.delete('job-1'))
      assert.deepEqual(await namesOf(store, 'job-1'), [])
      assert.deepEqual(await store.read.exportLeftovers.jobIds(), ['job-2'])
      assert.equal(await store.read.exportRuns.get('run-1'), undefined)
    })
  })
}
