// The rules of assignments. Contract 5 §3.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import * as v from 'valibot'
import {
  assertMayChange,
  type Assignment,
  ASSIGNMENT_STATES,
  changeAssignment,
  Day,
  dayAfter,
  dayOf,
} from '../../../src/collaboration/rules/assignment.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'

const [admin, editor, viewer] = BUILT_IN_ROLES
const assignment: Assignment = {
  id: 'asg-1',
  recordId: 'ent-1',
  assigneeId: 'anna',
  assignedBy: { id: 'ben', kind: 'user' },
  dueOn: null,
  note: '',
  state: 'open',
  createdAt: '2026-03-01T09:30:00.000Z',
  changedAt: '2026-03-01T09:30:00.000Z',
  changedBy: { id: 'ben', kind: 'user' },
}
const anna = { id: 'anna', kind: 'user', role: viewer! } as const
const ben = { id: 'ben', kind: 'user', role: editor! } as const
const eve = { id: 'eve', kind: 'user', role: editor! } as const
const chief = { id: 'eve', kind: 'user', role: admin! } as const

const may = (...[caller, one, change]: Parameters<typeof assertMayChange>): boolean => {
  try {
    assertMayChange(caller, one, change)
    return true
  } catch {
    return false
  }
}

describe('An assignment', () => {
  it('is finished and reopened by the person, and changed in every way by its giver and moderators', () => {
    for (const state of ASSIGNMENT_STATES) {
      assert.equal(may(anna, assignment, { state }), state !== 'withdrawn')
      assert.equal(may(ben, assignment, { state }), true)
      assert.equal(may(chief, assignment, { state }), true)
      assert.equal(may(eve, assignment, { state }), false)
      assert.equal(may({ ...anna, kind: 'apiKey' }, assignment, { state }), false)
      assert.equal(may(anna, { ...assignment, state: 'withdrawn' }, { state }), false)
    }
    for (const change of [{ dueOn: null }, { note: 'x' }]) {
      assert.equal(may(anna, assignment, change), false)
      assert.equal(may(ben, assignment, change), true)
    }
  })

  it('stays the same object where nothing changes, and else says who changed it', () => {
    const by = { id: 'anna', kind: 'user' } as const
    assert.equal(changeAssignment(assignment, { state: 'open' }, by, 'now'), assignment)
    const done = changeAssignment(assignment, { state: 'done' }, by, 'now')
    assert.deepEqual([done.state, done.changedBy, done.changedAt, done.note], ['done', by, 'now', ''])
  })
})

describe('A day', () => {
  it('is a day of the calendar', () => {
    const days = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
    fc.assert(
      fc.property(days, (date) => {
        const day = date.toISOString().slice(0, 10)
        assert.equal(v.is(Day, day), true)
        assert.equal(dayOf(date), day)
        assert.ok(dayAfter(date) > day)
      }),
    )
    for (const text of ['', '2026-02-30', '2026-13-01', '2026-3-1', '20260301', '2026-03-01T00:00:00Z'])
      assert.equal(v.is(Day, text), false, text)
  })
})
