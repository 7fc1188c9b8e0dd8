// Contract 1 §7: input is accepted, defaulted and refused alike, whether it is read quickly or by valibot.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import * as v from 'valibot'
import { apiRoutes } from '../../src/app/api.ts'
import { acceptanceOf, REFUSED } from '../../src/kernel/input/parse.ts'

const shapes = apiRoutes.flatMap(({ id, params, query, body, responses }) =>
  [params, query, body, ...Object.values(responses)]
    .filter((shape) => shape !== undefined && shape !== null)
    .map((shape) => ({ id, shape: shape as v.GenericSchema })),
)

const TEXTS = ['', ' ', 'a', 'name', 'and', 'equals', 'none', '2026-01-01', '2026-01-01T00:00:00.000Z', 'x'.repeat(300)]
const NUMBERS = [0, 1, -1, 0.5, 50, 1e6, 2 ** 53]
const anything = fc.oneof(
  fc.constantFrom(undefined, null, true, false, [], {}, Number.NaN),
  fc.constantFrom<unknown>(...TEXTS, ...NUMBERS),
  fc.jsonValue({ maxDepth: 2 }),
)

/** Draws inputs that fit the shape more or less. */
function near(shape: v.GenericSchema, depth = 0): fc.Arbitrary<unknown> {
  const drawn = depth > 6 ? anything : fitting(shape as unknown as AnyShape, depth)
  return fc.oneof({ arbitrary: drawn, weight: 30 }, { arbitrary: anything, weight: 1 })
}

interface AnyShape {
  readonly type: string
  readonly entries: Readonly<Record<string, v.GenericSchema>>
  readonly item: v.GenericSchema
  readonly value: v.GenericSchema
  readonly wrapped: v.GenericSchema
  readonly options: readonly unknown[]
  readonly literal: unknown
  readonly serverSet?: readonly string[]
  readonly getter: (input: unknown) => v.GenericSchema
}

function fitting(shape: AnyShape, depth: number): fc.Arbitrary<unknown> {
  const inner = (one: v.GenericSchema): fc.Arbitrary<unknown> => near(one, depth + 1)
  switch (shape.type) {
    case 'string':
      return fc.constantFrom(...TEXTS)
    case 'number':
      return fc.constantFrom(...NUMBERS)
    case 'boolean':
      return fc.boolean()
    case 'literal':
      return fc.constant(shape.literal)
    case 'picklist':
      return fc.constantFrom(...shape.options)
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(inner(shape.item), { maxLength: 3 })
    case 'record':
      return fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), inner(shape.value), { maxKeys: 2 })
    case 'object':
    case 'loose_object':
      return members(shape, inner)
    case 'optional':
    case 'nullish':
      return fc.option(inner(shape.wrapped), { nil: undefined })
    case 'nullable':
      return fc.option(inner(shape.wrapped))
    case 'union':
    case 'variant':
      return fc.oneof(...(shape.options as v.GenericSchema[]).map(inner))
    case 'lazy':
      return inner(shape.getter(undefined))
    default:
      return anything
  }
}

function members(shape: AnyShape, inner: (one: v.GenericSchema) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const known = fc.record(Object.fromEntries(Object.entries(shape.entries).map(([name, one]) => [name, inner(one)])), {
    requiredKeys: Object.keys(shape.entries).filter((name) => !shape.entries[name]!.type.startsWith('opt')),
  })
  const others = fc.dictionary(fc.constantFrom('unknown', 'constructor', ...(shape.serverSet ?? [])), anything)
  return fc.oneof(
    { arbitrary: known, weight: 9 },
    { arbitrary: fc.tuple(known, others).map(([a, b]) => ({ ...a, ...b })), weight: 1 },
  )
}

/** How often each outcome was seen, so that neither is missed. */
const seen = { accepted: 0, refused: 0 }

describe('every shape of the interface', () => {
  for (const { id, shape } of shapes)
    it(`${id}: ${shape.type} reads input as valibot reads it`, () => {
      fc.assert(
        fc.property(near(shape), (input) => {
          const slow = v.safeParse(shape, input, { abortEarly: true })
          const accepted = acceptanceOf(shape)(input)
          seen[slow.success ? 'accepted' : 'refused'] += 1
          assert.deepEqual(accepted, slow.success ? slow.output : REFUSED)
        }),
        { numRuns: 60 },
      )
    })

  it('is drawn with both outcomes', () => {
    assert.ok(seen.accepted > 1000 && seen.refused > 1000, JSON.stringify(seen))
  })
})
