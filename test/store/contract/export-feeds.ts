// What is remembered of delivered files: how far a feed has come, which records its destination has, and files that are kept.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DeltaState, NO_FEED } from '../../../src/exports/rules/feed-state.ts'
import type { Transaction } from '../../../src/store/port.ts'
import { type Backend, openWithModel } from './backend.ts'
import { jobOf, runOf } from './fixtures.ts'

const AT = '2026-01-02T03:04:05.000Z'
const delta = (feed: number): DeltaState => ({
  feed,
  attempt: 1,
  done: 0,
  base: 0,
  position: 0,
  basis: { general: 'g', schemas: {} },
  target: 't',
  fullAt: AT,
})

async function insertJobs(tx: Transaction): Promise<void> {
  for (const id of ['job-1', 'job-2']) await tx.exportJobs.insert(jobOf(id))
}

export function describeExportFeeds(backend: Backend): void {
  describe(`${backend.name}: export feeds`, () => {
    it('are kept by job, each with a number that no other had, and without the job their members are orphans', async (test) => {
      const { store } = await openWithModel(backend, test, insertJobs)
      const { exportFeeds } = store.read
      assert.deepEqual(await exportFeeds.get('job-1'), NO_FEED)
      const [one, two] = await store.transaction(async (tx) => {
        const feeds = [await tx.exportFeeds.nextFeed(), await tx.exportFeeds.nextFeed()]
        for (const [index, feed] of feeds.entries()) {
          await tx.exportFeeds.put(`job-${index + 1}`, { fullCount: 1, delta: delta(feed) })
          await tx.exportFeeds.mark(feed, 1, { present: ['a', 'b', 'c'], gone: [] })
        }
        await tx.exportFeeds.put('job-1', { fullCount: 3, delta: delta(feeds[0]!) })
        // One that the feed does not have cannot go.
        await tx.exportFeeds.mark(feeds[0]!, 2, { present: ['b'], gone: ['a', 'none'] })
        return feeds
      })
      assert.ok(one! < two!)
      assert.deepEqual(await exportFeeds.get('job-1'), { fullCount: 3, delta: delta(one!) })
      assert.equal(await exportFeeds.findOrphan(), undefined)
      await store.transaction((tx) => tx.exportJobs.delete('job-1'))
      assert.deepEqual(await exportFeeds.get('job-1'), NO_FEED)
      assert.equal(await exportFeeds.findOrphan(), one)
      const remove = () => store.transaction((tx) => tx.exportFeeds.removeMembers(one!, 2))
      assert.deepEqual([await remove(), await remove(), await remove()], [2, 1, 0])
      assert.equal(await exportFeeds.findOrphan(), undefined)
      assert.ok((await store.transaction((tx) => tx.exportFeeds.nextFeed())) > two!)
    })

    it('know which files a place has, by name, and without the job its files are orphans', async (test) => {
      const { store } = await openWithModel(backend, test, insertJobs)
      const { exportFiles } = store.read
      const note = (jobId: string, target: string, name: string, digest: string) =>
        store.transaction((tx) => tx.exportFiles.note(jobId, target, { name, digest }))
      await note('job-1', 'here', 'a.jpg', '1')
      await note('job-1', 'here', 'größe 日本.jpg', '2')
      await note('job-1', 'here', 'a.jpg', '3')
      await note('job-2', 'here', 'a.jpg', '4')
      await note('job-1', 'there', 'b.jpg', '5')
      const known = async (jobId: string, target: string) =>
        Object.fromEntries(await exportFiles.digestsOf(jobId, target, ['a.jpg', 'b.jpg', 'c.jpg', 'größe 日本.jpg']))
      assert.deepEqual(await known('job-1', 'here'), { 'a.jpg': '3', 'größe 日本.jpg': '2' })
      assert.deepEqual(await known('job-1', 'there'), { 'b.jpg': '5' })
      assert.deepEqual(await known('job-2', 'here'), { 'a.jpg': '4' })
      assert.equal((await exportFiles.digestsOf('job-1', 'here', [])).size, 0)
      await note('job-1', 'there', 'a.jpg', '3')
      assert.deepEqual(await known('job-1', 'here'), { 'größe 日本.jpg': '2' })
      assert.equal(await exportFiles.findOrphan(), undefined)
      await store.transaction((tx) => tx.exportJobs.delete('job-1'))
      assert.equal(await exportFiles.findOrphan(), 'job-1')
      const remove = () => store.transaction((tx) => tx.exportFiles.remove('job-1', 2))
      assert.deepEqual([await remove(), await remove(), await remove()], [2, 1, 0])
      assert.deepEqual([await exportFiles.findOrphan(), await known('job-2', 'here')], [undefined, { 'a.jpg': '4' }])
    })

    it('have files of runs that are noted, and of some that are kept, the latest start first', async (test) => {
      const { store } = await openWithModel(backend, test, insertJobs)
      const { exportRuns } = store.read
      const file = {
        name: 'a.csv',
        contentType: 'text/csv',
        size: 3,
        sha256: 'x',
        recordCount: 1,
        hasChecksum: false,
      }
      const kept = { status: 'failed', completedAt: AT, keptUntil: AT } as const
      await store.transaction(async (tx) => {
        await tx.exportRuns.insert(runOf('run-1', 'job-1', { ...kept, startedAt: '2026-01-01T00:00:00.000Z' }))
        await tx.exportRuns.insert(runOf('run-2', 'job-2', kept))
        await tx.exportRuns.insert(runOf('run-3', 'job-1', { ...kept, keptUntil: null }))
        await tx.exportRuns.insert(runOf('run-4', 'job-1', kept))
        await tx.exportRuns.noteFile('run-1', file)
      })
      assert.deepEqual([await exportRuns.fileOf('run-1'), await exportRuns.fileOf('run-2')], [file, undefined])
      const ids = async (jobId?: string) => (await exportRuns.listKept(jobId)).map(({ id }) => id)
      assert.deepEqual(await ids(), ['run-4', 'run-2', 'run-1'])
      assert.deepEqual(await ids('job-1'), ['run-4', 'run-1'])
    })
  })
}
