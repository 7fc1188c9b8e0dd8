// The rows of a sheet with groups: `console/groups/group-layout.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { GroupLayout } from '../../../console/groups/group-layout.ts'

const groups = fc.array(fc.record({ count: fc.integer({ min: 1, max: 6 }), isFolded: fc.boolean() }), { maxLength: 8 })

describe('GroupLayout', () => {
  it('is what writing the rows down one after another gives', () => {
    fc.assert(
      fc.property(groups, fc.nat(40), fc.nat(20), (some, first, more) => {
        const layout = new GroupLayout(some)
        const rows: { group: number; record: number; number: number }[] = []
        let number = 0
        for (const [group, { count, isFolded }] of some.entries()) {
          rows.push({ group, record: -1, number })
          for (let record = 0; record < count && !isFolded; record += 1)
            rows.push({ group, record, number: number + record })
          number += count
        }
        assert.deepEqual([layout.length, layout.records], [rows.length, number])
        for (const [row, { group, record, number: before }] of rows.entries()) {
          assert.deepEqual(layout.at(row), { group, record })
          assert.equal(layout.numberOf(row), before)
          if (record >= 0) assert.equal(layout.rowOf(group, record), row)
          else assert.equal(layout.headOf(group), row)
        }
        assert.equal(layout.at(rows.length), undefined)
        const seen = rows.slice(first, first + more + 1).filter(({ record }) => record >= 0)
        const spans = layout
          .within(first, first + more)
          .flatMap(({ group, first: from, last }) =>
            Array.from({ length: last - from + 1 }, (_, at) => ({ group, record: from + at })),
          )
        assert.deepEqual(
          spans,
          seen.map(({ group, record }) => ({ group, record })),
        )
      }),
    )
  })
})
