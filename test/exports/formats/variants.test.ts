// A variant and its parent, drawn with their model, in every format: what a reader of the file finds in force is what was.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { Dimension } from '../../../src/core/model/rules/dimension.ts'
import { TEXT_FORMATS, type TextFormat } from '../../../src/exports/rules/export-format.ts'
import { createFlatten, type VariantValues } from '../../../src/core/records/rules/exported-record.ts'
import type { Model } from '../../../src/core/model/rules/model.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import type { RecordHead, Values } from '../../../src/core/records/rules/record.ts'
import { parseScopeKey, type Scope, type ScopedValue } from '../../../src/core/scopes/scope.ts'
import { formats } from '../../../src/exports/formats/file-formats.ts'
import { attribute, modelOf } from '../../helpers/domain-model.ts'
import { AT } from '../../helpers/export-model.ts'
import { type ParsedRecord, parsers } from '../../helpers/export-parsers.ts'
import {
  anyDimensions,
  anyScopedValues,
  everyCombination,
  naiveEffectiveValue,
  nameScope,
} from '../../helpers/scope-oracle.ts'

const admin = BUILT_IN_ROLES[0]!
const anyText = fc.constantFrom('a', 'b', '', ' "x", ', '1')
const anyTags = fc.subarray(['x', 'y'])

interface Drawn {
  readonly dimensions: Dimension[]
  readonly model: Model
  readonly parent: Values
  readonly own: Values
}

const drawn: fc.Arbitrary<Drawn> = anyDimensions.chain((dimensions) => {
  const dimensionIds = dimensions.map(({ id }) => id)
  const options = [{ id: 'x' }, { id: 'y' }]
  const { model } = modelOf(
    [
      attribute('name', { dimensionIds }),
      attribute('constructor', { dimensionIds: dimensionIds.toReversed(), dataType: 'multiSelect', options }),
      attribute('id', {}),
    ],
    { dimensions },
  )
  const anyValues = fc.record({
    name: anyScopedValues(dimensions, anyText, 5),
    constructor: anyScopedValues(dimensions, anyTags, 5),
    id: anyScopedValues([], anyText, 1),
  })
  return fc.record({
    dimensions: fc.constant(dimensions),
    model: fc.constant(model),
    parent: anyValues,
    own: anyValues,
  })
})

const headOf = (id: string, parentId: string | null): RecordHead => {
  const moments = { createdAt: AT, updatedAt: AT, createdBy: 'usr-1', updatedBy: 'usr-1' }
  return { id, schemaId: 'sch', parentId, lifecycleStateId: 'state-draft', ...moments }
}

/** The parent and its variant, written and read back. */
function exported(
  { model, parent, own }: Drawn,
  format: TextFormat,
  variantValues: VariantValues,
  dimensionScope: Scope | null,
): [parent: ParsedRecord, variant: ParsedRecord] {
  const flatten = createFlatten({ model, role: admin, dimensionScope, variantValues })
  const records = [
    flatten(headOf('ent-p', null), { own: parent, inherited: null }),
    flatten(headOf('ent-v', 'ent-p'), { own, inherited: parent }),
  ]
  const { attributes } = model.schemas.get('sch')!
  const { dimensions } = model
  const writer = formats[format]({ isFlat: dimensionScope !== null, spreadsheetSafe: false, attributes, dimensions })
  if (writer.survey !== undefined) records.forEach(writer.survey)
  const text = [writer.begin(), writer.write(records), writer.end()].join('')
  const parsed = parsers[format](text, model)
  assert.equal(parsed.length, 2)
  return [parsed[0]!, parsed[1]!]
}

function listOf({ values }: ParsedRecord, alias: string): ScopedValue[] {
  return Object.entries(values)
    .filter(([key]) => key.startsWith(`${alias}[`))
    .map(([key, value]) => ({ scope: parseScopeKey(key.slice(alias.length + 1, -1)), value }))
}

/** By attribute and combination: what the first list has in force, else the second. */
function inForce({ model, dimensions }: Drawn, find: (alias: string) => readonly (readonly ScopedValue[])[]): unknown {
  return model.schemas.get('sch')!.attributes.map(({ alias, dimensionIds }) =>
    everyCombination(dimensions).map((combination) => {
      const values = find(alias).map((list) => naiveEffectiveValue(list, combination, dimensionIds))
      return values.find((value) => value !== undefined)?.value
    }),
  )
}

const sorted = (list: readonly ScopedValue[] = []) =>
  list.map(({ scope, value }) => JSON.stringify([nameScope(scope), value])).sort()

for (const format of TEXT_FORMATS) {
  describe(`The format ${format}`, () => {
    it('carries effective values of a variant that are read by the one rule for scopes, without its parent', () => {
      const property = fc.property(drawn, (one) => {
        const [, variant] = exported(one, format, 'effective', null)
        assert.deepEqual(
          inForce(one, (alias) => [listOf(variant, alias)]),
          inForce(one, (alias) => [one.own[alias]!, one.parent[alias]!]),
        )
      })
      fc.assert(property, { numRuns: 200 })
    })

    it('carries own values as they are, which with those of the parent say what is in force', () => {
      const property = fc.property(drawn, (one) => {
        const [parent, variant] = exported(one, format, 'own', null)
        for (const alias of ['name', 'constructor', 'id']) {
          assert.deepEqual(sorted(listOf(variant, alias)), sorted(one.own[alias]))
          assert.deepEqual(sorted(listOf(parent, alias)), sorted(one.parent[alias]))
        }
        assert.deepEqual(
          inForce(one, (alias) => [listOf(variant, alias), listOf(parent, alias)]),
          inForce(one, (alias) => [one.own[alias]!, one.parent[alias]!]),
        )
      })
      fc.assert(property, { numRuns: 100 })
    })

    it('carries for a combination the one value in force, or the one that is its own', () => {
      const property = fc.property(drawn, fc.nat(), ({ dimensions, ...rest }, seed) => {
        const combinations = everyCombination(dimensions)
        const combination = combinations[seed % combinations.length]!
        const one = { dimensions, ...rest }
        const flat = (variantValues: VariantValues) => exported(one, format, variantValues, combination)[1].values
        for (const { alias, dimensionIds } of one.model.schemas.get('sch')!.attributes) {
          const own = naiveEffectiveValue(one.own[alias]!, combination, dimensionIds)
          const either = own ?? naiveEffectiveValue(one.parent[alias]!, combination, dimensionIds)
          assert.deepEqual(flat('effective')[`${alias}[]`], either?.value)
          assert.deepEqual(flat('own')[`${alias}[]`], own?.value)
        }
      })
      fc.assert(property, { numRuns: 100 })
    })
  })
}
