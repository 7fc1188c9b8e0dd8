// The lines of the log.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLog } from '../../../src/kernel/observing/log.ts'

describe('What is logged', () => {
  for (const format of ['json', 'pretty'] as const)
    it(`as ${format} writes nothing to a terminal but itself`, () => {
      const written: string[] = []
      const write = (line: string): number => written.push(line)
      const log = createLog({ level: 'info', format, system: { now: () => new Date(0) }, write })
      const bad = 'a\u0007b\u001b[2Jc\u007fd\u009be\rf'
      log.error({ err: new Error(bad), id: bad }, bad)
      const text = written.join('')
      assert.match(text, /a\\u0007b\\u001b\[2Jc\\u007fd\\u009be(\\u000d|\\r)f/)
      assert.doesNotMatch(text.replaceAll('\n', ''), /\p{Cc}/u)
    })
})

describe('A plain line of the log', () => {
  it('is as any other: level, its own time, fields, message', () => {
    const times = [1_000, 1_000, 1_001, 1_000].map((milliseconds) => new Date(milliseconds))
    const written: string[] = []
    let calls = 0
    const log = createLog({
      level: 'info',
      format: 'json',
      system: { now: () => times[Math.floor(calls / 2)]! },
      write: (line) => written.push(line),
    })
    const write = (of: 'info' | 'plainInfo', status: number): void => {
      log[of]({ requestId: 'req-1', route: null, status }, 'request "done"')
      calls += 1
    }
    for (const [status] of times.entries()) {
      write('info', status)
      write('plainInfo', status)
    }
    const lines = written.map((line) => JSON.parse(line) as { time: string; status: number })
    assert.deepEqual(
      lines.map(({ time, status }) => [Date.parse(time), status]),
      times.flatMap((time, status) => Array.from({ length: 2 }, () => [time.getTime(), status])),
    )
    for (let index = 0; index < written.length; index += 2) assert.equal(written[index + 1], written[index])
  })
})
