// Comments, assignments, followers and notices.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Assignment } from '../../../src/collaboration/rules/assignment.ts'
import type { Comment } from '../../../src/collaboration/rules/comment.ts'
import { MAX_NOTICES, noticeOf } from '../../../src/collaboration/rules/notice.ts'
import type { CommentsAsked } from '../../../src/store/collaboration-port.ts'
import type { Store } from '../../../src/store/port.ts'
import { type Backend, openWithModel } from './backend.ts'
import { insertRecord, recordOf } from './fixtures.ts'

const AT = '2026-03-01T09:30:00.000Z'

const commentOf = (id: string, fields: Partial<Comment> = {}): Comment => ({
  id,
  recordId: 'ent-1',
  schemaId: 'sch-1',
  attributeAlias: null,
  scope: '',
  threadId: null,
  author: { id: 'usr-1', kind: 'user' },
  text: `Text "\u0000" of ${id} 😀`,
  createdAt: AT,
  editedAt: null,
  resolvedAt: null,
  resolvedBy: null,
  isDeleted: false,
  ...fields,
})

const assignmentOf = (id: string, fields: Partial<Assignment> = {}): Assignment => ({
  id,
  recordId: 'ent-1',
  assigneeId: 'anna',
  assignedBy: { id: 'ben', kind: 'user' },
  dueOn: null,
  note: '',
  state: 'open',
  createdAt: AT,
  changedAt: AT,
  changedBy: { id: 'ben', kind: 'user' },
  ...fields,
})

const ALL = { schemaId: 'sch-1', aliases: undefined }

async function idsOf(store: Store, asked: Partial<CommentsAsked>): Promise<string[]> {
  const found = await store.read.comments.list({
    recordId: 'ent-1',
    readable: ALL,
    order: 'threads',
    limit: 100,
    ...asked,
  })
  return found.map(({ comment }) => comment.id)
}

/** A record, two threads with replies, and a resolved thread on an attribute. */
async function openWithComments(backend: Backend, test: Parameters<Backend['open']>[0]) {
  const opened = await openWithModel(backend, test)
  await opened.store.transaction(async (tx) => {
    await insertRecord(tx, recordOf('ent-1'))
    const resolved = { resolvedAt: AT, resolvedBy: { id: 'usr-1', kind: 'user' } } as const
    await tx.comments.insert(commentOf('a'))
    await tx.comments.insert(commentOf('b', { attributeAlias: 'name', scope: 'language=de' }))
    await tx.comments.insert(commentOf('a1', { threadId: 'a', author: { id: 'usr 2', kind: 'apiKey' } }))
    await tx.comments.insert(commentOf('c', { attributeAlias: 'other', ...resolved }))
    await tx.comments.insert(commentOf('a2', { threadId: 'a' }))
    await tx.comments.insert(commentOf('elsewhere', { recordId: 'ent-2' }))
  })
  return opened
}

export function describeCollaboration(backend: Backend): void {
  describe(`${backend.name}: comments`, () => {
    it('are listed by thread, and newest first, page by page', async (test) => {
      const { store, reopen } = await openWithComments(backend, test)
      assert.deepEqual(await idsOf(store, {}), ['c', 'b', 'a', 'a1', 'a2'])
      assert.deepEqual(await idsOf(store, { order: 'newest' }), ['a2', 'c', 'a1', 'b', 'a'])
      const again = await reopen()
      for (const order of ['threads', 'newest'] as const) {
        const asked = { recordId: 'ent-1', readable: ALL, order, limit: 2 }
        const pages: string[] = []
        for (let after; ;) {
          const page = await again.read.comments.list({ ...asked, after })
          pages.push(...page.map(({ comment }) => comment.id))
          after = page.at(-1)
          if (page.length < 2) break
        }
        assert.deepEqual(pages, await idsOf(again, { order }))
      }
      assert.deepEqual(await again.read.comments.get('a'), commentOf('a'))
      assert.equal(await again.read.comments.get('none'), undefined)
    })

    it('are chosen by attribute, by state, and by what may be read', async (test) => {
      const { store } = await openWithComments(backend, test)
      assert.deepEqual(await idsOf(store, { isOpen: true }), ['b', 'a', 'a1', 'a2'])
      assert.deepEqual(await idsOf(store, { isOpen: false }), ['c'])
      assert.deepEqual(await idsOf(store, { attributeAlias: 'name' }), ['b'])
      for (const aliases of [['name'], ['name', 'more']])
        assert.deepEqual(await idsOf(store, { readable: { schemaId: 'sch-1', aliases } }), ['b', 'a', 'a1', 'a2'])
      assert.deepEqual(await idsOf(store, { readable: { schemaId: 'sch-1', aliases: [] } }), ['a', 'a1', 'a2'])
      assert.deepEqual(await idsOf(store, { readable: { ...ALL, schemaId: 'sch-2' } }), ['a', 'a1', 'a2'])
    })

    it('are counted: open threads by value, of existing records only', async (test) => {
      const { store } = await openWithComments(backend, test)
      assert.deepEqual(await store.read.comments.openOf(['ent-1', 'ent-2']), [
        { recordId: 'ent-1', schemaId: 'sch-1', attributeAlias: null, scope: '', open: 1 },
        { recordId: 'ent-1', schemaId: 'sch-1', attributeAlias: 'name', scope: 'language=de', open: 1 },
      ])
      assert.deepEqual(await store.read.comments.counts('ent-1'), { comments: 5, open: 2 })
      assert.equal(await store.read.comments.countReplies('a'), 2)
      assert.deepEqual(await store.read.comments.authorsOf('a'), [
        { id: 'usr 2', kind: 'apiKey' },
        { id: 'usr-1', kind: 'user' },
      ])
    })

    it('are changed and deleted, one by one or all that are old', async (test) => {
      const { store } = await openWithComments(backend, test)
      await store.transaction(async (tx) => {
        await tx.comments.update(commentOf('b', { attributeAlias: 'name', scope: 'language=de', resolvedAt: AT }))
        await tx.comments.delete('a1')
      })
      assert.deepEqual(await idsOf(store, { isOpen: true }), ['a', 'a2'])
      const deleteSome = (through: string) => store.transaction((tx) => tx.comments.deleteOf('ent-1', through, 3))
      assert.equal(await deleteSome('2026-01-01T00:00:00.000Z'), 0)
      assert.equal(await deleteSome(AT), 3)
      assert.equal(await deleteSome(AT), 1)
      assert.deepEqual(await idsOf(store, {}), [])
      assert.ok(await store.read.comments.get('elsewhere'))
    })

    it('follow their attribute to another alias', async (test) => {
      const { store } = await openWithComments(backend, test)
      assert.equal(await store.transaction((tx) => tx.comments.renameAttribute('sch-1', 'name', 'title', 9)), 1)
      assert.deepEqual(await idsOf(store, { attributeAlias: 'title' }), ['b'])
      assert.equal((await store.read.comments.get('b'))?.attributeAlias, 'title')
      assert.equal(await store.transaction((tx) => tx.comments.renameAttribute('sch-2', 'other', 'x', 9)), 0)
    })

    it('and assignments and followers tell which records they are of', async (test) => {
      const { store } = await openWithComments(backend, test)
      await store.transaction(async (tx) => {
        await tx.workAssignments.insert(assignmentOf('x', { recordId: 'ent-3' }))
        await tx.followers.set('ent-0', 'anna', true)
        await tx.followers.set('ent-1', 'anna', true)
      })
      assert.deepEqual(await store.read.discussed.list('', 3), ['ent-0', 'ent-1', 'ent-2'])
      assert.deepEqual(await store.read.discussed.list('ent-2', 3), ['ent-3'])
    })
  })

  describe(`${backend.name}: followers`, () => {
    it('follow or have left, until their record is forgotten', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        await tx.followers.set('ent-1', 'b', true)
        await tx.followers.set('ent-1', 'a', true)
        await tx.followers.set('ent-1', 'c', true)
        await tx.followers.set('ent-1', 'c', false)
      })
      assert.deepEqual(await store.read.followers.list('ent-1', 9), ['a', 'b'])
      assert.deepEqual(await store.read.followers.list('ent-1', 1), ['a'])
      const states = ['a', 'c', 'd'].map((id) => store.read.followers.get('ent-1', id))
      assert.deepEqual(await Promise.all(states), [true, false, undefined])
      await store.transaction((tx) => tx.followers.deleteOf('ent-1'))
      assert.deepEqual(await store.read.followers.list('ent-1', 9), [])
    })
  })

  describe(`${backend.name}: assignments`, () => {
    it('are listed by person, giver and record, the earliest day first, and without deleted records', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        await insertRecord(tx, recordOf('ent-1'))
        await tx.workAssignments.insert(assignmentOf('none'))
        await tx.workAssignments.insert(assignmentOf('late', { dueOn: '2026-03-09' }))
        await tx.workAssignments.insert(assignmentOf('soon', { dueOn: '2026-03-02' }))
        await tx.workAssignments.insert(assignmentOf('gone', { recordId: 'ent-9' }))
        await tx.workAssignments.insert(assignmentOf('his', { assigneeId: 'carl' }))
        await tx.workAssignments.insert(assignmentOf('done', { state: 'done' }))
      })
      const list = async (asked: object): Promise<string[]> => {
        const found = await store.read.workAssignments.list({ state: 'open', limit: 9, ...asked })
        return found.map(({ assignment }) => assignment.id)
      }
      assert.deepEqual(await list({ assigneeId: 'anna' }), ['soon', 'late', 'none'])
      assert.deepEqual(await list({ assigneeId: 'anna', state: 'done' }), ['done'])
      assert.deepEqual(await list({ assigneeId: 'anna', dueBefore: '2026-03-09' }), ['soon'])
      assert.deepEqual(await list({ recordId: 'ent-1' }), ['soon', 'late', 'none', 'his'])
      assert.deepEqual(await list({ assignedBy: { id: 'ben', kind: 'user' }, assigneeId: 'carl' }), ['his'])
      assert.deepEqual(await list({ assignedBy: { id: 'ben', kind: 'apiKey' } }), [])
      const [first] = await store.read.workAssignments.list({ assigneeId: 'anna', state: 'open', limit: 1 })
      assert.deepEqual(await list({ assigneeId: 'anna', after: first }), ['late', 'none'])
      assert.deepEqual(await store.read.workAssignments.assigneesOf('ent-1'), ['anna', 'carl'])
      assert.equal(await store.read.workAssignments.countOpen('anna'), 4)
      assert.equal(await store.read.workAssignments.findFull(['ent-0', 'ent-1'], 4), 'ent-1')
      assert.equal(await store.read.workAssignments.findFull(['ent-1'], 5), undefined)
    })

    it('are due once for the day before, once for the day after, and again where the day changes', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        await insertRecord(tx, recordOf('ent-1'))
        await tx.workAssignments.insert(assignmentOf('a', { dueOn: '2026-03-02' }))
        await tx.workAssignments.insert(assignmentOf('told', { dueOn: '2026-03-02' }), 'tomorrow')
        await tx.workAssignments.insert(assignmentOf('b', { dueOn: '2026-03-03' }))
        await tx.workAssignments.insert(assignmentOf('c'))
      })
      const take = async (stage: 'tomorrow' | 'overdue', day: string): Promise<string[]> =>
        (await store.transaction((tx) => tx.workAssignments.takeDue(stage, day, 9))).map(({ id }) => id)
      assert.deepEqual(await take('tomorrow', '2026-03-02'), ['a'])
      assert.deepEqual(await take('tomorrow', '2026-03-02'), [])
      assert.deepEqual(await take('overdue', '2026-03-02'), [])
      assert.deepEqual(await take('overdue', '2026-03-03'), ['a', 'told'])
      assert.deepEqual(await take('overdue', '2026-03-03'), [])
      await store.transaction((tx) => tx.workAssignments.update(assignmentOf('a', { dueOn: '2026-03-08' }), true))
      assert.deepEqual(await take('tomorrow', '2026-03-08'), ['a'], 'the day before b is over')
      assert.deepEqual(await take('overdue', '2026-03-08'), ['b'])
    })

    it('that have ended are deleted when they are old; notes are erased', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        await tx.workAssignments.insert(assignmentOf('a', { note: 'N\0' }))
        await tx.workAssignments.insert(assignmentOf('b', { state: 'done' }))
        await tx.workAssignments.insert(assignmentOf('c', { state: 'withdrawn', changedAt: '2026-03-02' }))
      })
      assert.equal(await store.transaction((tx) => tx.workAssignments.deleteEnded('2026-03-02', 9)), 1)
      assert.equal(await store.read.workAssignments.get('b'), undefined)
      assert.equal(await store.transaction((tx) => tx.workAssignments.eraseNotes('ent-1', 9)), 1)
      assert.equal(await store.transaction((tx) => tx.workAssignments.eraseNotes('ent-1', 9)), 0)
      assert.deepEqual(await store.read.workAssignments.get('a'), assignmentOf('a'))
      assert.equal(await store.transaction((tx) => tx.workAssignments.deleteOf('ent-1', 9)), 2)
    })
  })

  describe(`${backend.name}: notices`, () => {
    const add = (store: Store, userId: string, ...ids: string[]): Promise<void> =>
      store.transaction(async (tx) => {
        for (const id of ids) await tx.notices.add(userId, noticeOf({ id, kind: 'mention', createdAt: AT }))
      })
    const idsFor = async (store: Store, userId: string, isUnread = false): Promise<string[]> =>
      (await store.read.notices.list(userId, { isUnread, limit: 2000 })).map(({ notice }) => notice.id)

    it('are listed newest first, each once for a person, until they are read', async (test) => {
      const { store } = await openWithModel(backend, test)
      await add(store, 'anna', 'a', 'b', 'a', 'c')
      await add(store, 'ben', 'a')
      assert.deepEqual(await idsFor(store, 'anna'), ['c', 'b', 'a'])
      const [first] = await store.read.notices.list('anna', { isUnread: false, limit: 1 })
      const next = await store.read.notices.list('anna', { isUnread: false, limit: 9, after: first!.n })
      assert.deepEqual(
        next.map(({ notice }) => notice.id),
        ['b', 'a'],
      )
      await store.transaction((tx) => tx.notices.markRead('anna', ['b', 'none']))
      assert.deepEqual(await idsFor(store, 'anna', true), ['c', 'a'])
      assert.equal(await store.read.notices.countUnread('anna'), 2)
      await store.transaction((tx) => tx.notices.markRead('anna', undefined))
      assert.equal(await store.read.notices.countUnread('anna'), 0)
      assert.equal(await store.read.notices.countUnread('ben'), 1)
      await store.transaction((tx) => tx.notices.deleteOf('anna'))
      assert.deepEqual(await idsFor(store, 'anna'), [])
    })

    it('of a kind that is off are not written', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction((tx) => tx.noticeSettings.insert({ id: 'anna', off: ['mention'] }))
      await add(store, 'anna', 'a')
      await store.transaction((tx) => tx.notices.add('anna', noticeOf({ id: 'b', kind: 'reply', createdAt: AT })))
      assert.deepEqual(await idsFor(store, 'anna'), ['b'])
      await store.transaction((tx) => tx.noticeSettings.update({ id: 'anna', off: [] }))
      await add(store, 'anna', 'a')
      assert.deepEqual(await idsFor(store, 'anna'), ['a', 'b'])
    })

    it('of a person are not many, and not old', async (test) => {
      const { store } = await openWithModel(backend, test)
      await add(store, 'ben', 'his')
      await add(store, 'anna', ...Array.from({ length: MAX_NOTICES + 2 }, (_, at) => `n-${at}`))
      const kept = await idsFor(store, 'anna')
      assert.deepEqual([kept.length, kept.at(-1)], [MAX_NOTICES, 'n-2'])
      assert.deepEqual(await idsFor(store, 'ben'), ['his'])
      assert.equal(await store.transaction((tx) => tx.notices.deleteBefore(AT, 9)), 0)
      assert.equal(await store.transaction((tx) => tx.notices.deleteBefore('2026-03-02', 9)), 9)
    })
  })
}
