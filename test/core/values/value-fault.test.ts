import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { PimletError } from '../../../src/kernel/errors.ts'
import { FaultList } from '../../../src/core/values/value-fault.ts'
import { readEach, readValues } from '../../../src/core/values/values.ts'
import { attribute, modelOf } from '../../helpers/domain-model.ts'

const { model, schema } = modelOf([
  attribute('name', { dimensionIds: ['language'], validation: { maxLength: 5, pattern: '^[a-z]*$' } }),
  attribute('weight', { dataType: 'number', validation: { min: 0, integer: true } }),
  attribute('color', { dataType: 'select', options: [{ id: 'red' }] }),
  attribute('sizes', { dataType: 'multiSelect', options: [{ id: 's' }, { id: 'm' }], validation: { maxItems: 1 } }),
  attribute('price', { dataType: 'price', currencies: ['EUR'], validation: { max: 9 } }),
])

const codesOf = (input: object, limit = 100): string[] => {
  const faults = new FaultList(limit)
  readEach(input, schema, model, { faults })
  return faults.faults.map(({ attributeAlias, code }) => `${attributeAlias} ${code}`)
}
const global = (value: unknown) => [{ scope: {}, value }]

test('every rule that a value can break has its code', () => {
  for (const [input, expected] of [
    [{ name: global('toolong') }, 'name length'],
    [{ name: global('A') }, 'name pattern'],
    [{ name: global(1) }, 'name type'],
    [{ name: 'x' }, 'name type'],
    [{ name: ['x'] }, 'name type'],
    [{ name: [{ scope: {} }] }, 'name type'],
    [{ name: [{ scope: { language: 'xx' }, value: 'a' }] }, 'name scope'],
    [{ name: [{ scope: { market: 'eu' }, value: 'a' }] }, 'name scope'],
    [{ name: [...global('a'), ...global('b')] }, 'name scope'],
    [{ weight: global(-1) }, 'weight range'],
    [{ weight: global(1.5) }, 'weight range'],
    [{ weight: global('1') }, 'weight type'],
    [{ color: global('blue') }, 'color option'],
    [{ sizes: global(['x']) }, 'sizes option'],
    [{ sizes: global(['s', 'm']) }, 'sizes length'],
    [{ price: global({ amount: 10, currency: 'EUR' }) }, 'price range'],
    [{ price: global({ amount: 1, currency: 'USD' }) }, 'price option'],
    [{ price: global(1) }, 'price type'],
    [{ none: [] }, 'none type'],
  ] as const)
    assert.deepEqual(codesOf(input), [expected], JSON.stringify(input))
})

test('what is at fault is left out of what is read, and the rest is read', () => {
  const faults = new FaultList(10)
  const input = { name: [...global('A'), { scope: { language: 'en' }, value: 'b' }], weight: global(-1), none: [] }
  assert.deepEqual(readEach(input, schema, model, { faults }), {
    name: [{ scope: { language: 'en' }, value: 'b' }],
    weight: [],
  })
  assert.equal(faults.faults.length, 3)
  assert.deepEqual(faults.faults[0]!.scope, {})
})

test('a list of faults takes no more than its limit, and nothing more is looked at then', () => {
  const segments = ['en', 'de', 'fr'].map((language) => ({ scope: { language }, value: 1 }))
  const unseen = {
    scope: {},
    get value() {
      return assert.fail('is not to be looked at')
    },
  }
  assert.deepEqual(codesOf({ name: [...segments, unseen] }, 3), ['name type', 'name type', 'name type'])
})

const anyItem = fc.record({
  scope: fc.constantFrom({}, { language: 'en' }, { language: 'xx' }, { market: 'eu' }),
  value: fc.constantFrom<unknown>('a', 'A', 'toolong', 1, -1, 1.5, null, 'red', ['s'], ['s', 'm'], {
    amount: 1,
    currency: 'EUR',
  }),
})
const anyInput = fc.dictionary(
  fc.constantFrom('name', 'weight', 'color', 'sizes', 'price', 'none'),
  fc.oneof({ weight: 9, arbitrary: fc.array(anyItem, { maxLength: 3 }) }, { weight: 1, arbitrary: fc.constant('x') }),
)

test('a write is refused with the first ten faults that a check lists, and goes ahead where there are none', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const faults = new FaultList(1000)
      const read = readEach(input, schema, model, { faults })
      const told = faults.faults.slice(0, 10).map(({ message }) => message)
      if (told.length === 10) told.push('there may be more')
      if (told.length === 0) assert.deepEqual(readValues(input, schema, model), read)
      else
        assert.throws(
          () => readValues(input, schema, model),
          (error) => error instanceof PimletError && error.message === told.join('; '),
        )
    }),
    { numRuns: 2000 },
  )
})
