// Whether a job exports a record: all rules are told, and all have to be met.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { INCLUSION_RULES, judgeInclusion } from '../../../src/exports/rules/inclusion.ts'
import { role } from '../../helpers/domain-model.ts'

const reader = role({ permissions: ['records.read'] })
const anyId = fc.constantFrom('a', 'b')

describe('Whether a job exports a record', () => {
  it('is whether all rules are met, and each rule is told once, in one order', () => {
    const property = fc.property(
      fc.record({
        schemaId: fc.option(anyId),
        catalogId: fc.option(anyId),
        includeLifecycleStateIds: fc.option(fc.subarray(['a', 'b'], { minLength: 1 })),
        includeVariants: fc.boolean(),
      }),
      fc.record({ id: anyId, schemaId: anyId, lifecycleStateId: anyId, parentId: fc.option(anyId) }),
      fc.subarray(['a', 'b']),
      fc.constantFrom(reader, role(), undefined),
      fc.record({ expected: fc.constantFrom(null, 'search'), actual: fc.constantFrom(true, false, 'gone') }),
      fc.option(fc.integer({ min: 1, max: 3 })),
      (rules, record, catalogIds, of, selection, versionAfter) => {
        const facts = { record, catalogIds, version: 2, selection, versionAfter }
        const { included, reasons } = judgeInclusion(rules, of, facts)
        assert.deepEqual(
          reasons.map(({ rule }) => rule),
          INCLUSION_RULES,
        )
        const wanted =
          [null, record.schemaId].includes(rules.schemaId) &&
          (rules.includeLifecycleStateIds?.includes(record.lifecycleStateId) ?? true) &&
          (rules.catalogId === null || catalogIds.includes(rules.catalogId)) &&
          (rules.includeVariants || record.parentId === null) &&
          (selection.expected === null || selection.actual === true) &&
          (versionAfter === null || versionAfter < 2) &&
          of === reader
        assert.equal(included, wanted)
        assert.equal(
          included,
          reasons.every(({ met }) => met),
        )
      },
    )
    fc.assert(property, { numRuns: 1000 })
  })
})
