// Waiting for the next change: nobody is forgotten, and nobody misses what came before.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ChangeBell, MAX_WAITING_PER_CALLER } from '../../../src/core/feed/change-bell.ts'

const forever = new AbortController().signal
const long = 60_000

describe('Who waits for a change', () => {
  it('is told of it, all of many, some in each turn', async () => {
    const bell = new ChangeBell()
    let told = 0
    const waits = Array.from({ length: 50 }, async (_, n) => {
      await bell.wait(`caller-${n}`, { since: bell.rung, milliseconds: long, signal: forever })
      told += 1
    })
    bell.ring()
    await new Promise((resolve) => setImmediate(resolve))
    assert.ok(told > 0 && told < 50, `${told} told in one turn`)
    await Promise.all(waits)
  })

  it('does not wait where it rang since the caller looked', async () => {
    const bell = new ChangeBell()
    const since = bell.rung
    bell.ring()
    await bell.wait('caller', { since, milliseconds: long, signal: forever })
  })

  it('goes when its time is over, its signal aborted or the bell closed, and takes no place then', async () => {
    const bell = new ChangeBell()
    const controller = new AbortController()
    const waits = Array.from({ length: MAX_WAITING_PER_CALLER }, (_, n) =>
      bell.wait('caller', {
        since: 0,
        milliseconds: n === 0 ? 5 : long,
        signal: n === 1 ? controller.signal : forever,
      }),
    )
    const refused = { code: 'RATE_LIMITED', message: /20/ }
    await assert.rejects(bell.wait('caller', { since: 0, milliseconds: long, signal: forever }), refused)
    controller.abort()
    await Promise.all(waits.slice(0, 2))
    const more = [5, 5].map((milliseconds) => bell.wait('caller', { since: 0, milliseconds, signal: forever }))
    await assert.rejects(bell.wait('caller', { since: 0, milliseconds: long, signal: forever }), refused)
    const other = bell.wait('other', { since: 0, milliseconds: long, signal: forever })
    await Promise.all(more)
    bell.close()
    await Promise.all([...waits, other])
    await bell.wait('caller', { since: 0, milliseconds: long, signal: forever })
  })
})
