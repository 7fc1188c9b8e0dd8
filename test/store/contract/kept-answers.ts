// Answers that are kept for requests that come again.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { KeptAnswer } from '../../../src/store/answer-port.ts'
import { type Backend, hasCode, openWithModel } from './backend.ts'

const answerOf = (id: string, keptAt = '2026-01-02T03:04:05.678Z'): KeptAnswer => ({
  id,
  request: `request of ${id}`,
  view: 'view',
  keptAt,
  content: Buffer.from([0, 255, 128, 7]),
})

export function describeKeptAnswers(backend: Backend): void {
  describe(`${backend.name}: kept answers`, () => {
    it('are given as they were kept, once for each ID', async (test) => {
      const { store, reopen } = await openWithModel(backend, test)
      await store.transaction((tx) => tx.keptAnswers.insert(answerOf('one')))
      await assert.rejects(
        store.transaction((tx) => tx.keptAnswers.insert(answerOf('one'))),
        hasCode('CONFLICT'),
      )
      const { content, ...rest } = (await (await reopen()).read.keptAnswers.get('one'))!
      const { content: expected, ...others } = answerOf('one')
      assert.deepEqual({ ...rest }, others)
      assert.deepEqual(Buffer.from(content), expected)
    })

    it('are read in the order in which they were kept', async (test) => {
      const { store } = await openWithModel(backend, test)
      const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z']
      const all = [answerOf('b', late), answerOf('c', early), answerOf('a', late)]
      await store.transaction(async (tx) => {
        for (const answer of all) await tx.keptAnswers.insert(answer)
      })
      const first = await store.read.keptAnswers.listAfter(undefined, 2)
      const rest = await store.read.keptAnswers.listAfter(first.at(-1), 2)
      assert.deepEqual(
        [first, rest].map((part) => part.map(({ id }) => id)),
        [['c', 'a'], ['b']],
      )
      assert.deepEqual(Buffer.from(rest[0]!.content), answerOf('b').content)
    })

    it('go with the transaction that would have kept them', async (test) => {
      const { store } = await openWithModel(backend, test)
      const failing = store.transaction(async (tx) => {
        await tx.keptAnswers.insert(answerOf('one'))
        throw new Error('undone')
      })
      await assert.rejects(failing, /undone/)
      assert.equal(await store.read.keptAnswers.get('one'), undefined)
      assert.equal(await store.transaction((tx) => tx.keptAnswers.size()), 0)
    })

    it('are counted by their size, and forgotten oldest first', async (test) => {
      const { store } = await openWithModel(backend, test)
      const moments = ['2026-01-03', '2026-01-01', '2026-01-02']
      await store.transaction(async (tx) => {
        for (const moment of moments) await tx.keptAnswers.insert(answerOf(moment, moment))
      })
      const sizes = [await store.transaction((tx) => tx.keptAnswers.size())]
      assert.equal(await store.transaction((tx) => tx.keptAnswers.deleteBefore('2026-01-03', 1)), 1)
      assert.equal(await store.read.keptAnswers.get('2026-01-01'), undefined)
      sizes.push(await store.transaction((tx) => tx.keptAnswers.size()))
      assert.equal(await store.transaction((tx) => tx.keptAnswers.deleteBefore('2026-01-03', 10)), 1)
      await store.transaction((tx) => tx.keptAnswers.delete('2026-01-03'))
      sizes.push(await store.transaction((tx) => tx.keptAnswers.size()))
      assert.ok(sizes[0]! > sizes[1]! && sizes[1]! > 4 && sizes[2] === 0, String(sizes))
      assert.equal(await store.transaction((tx) => tx.keptAnswers.deleteBefore('2027', 10)), 0)
    })
  })
}
