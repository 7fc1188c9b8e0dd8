// What the tests over HTTP cannot reach: the bounds of memory.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createLoginThrottle } from '../../src/services/login-throttle.ts'
import { makeClock, MINUTE } from '../helpers/clock.ts'

/** Bytes, without what only waits to be collected. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

describe('The login throttle', () => {
  it('forgets the oldest where too many usernames are tried, and stays in bounds', () => {
    const throttle = createLoginThrottle(makeClock())
    for (let n = 0; n < 10; n += 1) throttle.begin('victim', `192.0.2.${n}`)
    assert.throws(() => throttle.begin('victim', '198.51.100.1'), /Too many/)
    const before = memoryInUse()
    for (let n = 0; n < 100_000; n += 1) throttle.begin(`user${n}`, `2001:db8:${(n >> 8).toString(16)}:${n & 255}::1`)
    assert.ok(memoryInUse() - before < 60 * 1024 ** 2)
    assert.doesNotThrow(() => throttle.begin('victim', '198.51.100.1'))
  })

  it('an attempt that nobody looked at is none', () => {
    const throttle = createLoginThrottle(makeClock())
    for (let n = 0; n < 50; n += 1) throttle.begin('user', '192.0.2.1').withdraw()
    assert.doesNotThrow(() => throttle.begin('user', '192.0.2.1'))
  })

  it('says for how long: until the oldest of the last ten is 15 minutes old', () => {
    const clock = makeClock()
    const throttle = createLoginThrottle(clock)
    for (let n = 0; n < 10; n += 1) {
      throttle.begin('user', `192.0.2.${n}`)
      clock.advance(MINUTE)
    }
    assert.throws(() => throttle.begin('user', '198.51.100.1'), { code: 'RATE_LIMITED', retryAfter: 5 * 60 })
    clock.advance(5 * MINUTE)
    throttle.begin('user', '198.51.100.1')
    assert.throws(() => throttle.begin('user', '198.51.100.1'), { retryAfter: 60 })
  })
})
