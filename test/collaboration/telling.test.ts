// How many people one comment tells. Contract 5 §3.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createCommentService } from '../../src/collaboration/comments.ts'
import type { StoredUser } from '../../src/core/accounts/rules/account.ts'
import { BUILT_IN_ROLES } from '../../src/core/accounts/rules/permissions.ts'
import { system } from '../../src/kernel/machine/system.ts'
import { openTestedStore } from '../helpers/tested-database.ts'
import { insertModel, insertRecord, recordOf } from '../store/contract/fixtures.ts'

const userOf = (id: string): StoredUser => ({
  id,
  username: id,
  name: id,
  roleId: 'role-viewer',
  disabled: false,
  createdAt: '2026-03-01T00:00:00.000Z',
  passwordHash: '',
  tokenGeneration: 0,
})

it('a comment tells all whom it mentions, and fifty others, however many follow', async (t) => {
  const store = await openTestedStore()
  t.after(() => store.close())
  const ids = Array.from({ length: 80 }, (_, at) => `usr-${at + 10}`)
  await store.transaction(async (tx) => {
    await insertModel(tx)
    for (const role of BUILT_IN_ROLES) await tx.roles.insert(role)
    await insertRecord(tx, recordOf('ent-1'))
    for (const id of ids) {
      await tx.users.insert(userOf(id))
      await tx.followers.set('ent-1', id, true)
    }
  })
  const service = createCommentService({ store, system })
  const caller = { id: 'usr-10', kind: 'user', name: 'Ann', role: BUILT_IN_ROLES[0]! } as const
  await service.create(caller, 'ent-1', { text: '@[usr-89] and @[usr-88]' })
  const told = new Map<string, string[]>()
  for (const id of ids) {
    const notices = await store.read.notices.list(id, { isUnread: true, limit: 9 })
    if (notices.length > 0)
      told.set(
        id,
        notices.map(({ notice }) => notice.kind),
      )
  }
  assert.deepEqual(
    [told.get('usr-89'), told.get('usr-88'), told.get('usr-11')],
    [['mention'], ['mention'], ['comment']],
  )
  assert.ok(told.size <= 52 && told.size >= 51, `${told.size}`)
  assert.equal(told.has('usr-10'), false)
})
