// Whatever a plan is told of the sizes of sets, it finds the records that the sets are made of.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { type Cell, cellTest, writeCells } from '../../../../src/core/search/plan/cells.ts'
import { toNumbers } from '../../../../src/core/search/plan/record-numbers.ts'
import type { SearchIndex } from '../../../../src/core/search/plan/search-index.ts'
import type { Asked } from '../../../../src/core/search/plan/asked.ts'
import { find } from '../../../../src/core/search/plan/plan.ts'
import {
  allOf,
  complement,
  intersect,
  type KeySet,
  NOTHING,
  type RecordSet,
  unite,
} from '../../../../src/core/search/plan/sets.ts'
import { intersectSearched } from '../../../../src/core/search/plan/to-sets.ts'

interface TestRecord {
  readonly schemaId: string
  readonly cells: string
  readonly text: string
}

const SCHEMAS = ['sch-a', 'sch-b']
/** Attribute 1 and 2 belong to the first schema, 3 and 4 to the second. */
const ATTRIBUTES: Record<string, readonly number[]> = { 'sch-a': [1, 2], 'sch-b': [3, 4] }
const WORDS = ['red', 'green', 'blue', 'a']

const record: fc.Arbitrary<TestRecord> = fc.constantFrom(...SCHEMAS).chain((schemaId) =>
  fc
    .record({
      cells: fc.array(
        fc.tuple(fc.constantFrom(...ATTRIBUTES[schemaId]!), fc.constantFrom(1, 2), fc.integer({ min: 0, max: 3 })),
        { maxLength: 4 },
      ),
      words: fc.subarray(WORDS),
    })
    .map(({ cells, words }) => ({ schemaId, cells: writeCells(cells as Cell[]), text: words.join(' ') })),
)

const leafOf = (schemaId: string): fc.Arbitrary<RecordSet> =>
  fc.oneof(
    fc
      .record({ attribute: fc.constantFrom(...ATTRIBUTES[schemaId]!), key: fc.integer({ min: 0, max: 3 }) })
      .map(({ attribute, key }): RecordSet => ({
        kind: 'keys',
        places: [{ attribute, scopes: [1, 2] }],
        range: { kind: 'point', key },
        isMany: false,
        isExact: true,
      })),
    fc
      .constantFrom(...WORDS)
      .map((text): RecordSet =>
        intersect([{ kind: 'text', needles: [{ text, of: undefined }], isExact: true }, allOf([schemaId])]),
      ),
    fc.constant(NOTHING),
  )

/** One that asks the same of every schema. */
const leafOfAll = (schemaIds: readonly string[]): fc.Arbitrary<RecordSet> =>
  fc.record({ at: fc.constantFrom(0, 1), key: fc.integer({ min: 0, max: 3 }) }).map(({ at, key }) => ({
    kind: 'keys',
    places: schemaIds.map((id) => ({ attribute: ATTRIBUTES[id]![at]!, scopes: [1, 2] })),
    range: { kind: 'point', key },
    isMany: false,
    isExact: true,
  }))

/** As criteria make them: each criterion a union over the schemas that are searched, or one question for them all. */
const setsOver = (schemaIds: readonly string[]): fc.Arbitrary<RecordSet> => {
  const criterion = fc
    .tuple(fc.boolean(), ...schemaIds.map(leafOf))
    .map(([isNegated, ...leaves]) =>
      unite(leaves.map((leaf, index) => (isNegated ? complement(leaf, [schemaIds[index]!]) : leaf))),
    )
  const criterionOfAll = fc
    .tuple(fc.boolean(), leafOfAll(schemaIds))
    .map(([isNegated, leaf]) => (isNegated ? complement(leaf, schemaIds) : leaf))
  return fc.letrec<{ set: RecordSet }>((tie) => ({
    set: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      criterion,
      criterionOfAll,
      fc.array(tie('set'), { minLength: 1, maxLength: 3 }).map(intersect),
      fc.array(tie('set'), { minLength: 1, maxLength: 3 }).map(unite),
    ),
  })).set
}

/** What the set is, by its definition. */
function contains(of: RecordSet, one: TestRecord): boolean {
  switch (of.kind) {
    case 'nothing':
      return false
    case 'keys':
      return cellTest(of)(one.cells)
    case 'text':
      return of.needles.every(({ text }) => one.text.includes(text))
    case 'schemas':
      return of.schemaIds.includes(one.schemaId)
    case 'not':
      return of.schemaIds.includes(one.schemaId) && !contains(of.set, one)
    case 'and':
      return of.sets.every((each) => contains(each, one))
    case 'or':
      return of.sets.some((each) => contains(each, one))
  }
}

/** An index that has these answers, and is asked nothing else. */
function indexOf(answers: Partial<SearchIndex>): SearchIndex {
  return answers as SearchIndex
}

/** Finds the set over these records; `lies` are the sizes that the plan is told. */
async function follow(
  of: RecordSet,
  records: readonly TestRecord[],
  lies: readonly number[],
  schemas: number,
): Promise<number[]> {
  let told = 0
  const lie = async (): Promise<number> => lies[told++ % lies.length]!
  const numbersOf = (holds: (one: TestRecord) => boolean, among: Iterable<number> = records.keys()): Float64Array =>
    toNumbers([...among].filter((n) => holds(records[n]!)))
  const index = indexOf({
    count: lie,
    frequency: lie,
    read: async (set) => numbersOf((one) => contains(set, one)),
    cells: async (asked) => [...asked].map((n) => [n, records[n]!.cells]),
    withTexts: async (asked, needles) =>
      numbersOf((one) => needles.every(({ text }) => one.text.includes(text)), asked),
    ofSchemas: async (asked, schemaIds) => numbersOf((one) => schemaIds.includes(one.schemaId), asked),
  })
  return [...(await find(of, { schemas, index }))]
}

describe('A plan', () => {
  const sizes = fc.array(fc.constantFrom(0, 1, 10, 300, 5000, 1e9, Infinity), { minLength: 1, maxLength: 10 })

  it('finds exactly the members of a set, over several schemas, whatever it takes for the smallest part', async () => {
    await fc.assert(
      fc.asyncProperty(setsOver(SCHEMAS), fc.array(record, { maxLength: 40 }), sizes, async (of, records, lies) => {
        const expected = [...records.keys()].filter((n) => contains(of, records[n]!))
        assert.deepEqual(await follow(of, records, lies, SCHEMAS.length), expected)
      }),
      { numRuns: 3000 },
    )
  })

  it('finds them where one schema is searched', async () => {
    const ofOne = fc.array(record, { maxLength: 40 }).map((all) => all.filter(({ schemaId }) => schemaId === 'sch-a'))
    await fc.assert(
      fc.asyncProperty(setsOver(['sch-a']), ofOne, sizes, async (of, records, lies) => {
        const expected = [...records.keys()].filter((n) => contains(of, records[n]!))
        assert.deepEqual(await follow(of, records, lies, 1), expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('leaves out records of other schemas, which have the text that is asked for', async () => {
    const text: RecordSet = { kind: 'text', needles: [{ text: 'red', of: undefined }], isExact: true }
    const records = SCHEMAS.map((schemaId) => ({ schemaId, cells: '[]', text: 'red' }))
    assert.deepEqual(await follow(intersect([text, allOf(['sch-b'])]), records, [1], 1), [1])
  })

  it('asks no record for its schema beside a set that has records of the searched schemas only', () => {
    const text: RecordSet = { kind: 'text', needles: [{ text: 'red', of: undefined }], isExact: true }
    const searched = (schemaIds: readonly string[]): Asked => {
      const schemas = new Map(SCHEMAS.map((id) => [id, { id }]))
      return { schemas: schemaIds.map((id) => ({ id })), model: { schemas } } as unknown as Asked
    }
    for (const ids of [SCHEMAS, ['sch-a']]) {
      const all = fc.constantFrom(text, allOf(ids), allOf(ids, false))
      const sets = fc.array(fc.oneof(setsOver(ids), all), { minLength: 1, maxLength: 4 })
      fc.assert(
        fc.property(sets, fc.array(record, { maxLength: 10 }), (asked, records) => {
          const found = intersectSearched(asked, searched(ids))
          for (const one of records)
            assert.equal(
              contains(found, one),
              asked.every((set) => contains(set, one)),
            )
          assert.ok(found.kind === 'nothing' || found.isExact === asked.every(({ isExact }) => isExact))
        }),
        { numRuns: 1000 },
      )
    }
    const keys = fc.sample(leafOfAll(SCHEMAS), 1)[0]!
    assert.equal(intersectSearched([allOf(SCHEMAS), keys], searched(SCHEMAS)), keys)
  })

  it('reads the smaller of two sets, and judges its members where the other one is large', async () => {
    const small: RecordSet = {
      kind: 'keys',
      places: [{ attribute: 1, scopes: [1] }],
      range: { kind: 'point', key: 1 },
      isMany: false,
      isExact: true,
    }
    const large: RecordSet = { ...small, places: [{ attribute: 2, scopes: [1] }] }
    const asked: string[] = []
    const index = indexOf({
      count: async (set, limit) => Math.min(set === large ? 90_000 : 700, limit),
      read: async (set) => {
        asked.push(`read ${(set as KeySet).places[0]!.attribute}`)
        return toNumbers(Array.from({ length: 700 }, (_, n) => n))
      },
      cells: async () => {
        asked.push('cells')
        return []
      },
    })
    await find(intersect([large, small]), { schemas: 1, index })
    assert.deepEqual(asked, ['read 1', 'cells'])
  })
})
