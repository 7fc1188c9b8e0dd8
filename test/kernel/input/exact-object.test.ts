// Contract 3 §9.1.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { exactObject, isExact } from '../../../src/kernel/input/exact-object.ts'
import { choiceOf, listOf, Name } from '../../../src/kernel/input/validation.ts'
import { parse } from '../../../src/kernel/input/parse.ts'

const Item = exactObject({ name: Name, note: v.optional(v.string()) })
const Body = exactObject(
  {
    title: Name,
    items: v.optional(
      v.nullable(
        listOf(
          v.pipe(
            Item,
            v.check(() => true),
          ),
          3,
        ),
      ),
    ),
  },
  ['createdAt'],
)
const refuses = (input: unknown, message: string): void =>
  assert.throws(() => parse(Body, input), { code: 'VALIDATION_ERROR', message })

test('an unknown member is refused, naming where it is and what may have been meant', () => {
  refuses({ title: 'a', itmes: [] }, "Unknown member 'itmes': did you mean 'items'?")
  refuses(
    { title: 'a', items: [{ name: 'b' }, { name: 'c', nmae: 1 }] },
    "Unknown member 'items[1].nmae': did you mean 'name'?",
  )
  refuses({ title: 'a', createAt: 1 }, "Unknown member 'createAt': did you mean 'createdAt'?")
  refuses({ title: 'a', x: 1 }, "Unknown member 'x': known are title, items, createdAt")
  assert.throws(() => parse(exactObject({}), { x: 1 }), { message: "Unknown member 'x': none is known here" })
})

test('who misspells a required member is told how it is spelt, not that it is missing', () => {
  refuses({ titel: 'a' }, "Unknown member 'titel': did you mean 'title'?")
  refuses({}, 'title is required')
})

test('members called like those of every object are as unknown as others, and an endless name is cut', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
    assert.throws(() => parse(Body, JSON.parse(`{"title":"a","${name}":1}`)), { message: new RegExp(`'${name}'`) })
  assert.throws(
    () => parse(Body, { title: 'a', ['x'.repeat(1_000_000)]: 1 }),
    ({ message }: Error) => message.length < 200,
  )
})

test('what the server sets may be sent back, whatever it is, and is dropped', () => {
  assert.deepEqual(parse(Body, { title: 'a', createdAt: { any: 1 } }), { title: 'a' })
})

test('what is known is checked and defaulted as in any object', () => {
  assert.deepEqual(parse(Body, { title: 'a', items: [{ name: 'b' }] }), { title: 'a', items: [{ name: 'b' }] })
  assert.deepEqual(parse(exactObject({ n: v.optional(v.number(), 5) }), {}), { n: 5 })
  refuses({ title: 5 }, 'title must be a string')
  for (const input of [null, 5, 'text']) assert.equal(v.safeParse(Body, input).success, false)
})

const ById = exactObject({ ids: v.array(Name) })
const ByQuery = exactObject({ query: Name, except: v.optional(v.array(Name)) })
const Choice = choiceOf([ById, v.lazy(() => ByQuery)], (input) =>
  Object.hasOwn(input as object, 'ids') ? ById : ByQuery,
)

test('an unknown member of one of several forms may have been meant for another form', () => {
  const refusesChoice = (input: unknown, message: string): void =>
    assert.throws(() => parse(Choice, input), { code: 'VALIDATION_ERROR', message })
  refusesChoice({ id: ['a'] }, "Unknown member 'id': did you mean 'ids'?")
  refusesChoice({ qery: 'a' }, "Unknown member 'qery': did you mean 'query'?")
  refusesChoice({ records: ['a'] }, "Unknown member 'records': known are query, except, ids")
  refusesChoice({ query: 'a', records: ['a'] }, "Unknown member 'records': known are query, except")
  refusesChoice({ ids: ['a'], query: 'a' }, "Unknown member 'query': known are ids")
  assert.deepEqual(parse(Choice, { ids: ['a'] }), { ids: ['a'] })
})

test('it is known as such, alone and in a pipe', () => {
  assert.equal(isExact(Body), true)
  assert.equal(
    isExact(
      v.pipe(
        Body,
        v.check(() => true),
      ),
    ),
    true,
  )
  assert.equal(isExact(v.object({})), false)
})

test('a fault deep inside is found in two looks at each object, however deep, and named by its whole path', () => {
  let looks = 0
  const leaf = v.pipe(
    v.string(),
    v.check(() => {
      looks += 1
      return false
    }, 'is wrong'),
  )
  const depth = 12
  let shape: v.GenericSchema = exactObject({ leaf, other: v.optional(v.string()) })
  let input: object = { leaf: 'a' }
  for (let level = 0; level < depth; level += 1) {
    shape = exactObject({ in: shape, lacking: v.optional(v.string(), 'x') })
    input = level % 2 === 0 ? { in: input } : { in: input, lacking: 'y' }
  }
  assert.throws(() => parse(shape, input), { message: `${'in.'.repeat(depth)}leaf is wrong` })
  assert.equal(looks, 2)
})
