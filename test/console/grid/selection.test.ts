// Selected records: `console/grid/selection.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  ALL_SELECTED,
  countSelected,
  isSelected,
  MAX_NAMED,
  namesTooMany,
  NOTHING_SELECTED,
  type SelectedRecords,
  toBulkSelection,
  withGroup,
  withRecords,
} from '../../../console/grid/selection.ts'

const ids = Array.from({ length: 12 }, (_, index) => `ent-${index}`)
const query = { criteria: [], criteriaOperator: 'and', schemaId: 'tea' } as const

describe('selection', () => {
  it('G5: is what a plain set of the records would be, and is counted so', () => {
    const step = fc.record({ ids: fc.subarray(ids), isIn: fc.boolean() })
    fc.assert(
      fc.property(fc.boolean(), fc.array(step), (fromAll, steps) => {
        let selected = fromAll ? ALL_SELECTED : NOTHING_SELECTED
        const model = new Set(fromAll ? ids : [])
        for (const { ids: some, isIn } of steps) {
          selected = withRecords(selected, some, isIn)
          for (const id of some) void (isIn ? model.add(id) : model.delete(id))
        }
        assert.deepEqual(
          ids.filter((id) => isSelected(selected, id)),
          ids.filter((id) => model.has(id)),
        )
        assert.equal(countSelected(selected, ids.length), model.size)
      }),
    )
  })

  it('G5: all that match but some is a query with exceptions, in the words of a bulk job', () => {
    const selected = withRecords(ALL_SELECTED, ['ent-1', 'ent-2'], false)
    assert.deepEqual(toBulkSelection(selected, query), { query, except: ['ent-1', 'ent-2'] })
    assert.deepEqual(toBulkSelection(ALL_SELECTED, query), { query })
    assert.deepEqual(toBulkSelection(withRecords(NOTHING_SELECTED, ['ent-1'], true), query), { ids: ['ent-1'] })
  })

  it('is what a plain set would be, with whole groups, too', () => {
    const groupOf = (id: string) => `g${Number(id.slice(4)) % 3}`
    const groups = ['g0', 'g1', 'g2']
    const step = fc.oneof(
      fc.record({ group: fc.constantFrom(...groups), isIn: fc.boolean() }),
      fc.record({ ids: fc.subarray(ids), isIn: fc.boolean() }),
    )
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let selected: SelectedRecords = NOTHING_SELECTED
        const model = new Set<string>()
        for (const one of steps) {
          const some = 'group' in one ? ids.filter((id) => groupOf(id) === one.group) : one.ids
          const { isIn } = one
          if ('group' in one) {
            const criterion = { attributeAlias: 'kind', operator: 'equals', value: one.group } as const
            selected = withGroup(selected, one.group, isIn ? { count: some.length, criterion } : undefined, some)
          } else selected = withRecords(selected, some, isIn, groupOf)
          for (const id of some) void (isIn ? model.add(id) : model.delete(id))
        }
        assert.deepEqual(
          ids.filter((id) => isSelected(selected, id, groupOf(id))),
          ids.filter((id) => model.has(id)),
        )
        assert.equal(countSelected(selected, ids.length), model.size)
      }),
    )
  })

  it('whole groups are criteria beside single records, in the words of a bulk job', () => {
    const criterion = { attributeAlias: 'kind', operator: 'equals', value: 'green' } as const
    const one = withRecords(NOTHING_SELECTED, ['ent-1'], true)
    const selected = withGroup(one, '=green', { count: 5, criterion }, [])
    const among = [criterion, { field: 'id', operator: 'in', value: ['ent-1'] }]
    assert.deepEqual(toBulkSelection(selected, query), {
      query: { ...query, criteria: [{ criteriaOperator: 'or', criteria: among }] },
    })
  })

  it('says where more are named than one job takes', () => {
    const many = Array.from({ length: MAX_NAMED + 1 }, (_, index) => `ent-${index}`)
    assert.equal(namesTooMany(withRecords(NOTHING_SELECTED, many, true)), true)
    assert.equal(namesTooMany(ALL_SELECTED), false)
  })
})
