// What an entry about the model says of a change.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { diffMembers } from '../../../../src/core/feed/rules/model-entry.ts'

const item = (id: string, name = id) => ({ id, name })

describe('A change of the model', () => {
  it('is told member by member, of lists item by item, and without what changes every time', () => {
    const before = { id: 'x', name: 'A', updatedAt: '1', states: [item('a'), item('b')], note: null }
    const after = { id: 'x', name: 'B', updatedAt: '2', states: [item('a', 'new'), item('c')], note: null }
    assert.deepEqual(diffMembers(before, after), [
      { field: 'name', oldValue: 'A', newValue: 'B' },
      { field: 'states.a', oldValue: item('a'), newValue: item('a', 'new') },
      { field: 'states.b', oldValue: item('b'), newValue: null },
      { field: 'states.c', oldValue: null, newValue: item('c') },
    ])
  })

  it('says of items that have only changed places which order they had and have', () => {
    const [before, after] = [{ list: [item('a'), item('b')] }, { list: [item('b'), item('a')] }]
    assert.deepEqual(diffMembers(before, after), [{ field: 'list', oldValue: ['a', 'b'], newValue: ['b', 'a'] }])
  })

  it('compares lists of anything else, and members called like those of Object, as a whole', () => {
    assert.deepEqual(diffMembers({ ids: ['a'] }, { ids: ['a', 'b'], constructor: 1 }), [
      { field: 'ids', oldValue: ['a'], newValue: ['a', 'b'] },
      { field: 'constructor', oldValue: null, newValue: 1 },
    ])
    assert.deepEqual(diffMembers({ list: [] }, { list: [] }), [])
    assert.deepEqual(diffMembers(undefined, { id: 'x', list: [item('a')] }), [
      { field: 'list.a', oldValue: null, newValue: item('a') },
    ])
  })
})
