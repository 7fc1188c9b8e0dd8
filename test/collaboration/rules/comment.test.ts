// The rules of comments. Contract 5 §3.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ID_PATTERN } from '../../../src/kernel/input/validation.ts'
import {
  assertFewMentions,
  assertMayDelete,
  assertMayEdit,
  type Comment,
  MAX_MENTIONS,
  mentionsIn,
  withoutText,
} from '../../../src/collaboration/rules/comment.ts'
import { readPlace } from '../../../src/collaboration/rules/places.ts'
import { writeCursor } from '../../../src/kernel/input/cursors.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import { PimletError } from '../../../src/kernel/errors.ts'

const [admin, editor] = BUILT_IN_ROLES
const comment: Comment = {
  id: 'cmt-1',
  recordId: 'ent-1',
  schemaId: 'sch-1',
  attributeAlias: null,
  scope: '',
  threadId: null,
  author: { id: 'one', kind: 'user' },
  text: 'Hello',
  createdAt: '2026-03-01T09:30:00.000Z',
  editedAt: null,
  resolvedAt: null,
  resolvedBy: null,
  isDeleted: false,
}
const id = fc.stringMatching(ID_PATTERN)
const isDenied = (error: unknown): boolean => error instanceof PimletError && error.code === 'PERMISSION_DENIED'

describe('Mentions', () => {
  it('are found in any text, each once, in the order of the text', () => {
    const words = fc.array(
      fc.oneof(
        id.map((one) => ({ id: one })),
        fc.string().filter((text) => !text.includes('@')),
      ),
    )
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.map((part) => (typeof part === 'string' ? part : `@[${part.id}]`)).join(' ')
        const ids = parts.flatMap((part) => (typeof part === 'string' ? [] : part.id))
        assert.deepEqual(mentionsIn(text), [...new Set(ids)])
      }),
    )
  })

  it('of names that objects have are mentions like any other', () => {
    assert.deepEqual(mentionsIn('@[constructor] and @[toString], @[-no] @[] @ [a]'), ['constructor', 'toString'])
  })

  it('are few', () => {
    const ids = Array.from({ length: MAX_MENTIONS + 1 }, (_, at) => `usr-${at}`)
    assertFewMentions(ids.slice(1))
    assert.throws(() => assertFewMentions(ids), /text mentions 21 users: at most 20/)
  })
})

describe('A comment', () => {
  it('is edited by its author alone; an API key with the ID of the author is somebody else', () => {
    assertMayEdit({ id: 'one', kind: 'user' }, comment)
    assert.throws(() => assertMayEdit({ id: 'one', kind: 'apiKey' }, comment), isDenied)
    assert.throws(() => assertMayEdit({ id: 'two', kind: 'user' }, comment), isDenied)
  })

  it('is deleted by its author, and by moderators', () => {
    assertMayDelete({ id: 'one', kind: 'user', role: editor! }, comment)
    assertMayDelete({ id: 'two', kind: 'user', role: admin! }, comment)
    assert.throws(() => assertMayDelete({ id: 'two', kind: 'user', role: editor! }, comment), isDenied)
  })

  it('that stays for its replies keeps nothing of its text', () => {
    assert.ok(!JSON.stringify(withoutText(comment)).includes('Hello'))
  })
})

describe('A cursor', () => {
  it('leads back to its place, and any other text is refused', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.maxSafeInteger(), (text, n) => {
        assert.deepEqual(readPlace(writeCursor([text, n]), ['string', 'number']), [text, n])
      }),
    )
    for (const cursor of ['', 'x', writeCursor(['a']), writeCursor([1, 'a']), writeCursor(['a', 1.5])])
      assert.throws(() => readPlace(cursor, ['string', 'number']), /after is not a cursor/)
  })
})
