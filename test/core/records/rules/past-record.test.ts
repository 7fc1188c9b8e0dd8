// Undoing the trail of a record against a model of random writes: every version comes out as it was.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'node:test'
import {
  type CategoryPlace,
  diffCategories,
  diffValues,
  loseCategories,
} from '../../../../src/core/records/rules/changes.ts'
import { type PastEntry, type PastRecord, Rewind } from '../../../../src/core/records/rules/past-record.ts'
import type { Values } from '../../../../src/core/records/rules/record.ts'
import { type Scope, scopeKey } from '../../../../src/core/scopes/scope.ts'
import { canonicalJson } from '../../../../src/kernel/text.ts'

const scopes: readonly Scope[] = [{}, { language: 'de' }, { language: 'en', market: 'eu' }]
const json = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constantFrom({ a: 1, b: [2] }, { b: [2], a: 1 }, []))
const scoped = fc.uniqueArray(fc.record({ scope: fc.constantFrom(...scopes), value: json }), {
  selector: ({ scope }) => scopeKey(scope),
  minLength: 1,
})
const values: fc.Arbitrary<Values> = fc.dictionary(fc.constantFrom('name', 'toString', 'a'), scoped)
const places: fc.Arbitrary<CategoryPlace[]> = fc.uniqueArray(
  fc.record({ categoryId: fc.constantFrom('c1', 'c2', 'c3'), sortOrder: fc.nat(3) }),
  { selector: ({ categoryId }) => categoryId },
)
type Write =
  | { kind: 'values'; values: Values }
  | { kind: 'state'; state: string }
  | { kind: 'categories'; places: CategoryPlace[] }
  | { kind: 'endOrBegin'; schemaId: string; parentId: string | null }
const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({ kind: fc.constant('values' as const), values }),
  fc.record({ kind: fc.constant('state' as const), state: fc.constantFrom('draft', 'review') }),
  fc.record({ kind: fc.constant('categories' as const), places }),
  fc.record({
    kind: fc.constant('endOrBegin' as const),
    schemaId: fc.constantFrom('s1', 's2'),
    parentId: fc.constantFrom(null, 'p'),
  }),
)

interface Step {
  readonly entry: PastEntry
  /** The record after it. */
  readonly after: PastRecord | undefined
}

/** As the services write it; a write to what is not there begins a record. */
function take(before: PastRecord | undefined, write: Write, n: number): Step {
  if (before === undefined) {
    const begun = write.kind === 'endOrBegin' ? write : { schemaId: 's1', parentId: null }
    const head = { schemaId: begun.schemaId, parentId: begun.parentId, lifecycleStateId: 'draft' }
    const own = write.kind === 'values' ? write.values : {}
    const after = { ...head, createdAt: `at ${n}`, createdBy: `by ${n}`, values: own, categories: [] }
    return { entry: { action: 'create', schemaId: head.schemaId, changes: diffValues({}, own) }, after }
  }
  const { schemaId } = before
  if (write.kind === 'values') {
    const entry: PastEntry = { action: 'update', schemaId, changes: diffValues(before.values, write.values) }
    return { entry, after: { ...before, values: write.values } }
  }
  if (write.kind === 'categories') {
    const entry: PastEntry = { action: 'update', schemaId, changes: diffCategories(before.categories, write.places) }
    return { entry, after: { ...before, categories: write.places } }
  }
  if (write.kind === 'state') {
    const change = { attributeAlias: 'lifecycleState', scope: {}, oldValue: before.lifecycleStateId }
    const entry: PastEntry = { action: 'transition', schemaId, changes: [{ ...change, newValue: write.state }] }
    return { entry, after: { ...before, lifecycleStateId: write.state } }
  }
  const { values: lost, categories, parentId, lifecycleStateId, createdAt, createdBy } = before
  const changes = [...diffValues(lost, {}), ...loseCategories(categories)]
  const removed = { version: n - 1, parentId, lifecycleStateId, createdAt, createdBy }
  return { entry: { action: 'delete', schemaId, changes, removed }, after: undefined }
}

/** The same text for the same record, whatever the order of attributes, values and categories. */
function textOf(record: PastRecord | undefined): string {
  if (record === undefined) return 'none'
  const inOrder = Object.entries(record.values).map(([alias, items]) => [
    alias,
    items.map(({ scope, value }) => `${scopeKey(scope)}: ${canonicalJson(value)}`).sort(),
  ])
  const categories = record.categories.map((place) => canonicalJson(place)).sort()
  const { schemaId, parentId, lifecycleStateId, createdAt, createdBy } = record
  const head = { schemaId, parentId, lifecycleStateId, createdAt, createdBy }
  return canonicalJson({ ...head, values: Object.fromEntries(inOrder) as object, categories })
}

describe('Undoing a trail', () => {
  it('gives every version as it was, of whatever was written, deleted and made again', () => {
    fc.assert(
      fc.property(fc.array(write, { minLength: 1, maxLength: 12 }), (writes) => {
        const steps: Step[] = []
        for (const [n, one] of writes.entries()) steps.push(take(steps.at(-1)?.after, one, n))
        const rewind = new Rewind(steps.at(-1)!.after)
        for (const { entry, after } of steps.toReversed()) {
          assert.equal(textOf(rewind.record), textOf(after))
          rewind.undo(entry)
        }
        assert.equal(rewind.record, undefined)
      }),
      { numRuns: 1000 },
    )
  })

  it('knows nothing of a record whose deletion does not say what it was, but all of who came after', () => {
    const head = { parentId: null, lifecycleStateId: 'draft', createdAt: 'at', createdBy: 'by' }
    const rewind = new Rewind({ ...head, schemaId: 's1', values: {}, categories: [] })
    rewind.undo({ action: 'create', schemaId: 's1', changes: [] })
    rewind.undo({ action: 'delete', schemaId: 's1', changes: diffValues({ a: [{ scope: {}, value: 1 }] }, {}) })
    assert.equal(rewind.record, undefined)
  })
})
