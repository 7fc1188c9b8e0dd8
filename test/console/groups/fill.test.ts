// The texts of filled cells: `console/groups/fill.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fillTexts } from '../../../console/groups/fill.ts'
import type { Fill } from '../../../console/grid/groups.ts'

const CELLS: Readonly<Record<string, string>> = { '1,0': '10', '2,0': '20', '1,1': 'a', '2,1': 'b', '1,2': '7' }

function fill(given: Partial<Fill>): string[] | undefined {
  const textOf = (row: number, column: number) => (row === 9 ? undefined : (CELLS[`${row},${column}`] ?? ''))
  const whole = { axis: 'down', rows: [1, 2, 4, 5], columns: [0, 1], source: 2, isSeries: true, textOf, decimal: '.' }
  return fillTexts({ ...whole, ...given } as Fill)?.map(({ row, column, text }) => `${row},${column} ${text}`)
}

describe('A fill', () => {
  it('goes on in each column with a series, past heads of groups', () => {
    assert.deepEqual(fill({}), ['4,0 30', '5,0 40', '4,1 a', '5,1 b'])
  })

  it('repeats the first cells, if it is no series', () => {
    assert.deepEqual(fill({ isSeries: false, columns: [0] }), ['4,0 10', '5,0 20'])
    assert.deepEqual(fill({ isSeries: false, source: 1, columns: [1] }), ['2,1 a', '4,1 a', '5,1 a'])
  })

  it('goes to the right in each row', () => {
    const right = { axis: 'right', rows: [1], columns: [0, 1, 2, 3], isSeries: false } as const
    assert.deepEqual(fill({ ...right, source: 1 }), ['1,1 10', '1,2 10', '1,3 10'])
    assert.deepEqual(fill({ ...right, source: 1, isSeries: true, columns: [2, 3] }), ['1,3 8'])
  })

  it('goes on from the cells until the first empty one, if nobody says how many', () => {
    assert.deepEqual(fill({ source: undefined, columns: [0, 2] }), ['4,0 30', '5,0 40', '2,2 8', '4,2 9', '5,2 10'])
  })

  it('fills nothing from a cell that is not loaded, and nothing where nothing is left to fill', () => {
    assert.equal(fill({ rows: [9, 10], source: 1 }), undefined)
    assert.deepEqual(fill({ rows: [1], source: 1 }), [])
  })
})
