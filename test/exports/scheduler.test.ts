// Timers of schedules, with a clock and timers that the test turns.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { Scheduler } from '../../src/exports/schedule/scheduler.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** What the scheduler told, as `job match` and `job missed match`. */
let told: string[] = []
/** How far the wall clock is from the timers': a suspended machine or a clock that is set moves it. */
let shift = 0
let scheduler: Scheduler

const short = (match: Date): string => match.toISOString().slice(0, 16)

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-03-28T23:50:00Z') })
  told = []
  shift = 0
  scheduler = new Scheduler(() => new Date(Date.now() + shift), {
    onMatch: (jobId, match) => told.push(`${jobId} ${short(match)}`),
    onMissed: (jobId, match) => told.push(`${jobId} missed ${short(match)}`),
  })
})

afterEach(() => {
  scheduler.stop()
  mock.timers.reset()
})

/** In steps, as timers that set timers need it. */
function pass(time: number): void {
  for (let passed = 0; passed < time; passed += 5 * SECOND) mock.timers.tick(5 * SECOND)
}

const hourly = { id: 'hourly', schedule: '0 * * * *', timezone: 'UTC' }

describe('The scheduler', () => {
  it('tells of each match once, and of each job by its own schedule', () => {
    scheduler.add(hourly)
    scheduler.add({ id: 'half', schedule: '30 * * * *', timezone: 'UTC' })
    pass(2 * HOUR)
    assert.deepEqual(told, [
      'hourly 2026-03-29T00:00',
      'half 2026-03-29T00:30',
      'hourly 2026-03-29T01:00',
      'half 2026-03-29T01:30',
    ])
  })

  it('follows a daily job over the gap of daylight saving and over the hour that comes twice', () => {
    scheduler.add({ id: 'daily', schedule: '30 2 * * *', timezone: 'Europe/Berlin' })
    pass(30 * HOUR)
    assert.deepEqual(told, ['daily 2026-03-29T01:00', 'daily 2026-03-30T00:30'])
    scheduler.stop()
    mock.timers.setTime(Date.parse('2026-10-24T22:00:00Z'))
    told = []
    const autumn = new Scheduler(() => new Date(), {
      onMatch: (jobId, match) => told.push(`${jobId} ${short(match)}`),
      onMissed: () => assert.fail('nothing was missed'),
    })
    autumn.add({ id: 'daily', schedule: '30 2 * * *', timezone: 'Europe/Berlin' })
    pass(30 * HOUR)
    autumn.stop()
    assert.deepEqual(told, ['daily 2026-10-25T00:30', 'daily 2026-10-26T01:30'])
  })

  it('a changed job follows its new schedule only, a removed one none', () => {
    scheduler.add(hourly)
    scheduler.add({ ...hourly, schedule: '20 * * * *' })
    scheduler.add({ id: 'gone', schedule: '* * * * *', timezone: 'UTC' })
    scheduler.remove('gone')
    scheduler.remove('never-there')
    pass(HOUR)
    assert.deepEqual(told, ['hourly 2026-03-29T00:20'])
  })

  it('tells of nothing after it was stopped', () => {
    scheduler.add(hourly)
    scheduler.stop()
    scheduler.add(hourly)
    pass(HOUR)
    assert.deepEqual(told, [])
  })

  it('a match further away than timers can reach comes when it is due', () => {
    scheduler.add({ id: 'yearly', schedule: '0 0 27 4 *', timezone: 'UTC' })
    pass(29 * 24 * HOUR)
    assert.deepEqual(told, [])
    pass(24 * HOUR)
    assert.deepEqual(told, ['yearly 2026-04-27T00:00'])
  })

  it('a machine that was suspended over a match has missed it, and is told so within half a minute', () => {
    scheduler.add(hourly)
    pass(MINUTE)
    shift = 3 * HOUR + 30 * MINUTE
    pass(30 * SECOND)
    assert.deepEqual(told, ['hourly missed 2026-03-29T03:00'])
    pass(40 * MINUTE)
    assert.deepEqual(told.slice(1), ['hourly 2026-03-29T04:00'])
  })

  it('a match that was slept through for a moment only is not missed', () => {
    scheduler.add(hourly)
    pass(9 * MINUTE + 30 * SECOND)
    shift = 45 * SECOND
    pass(30 * SECOND)
    assert.deepEqual(told, ['hourly 2026-03-29T00:00'])
  })

  it('a clock that is set back a little makes no match come twice', () => {
    scheduler.add(hourly)
    pass(11 * MINUTE)
    assert.deepEqual(told, ['hourly 2026-03-29T00:00'])
    shift = -20 * MINUTE
    pass(50 * MINUTE)
    assert.deepEqual(told, ['hourly 2026-03-29T00:00'])
    pass(40 * MINUTE)
    assert.deepEqual(told.slice(1), ['hourly 2026-03-29T01:00'])
  })

  it('a clock that is set back far makes matches come by the clock', () => {
    scheduler.add(hourly)
    pass(11 * MINUTE)
    shift = -10 * HOUR
    pass(HOUR)
    assert.deepEqual(told.slice(1), ['hourly 2026-03-28T15:00'])
  })
})
