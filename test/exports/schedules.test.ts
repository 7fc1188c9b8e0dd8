// When cron expressions match, above all at the changes of daylight saving.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findScheduleFault, lastMatch, nextMatch } from '../../src/exports/schedule/scheduler.ts'

const at = (text: string): Date => new Date(text)

function matches(schedule: string, timezone: string, from: string, count: number): string[] {
  const found: string[] = []
  for (let date: Date | undefined = at(from); found.length < count;) {
    date = nextMatch(schedule, timezone, date)
    if (date === undefined) break
    found.push(date.toISOString().replace(':00.000Z', ''))
  }
  return found
}

describe('A schedule', () => {
  it('of five fields goes by minutes, of six by seconds', () => {
    assert.deepEqual(matches('*/15 8 * * *', 'UTC', '2026-01-01T08:20:00Z', 2), [
      '2026-01-01T08:30',
      '2026-01-01T08:45',
    ])
    assert.equal(
      nextMatch('30 0 8 * * *', 'UTC', at('2026-01-01T00:00:00Z'))?.toISOString(),
      '2026-01-01T08:00:30.000Z',
    )
  })

  it('goes by the clocks of its time zone', () => {
    assert.deepEqual(matches('0 2 * * *', 'Asia/Kathmandu', '2026-01-01T00:00:00Z', 1), ['2026-01-01T20:15'])
    assert.deepEqual(matches('0 9 * * MON', 'America/New_York', '2026-06-01T00:00:00Z', 1), ['2026-06-01T13:00'])
  })

  it('that is wrong is refused, naming the field', () => {
    const now = at('2026-01-01T00:00:00Z')
    const cases: [string, string, RegExp][] = [
      ['* * * *', 'UTC', /^schedule must be a cron expression of 5 or 6 fields$/],
      ['0 0 0 1 1 * 2030', 'UTC', /^schedule must/],
      ['@daily', 'UTC', /^schedule must/],
      ['2030-01-01T00:00:00', 'UTC', /^schedule must/],
      ['61 * * * *', 'UTC', /^schedule is not a cron expression: .*61/],
      ['*/0 * * * *', 'UTC', /^schedule is not/],
      ['a b c d e', 'UTC', /^schedule is not/],
      ['0 0 30 2 *', 'UTC', /^schedule never matches/],
      ['0 0 31 4,6,9,11 *', 'Europe/Berlin', /^schedule never matches/],
      ['0 0 * * *', 'Mars/Olympus', /^timezone must be an IANA time zone/],
      ['0 0 * * *', '+02:00', /^timezone must/],
      ['0 0 * * *', '', /^timezone must/],
    ]
    for (const [schedule, timezone, fault] of cases) assert.match(findScheduleFault(schedule, timezone, now)!, fault)
    for (const schedule of ['0 0 29 2 *', ' 0  12 * * ? ', '0 0 L * *', '0 0 * * FRI#2', '0 30 6 * JAN-MAR MON'])
      assert.equal(findScheduleFault(schedule, 'Europe/Berlin', now), undefined, schedule)
  })

  it('finds its last match before or at a moment', () => {
    const last = (schedule: string, until: string): string | undefined =>
      lastMatch(schedule, 'UTC', at(until))?.toISOString()
    assert.equal(last('0 * * * *', '2026-01-01T10:00:00.000Z'), '2026-01-01T10:00:00.000Z')
    assert.equal(last('0 * * * *', '2026-01-01T10:00:00.999Z'), '2026-01-01T10:00:00.000Z')
    assert.equal(last('0 * * * *', '2026-01-01T09:59:59.999Z'), '2026-01-01T09:00:00.000Z')
    assert.equal(last('* * * * * *', '2026-01-01T09:59:59.999Z'), '2026-01-01T09:59:59.000Z')
  })
})

describe('In spring, when Berlin goes from 2:00 to 3:00', () => {
  it('a job at a time that does not exist runs at the end of the gap, once', () => {
    assert.deepEqual(matches('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2), [
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ])
    assert.equal(
      lastMatch('30 2 * * *', 'Europe/Berlin', at('2026-03-29T05:00:00Z'))?.toISOString(),
      '2026-03-29T01:00:00.000Z',
    )
  })

  it('so does a job at several fixed times', () => {
    assert.deepEqual(matches('30 2,14 * * *', 'Europe/Berlin', '2026-03-28T20:00:00Z', 3), [
      '2026-03-29T01:00',
      '2026-03-29T12:30',
      '2026-03-30T00:30',
    ])
  })

  it('a job that runs every half hour runs every half hour', () => {
    assert.deepEqual(matches('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', 3), [
      '2026-03-29T00:30',
      '2026-03-29T01:00',
      '2026-03-29T01:30',
    ])
  })
})

describe('In autumn, when Berlin goes from 3:00 back to 2:00', () => {
  it('a job at a time that exists twice runs once, the first time', () => {
    assert.deepEqual(matches('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2), [
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
  })

  it('a job that runs every half hour runs every half hour', () => {
    assert.deepEqual(matches('*/30 * * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z', 4), [
      '2026-10-25T00:30',
      '2026-10-25T01:00',
      '2026-10-25T01:30',
      '2026-10-25T02:00',
    ])
  })
})
