import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineDimension, DimensionInput, removedSegments } from '../../../../src/core/model/rules/dimension.ts'
import { parse } from '../../../../src/kernel/input/parse.ts'

const define = (...segments: object[]) => defineDimension('dim', parse(DimensionInput, { name: 'D', segments }))

test('a segment without a name is called by its ID', () => {
  assert.deepEqual(define({ id: 'de', name: 'German' }, { id: 'constructor' }), {
    id: 'dim',
    name: 'D',
    segments: [
      { id: 'de', name: 'German' },
      { id: 'constructor', name: 'constructor' },
    ],
  })
})

test('a segment ID that occurs twice is refused by name', () => {
  assert.throws(() => define({ id: 'de' }, { id: 'fr' }, { id: 'de' }), {
    code: 'VALIDATION_ERROR',
    message: "segments: the ID 'de' occurs twice",
  })
})

test('a dimension has at most 1000 segments', () => {
  const many = Array.from({ length: 1001 }, (_, index) => ({ id: `s${index}` }))
  assert.throws(() => define(...many), { message: 'segments must have at most 1000 items' })
  assert.equal(define(...many.slice(1)).segments.length, 1000)
})

test('the segments that go are those whose IDs are no longer there', () => {
  assert.deepEqual(removedSegments(define({ id: 'a' }, { id: 'b' }), define({ id: 'b' }, { id: 'c' })), ['a'])
  assert.deepEqual(removedSegments(define({ id: 'a' }), define({ id: 'a', name: 'New' })), [])
})
