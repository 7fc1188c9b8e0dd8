import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPlaces } from '../../../../src/core/records/rules/batch-operations.ts'

test('added categories keep their place where they have one, unless they are told another', () => {
  const before = [
    { categoryId: 'a', sortOrder: 3 },
    { categoryId: 'b', sortOrder: 4 },
  ]
  assert.deepEqual(addPlaces(before, [{ categoryId: 'a' }, { categoryId: 'b', sortOrder: 1 }, { categoryId: 'c' }]), [
    { categoryId: 'a', sortOrder: 3 },
    { categoryId: 'b', sortOrder: 1 },
    { categoryId: 'c', sortOrder: 0 },
  ])
  assert.deepEqual(addPlaces(before, []), before)
})
