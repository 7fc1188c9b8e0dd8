// Entries of long lists are looked up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findById, holdsText } from '../../src/kernel/found-by-id.ts'

for (const count of [3, 3000])
  test(`an entry is found in a list of ${count}, by its own ID alone`, () => {
    const list = Array.from({ length: count }, (_, index) => ({ id: `e${index}` }))
    for (const entry of list) assert.equal(findById(list, entry.id), entry)
    assert.equal(findById(list, 'constructor'), undefined)
    const texts = list.map(({ id }) => id)
    for (const text of texts) assert.equal(holdsText(texts, text), true)
    assert.equal(holdsText(texts, 'constructor'), false)
  })

test('many questions look at a long list once', () => {
  let looks = 0
  const list = Array.from({ length: 1000 }, (_, index) => ({
    get id() {
      looks += 1
      return `e${index}`
    },
  }))
  for (let index = 0; index < 1000; index += 1) assert.notEqual(findById(list, `e${index}`), undefined)
  assert.ok(looks <= 2 * list.length, `${looks} looks`)
})
