// What commands show while they work: a bar on a terminal, plain lines now and then elsewhere. Contract 2 §8.
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { showProgress, summarize } from '../../src/cli/progress-bar.ts'
import { withoutProgress } from '../helpers/command.ts'

const MB = 1e6

/** A stream as standard error is one, and a clock that stands still until it is set. */
function makeStage(test: TestContext, isTTY: boolean) {
  let now = 0
  test.mock.method(performance, 'now', () => now)
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY, columns: 120 })
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    setClock: (milliseconds: number) => void (now = milliseconds),
    shown: () => (stream.read() as string | null) ?? '',
  }
}

describe('Progress', () => {
  it('on a terminal is a bar with amounts, rate and remaining time', (test) => {
    const { stream, setClock, shown } = makeStage(test, true)
    const progress = showProgress({ label: 'backup', total: 40 * MB, unit: 'bytes' }, stream)
    setClock(2000)
    progress.advance(10 * MB)
    progress.stop()
    const last = shown()
    // oxlint-disable-next-line no-control-regex
    assert.match(
      last,
      /backup (?:\u001B\[[0-9;]*m)*█{6}░{18}(?:\u001B\[[0-9;]*m)* 10\.0 MB of 40\.0 MB, 5\.0 MB\/s, 6 s left/,
    )
  })

  it('elsewhere is a plain line every five seconds, and one at the end', (test) => {
    const { stream, setClock, shown } = makeStage(test, false)
    const progress = showProgress({ label: 'import', total: 100, unit: 'records' }, stream)
    setClock(4000)
    progress.advance(20)
    assert.equal(shown(), '')
    setClock(6000)
    progress.advance(10)
    progress.advance(10)
    assert.equal(shown(), 'import: 30 records of 100 records, 5 records/s, 14 s left\n')
    setClock(10_000)
    progress.advance(60)
    progress.stop()
    assert.equal(shown(), 'import: 100 records of 100 records, 10 records/s\n')
  })

  it('of what is quick is nothing but for people who watch', (test) => {
    const { stream, setClock, shown } = makeStage(test, false)
    const progress = showProgress({ label: 'restore', total: 5, unit: 'bytes' }, stream)
    setClock(900)
    progress.advance(5)
    progress.stop()
    assert.equal(shown(), '')
  })

  it('without a known end tells how much and how fast', () => {
    assert.equal(summarize({ label: 'x', total: undefined, unit: 'bytes' }, 3 * MB, 2), '3.0 MB, 1.5 MB/s')
    assert.equal(summarize({ label: 'x', total: undefined, unit: 'records' }, 3, 0.1), '3 records')
  })

  it('tells long times in minutes and hours', () => {
    const left = (seconds: number): string =>
      summarize({ label: 'x', total: seconds + 1, unit: 'records' }, 1, 1)
        .split(', ')
        .at(-1)!
    assert.deepEqual([90, 600, 36_000].map(left), ['90 s left', '10 min left', '10 h left'])
  })

  it('is told from other lines by tests of commands, which it must not disturb', (test) => {
    const { stream, setClock, shown } = makeStage(test, false)
    for (const [label, total, unit] of [
      ['backup', 40 * MB, 'bytes'],
      ['making the index', 9000, 'records'],
      ['export', undefined, 'records'],
    ] as const) {
      setClock(0)
      const progress = showProgress({ label, total, unit }, stream)
      for (const clock of [6000, 12_000]) {
        setClock(clock)
        progress.advance(2000)
      }
      progress.stop()
      const lines = shown()
      assert.equal(lines.split('\n').length, 4, lines)
      assert.equal(withoutProgress(`pimlet: one\n${lines}pimlet: two\n`), 'pimlet: one\npimlet: two\n')
    }
    assert.equal(withoutProgress('pimlet: 31 of 32 lines failed\n'), 'pimlet: 31 of 32 lines failed\n')
  })
})
