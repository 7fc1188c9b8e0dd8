// Dates as people write them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readDate } from '../../../src/imports/rules/date-pattern.ts'
import { threadTime } from '../../helpers/thread-time.ts'

/** Milliseconds. Less cannot be told from nothing. */
const LEAST = 5

describe('A date', () => {
  it('is read by its pattern, also without signs between its parts', () => {
    assert.equal(readDate('3.4.2026', 'd.M.yyyy'), '2026-04-03')
    assert.equal(readDate('20260403', 'yyyyMMdd'), '2026-04-03')
    assert.equal(readDate('2026114 9:05', 'yyyyMd H:mm'), '2026-11-04T09:05:00Z')
    assert.equal(readDate('3.4.2026 (3.4.)', 'd.M.yyyy'), undefined)
  })

  it('takes no longer by a pattern whose parts stand many times', () => {
    const timeOf = (pattern: string): number => {
      const started = threadTime()
      assert.equal(readDate(`${'1'.repeat(40)}x`, pattern), undefined)
      return threadTime() - started
    }
    const usual = timeOf('yyyyMd')
    assert.ok(timeOf(`yyyy${'Md'.repeat(13)}`) < 30 * Math.max(LEAST, usual))
  })
})
