// Replaying an audit trail: any honest history hangs together, whole or from the middle on, and a tampered one does not.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'node:test'
import { type TrailEntry, TrailReplay } from '../../../../src/core/records/rules/audit-trail.ts'
import { diffValues } from '../../../../src/core/records/rules/changes.ts'
import type { Values } from '../../../../src/core/records/rules/record.ts'
import type { Scope } from '../../../../src/core/scopes/scope.ts'

const scopes: readonly Scope[] = [{}, { language: 'de' }, { language: 'en', market: 'eu' }]
const json = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant({ amount: 1, currency: 'EUR' }))
const values: fc.Arbitrary<Values> = fc
  .uniqueArray(
    fc.record({ alias: fc.constantFrom('name', 'constructor', 'a'), scope: fc.constantFrom(...scopes), value: json }),
    {
      selector: ({ alias, scope }) => alias + JSON.stringify(scope),
    },
  )
  .map((items) => {
    const aliases = [...new Set(items.map(({ alias }) => alias))]
    return Object.fromEntries(
      aliases.map((alias) => [
        alias,
        items.filter((item) => item.alias === alias).map(({ scope, value }) => ({ scope, value })),
      ]),
    )
  })
const histories = fc.array(values, { minLength: 1, maxLength: 6 })

function entriesOf(history: readonly Values[]): TrailEntry[] {
  return history.map((after, index) => ({
    version: index + 1,
    action: index === 0 ? 'create' : 'update',
    changes: diffValues(history[index - 1] ?? {}, after),
  }))
}

function faultOf(entries: readonly TrailEntry[], last: Values, version = entries.at(-1)!.version): string | undefined {
  const replay = new TrailReplay()
  let fault: string | undefined
  for (const entry of entries) {
    const found = replay.take(entry)
    fault ??= found
  }
  return fault ?? replay.findFaultAtEnd({ version, lifecycleStateId: 'state-draft', values: last, categories: [] })
}

describe('The audit trail of a record', () => {
  it('leads to its values, from the beginning or from any entry on', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const entries = entriesOf(history)
        for (let from = 0; from < entries.length; from += 1)
          assert.equal(faultOf(entries.slice(from), history.at(-1)!), undefined)
      }),
    )
  })

  it('does not lead to other values', () => {
    fc.assert(
      fc.property(histories, values, (history, other) => {
        fc.pre(diffValues(history.at(-1)!, other).length > 0)
        assert.match(faultOf(entriesOf(history), other)!, /is not what its entries lead to$/)
      }),
    )
  })

  it('begins again behind an entry that erased, whichever entries before it are erased already', () => {
    fc.assert(
      fc.property(histories, histories, fc.nat(), (before, after, count) => {
        const last = before.at(-1)!
        const older = entriesOf(before)
        // The newest are erased first.
        const kept = older.length - (count % (older.length + 1))
        const partly = older.map((entry, index) => (index < kept ? entry : { ...entry, changes: [] }))
        const wall: TrailEntry = { version: 100, action: 'erase', changes: [] }
        assert.equal(faultOf([...partly, wall], last), undefined)
        const states = [last, ...after]
        const newer = after.map((values, index): TrailEntry => ({
          version: 101 + index,
          action: 'update',
          changes: diffValues(states[index]!, values),
        }))
        assert.equal(faultOf([...partly, wall, ...newer], after.at(-1)!), undefined)
      }),
    )
  })

  it('may be erased after the end of its record', () => {
    const replay = new TrailReplay()
    const entries: TrailEntry[] = [
      { version: 1, action: 'create', changes: [] },
      { version: 2, action: 'delete', changes: [] },
      { version: 3, action: 'erase', changes: [] },
    ]
    for (const entry of entries) assert.equal(replay.take(entry), undefined)
    assert.equal(replay.findFaultAtEnd(undefined), undefined)
    const there = { version: 3, lifecycleStateId: 's', values: {}, categories: [] }
    assert.match(String(replay.findFaultAtEnd(there)), /is there/)
    assert.equal(replay.take({ version: 4, action: 'create', changes: [] }), undefined)
    assert.match(String(replay.findFaultAtEnd(undefined)), /is gone/)
  })

  it('shows that an entry with a change is missing', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (history, at) => {
        const entries = entriesOf(history)
        const missing = at % entries.length
        fc.pre(missing > 0 && entries[missing]!.changes.length > 0)
        const rest = entries.filter((_, index) => index !== missing)
        assert.ok(faultOf(rest, history.at(-1)!, entries.at(-1)!.version) !== undefined)
      }),
    )
  })

  it('begins again where a record with the same ID is created after its end', () => {
    const scope = {}
    const change = (oldValue: unknown, newValue: unknown) => [{ attributeAlias: 'name', scope, oldValue, newValue }]
    const entries: TrailEntry[] = [
      { version: 1, action: 'create', changes: change(null, 'a') },
      { version: 4, action: 'delete', changes: change('a', null) },
      { version: 5, action: 'create', changes: change(null, 'b') },
    ]
    assert.equal(faultOf(entries, { name: [{ scope, value: 'b' }] }), undefined)
    assert.equal(new TrailReplay().findFaultAtEnd(undefined), undefined)
    assert.match(faultOf([...entries, { version: 6, action: 'create', changes: [] }], {})!, /a second time/)
    const afterEnd: TrailEntry[] = [...entries.slice(0, 2), { version: 7, action: 'update', changes: [] }]
    assert.match(faultOf(afterEnd, {})!, /comes after its end/)
  })
})
