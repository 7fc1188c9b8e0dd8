// Schedules in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSchedule, type Schedule, WEEK, writeSchedule } from '../../../console/exports/schedule-words.ts'

const kinds = (crons: readonly string[]) => crons.map((cron) => readSchedule(cron)?.kind)

test('the schedules of people are read', () => {
  assert.deepEqual(kinds(['0 * * * *', '0 3 * * *', '30 5 * * 1-5', '0 6,18 * * 6,0', '15 4 31 * *']), [
    'hourly',
    'daily',
    'weekdays',
    'weekly',
    'monthly',
  ])
  assert.deepEqual(readSchedule('5 6,18 * * 7,3'), {
    kind: 'weekly',
    minute: 5,
    hours: [6, 18],
    weekdays: [3, 0],
    day: 1,
  })
})

test('what says more than a sentence stays an expression', () => {
  const others = [
    '*/5 * * * *',
    '0 0 1 1 *',
    '0 0 1 * 1',
    '0 0 L * *',
    '61 0 * * *',
    '0 24 * * *',
    '0 0 0 * *',
    '',
    '* * * * * *',
    '0 5-2 * * *',
    '0 * * * 1',
  ]
  assert.deepEqual(
    kinds(others),
    others.map(() => undefined),
  )
})

test('every schedule that is written is read again', () => {
  const hours = fc
    .uniqueArray(fc.nat(23), { minLength: 1, maxLength: 4 })
    .map((all) => all.sort((one, other) => one - other))
  const days = fc.subarray([...WEEK], { minLength: 1 }).filter((one) => one.join() !== '1,2,3,4,5')
  const schedule = fc.oneof(
    fc.record({ kind: fc.constant('hourly' as const), minute: fc.nat(59) }),
    fc.record({ kind: fc.constantFrom('daily' as const, 'weekdays' as const), minute: fc.nat(59), hours }),
    fc.record({ kind: fc.constant('weekly' as const), minute: fc.nat(59), hours, weekdays: days }),
    fc.record({
      kind: fc.constant('monthly' as const),
      minute: fc.nat(59),
      hours,
      day: fc.integer({ min: 1, max: 31 }),
    }),
  )
  fc.assert(
    fc.property(schedule, (some) => {
      const whole: Schedule = { hours: [], weekdays: [], day: 1, ...some }
      assert.deepEqual(readSchedule(writeSchedule(whole)), whole)
    }),
  )
})
