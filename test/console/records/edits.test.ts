// Changes of cells as one batch: `console/records/edits.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type CellEdit,
  mergeEdits,
  outcomeOf,
  reversed,
  toOperations,
  toSingleOperations,
} from '../../../console/records/edits.ts'

const edit = (recordId: string, alias: string, before: unknown, after: unknown, scope = {}): CellEdit => ({
  recordId,
  alias,
  scope,
  before,
  after,
})

describe('edits', () => {
  it('G6: are one operation a record, which says what it expects to find', () => {
    const operations = toOperations([
      edit('r1', 'name', 'a', 'b'),
      edit('r2', 'name', null, 'c'),
      edit('r1', 'name', null, null, { language: 'de' }),
      edit('r1', 'constructor', 1, 2),
    ])
    assert.deepEqual(
      operations.map(({ operation }) => operation.id),
      ['r1', 'r2'],
    )
    const { values, expect } = operations[0]!.operation
    assert.deepEqual(JSON.parse(JSON.stringify(values)), {
      name: [
        { scope: {}, value: 'b' },
        { scope: { language: 'de' }, value: null },
      ],
      constructor: [{ scope: {}, value: 2 }],
    })
    assert.deepEqual(expect[1], { attributeAlias: 'name', scope: { language: 'de' }, value: null })
  })

  it('G6: where a record with several cells is refused, each of them is sent alone', () => {
    const edits = [edit('r1', 'name', 'a', 'b'), edit('r1', 'sku', 'x', 'y'), edit('r2', 'name', 'a', 'b')]
    const first = outcomeOf(toOperations(edits), [
      { index: 0, status: 409, message: 'values.sku must be unique' },
      { index: 1, status: 200 },
    ])
    assert.deepEqual(first.done, [edits[2]])
    assert.deepEqual(first.unclear, [edits[0], edits[1]])
    const second = outcomeOf(toSingleOperations(first.unclear), [
      { index: 0, status: 200 },
      { index: 1, status: 409, message: 'values.sku must be unique' },
    ])
    assert.deepEqual(second.done, [edits[0]])
    assert.deepEqual(second.refused, [{ edit: edits[1], status: 409, message: 'values.sku must be unique' }])
  })

  it('of one cell twice are one, from what was there before both; reversed they take it back', () => {
    const merged = mergeEdits([edit('r1', 'name', 'a', 'b'), edit('r1', 'name', 'b', 'c')])
    assert.deepEqual(merged, [edit('r1', 'name', 'a', 'c')])
    assert.deepEqual(reversed(merged), [edit('r1', 'name', 'c', 'a')])
  })
})
