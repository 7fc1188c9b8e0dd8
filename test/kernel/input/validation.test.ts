import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { Alias, firstDuplicate, Id, listOf, Name, SortOrder } from '../../../src/kernel/input/validation.ts'
import { parse } from '../../../src/kernel/input/parse.ts'

const isValid = (schema: v.GenericSchema, input: unknown): boolean => v.safeParse(schema, input).success

test('an ID is 1 to 128 letters, digits, dots, underscores, tildes or hyphens, and begins with a letter or digit', () => {
  for (const id of ['a', '0', 'ent-1', 'a._~-', 'constructor', 'x'.repeat(128)]) assert.equal(isValid(Id, id), true, id)
  for (const id of ['', '-a', '.a', '__proto__', 'a b', 'a/b', 'a=b', 'a;b', 'ä', 'a\n', 'x'.repeat(129), 1, null])
    assert.equal(isValid(Id, id), false, String(id))
})

test('an alias begins with a letter and may be called like a member of Object', () => {
  for (const alias of ['a', 'A_-9', 'constructor', 'toString', 'hasOwnProperty', 'x'.repeat(64)])
    assert.equal(isValid(Alias, alias), true, alias)
  for (const alias of ['', '__proto__', '1a', 'a.b', 'a b', 'x'.repeat(65), 5])
    assert.equal(isValid(Alias, alias), false)
})

test('a name is not blank and has at most 200 characters', () => {
  assert.equal(isValid(Name, 'Größe (cm)'), true)
  for (const name of ['', '  ', 'x'.repeat(201), 1]) assert.equal(isValid(Name, name), false)
})

test('a sort order is any number that JSON can carry', () => {
  for (const order of [0, -5, 1.5, Number.MAX_SAFE_INTEGER]) assert.equal(isValid(SortOrder, order), true)
  for (const order of [Infinity, NaN, '1']) assert.equal(isValid(SortOrder, order), false)
})

test('a fault names the field where it is', () => {
  const Body = v.object({ name: Name, items: listOf(v.object({ id: Id }), 2), more: v.optional(v.object({ x: Id })) })
  const good = { name: 'a', items: [] }
  const messages = [
    [{ items: [] }, 'name is required'],
    [{ ...good, name: 5 }, 'name must be a string'],
    [{ ...good, items: [{ id: 'a' }, { id: '' }] }, /^items\[1\]\.id must be an ID/],
    [{ ...good, items: [{}] }, 'items[0].id is required'],
    [{ ...good, items: [null] }, 'items[0] must be an object'],
    [{ ...good, items: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }, 'items must have at most 2 items'],
    [{ ...good, items: {} }, 'items must be an array'],
    [{ ...good, more: {} }, 'more.x is required'],
  ] as const
  for (const [input, message] of messages)
    assert.throws(() => parse(Body, input), { code: 'VALIDATION_ERROR', message })
  assert.throws(() => parse(Name, 5), { message: 'The body must be a string' })
  assert.throws(() => parse(Body, { ...good, name: 5 }, 'query'), { message: 'query.name must be a string' })
})

test('unknown fields are dropped, so that what was read can be sent back', () => {
  assert.deepEqual(parse(v.object({ name: Name }), { name: 'a', createdAt: 'x', constructor: 1 }), { name: 'a' })
})

test('the first item that occurred before is found', () => {
  assert.equal(firstDuplicate(['a', 'b', 'c', 'b', 'a']), 'b')
  assert.equal(firstDuplicate(['constructor', 'toString']), undefined)
  assert.equal(firstDuplicate([]), undefined)
})

test('of a list that is too long no item is looked at', () => {
  let looked = 0
  const item = v.custom<unknown>(() => (looked += 1) > 0)
  const list = v.object({ items: listOf(item, 10) })
  assert.throws(() => parse(list, { items: Array.from({ length: 200_000 }, () => ({})) }), {
    message: 'items must have at most 10 items',
  })
  assert.equal(looked, 0)
  assert.deepEqual(parse(list, { items: [1, 2] }), { items: [1, 2] })
})
