// What the tests over HTTP cannot reach: the bounds of memory.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createLoginThrottle } from '../../src/services/login-throttle.ts'
import { makeClock, MINUTE } from '../helpers/clock.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function usedHeap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

type Throttle = ReturnType<typeof createLoginThrottle>
const fail = async (throttle: Throttle, user: string, address: string): Promise<void> =>
  (await throttle.begin(user, address)).fail()

describe('The login throttle', () => {
  it('forgets the oldest where too many usernames are tried, and stays in bounds', async () => {
    const throttle = createLoginThrottle(makeClock())
    for (let n = 0; n < 10; n += 1) await fail(throttle, 'victim', `192.0.2.${n}`)
    await assert.rejects(fail(throttle, 'victim', '198.51.100.1'), /Too many/)
    const before = usedHeap()
    for (let n = 0; n < 25_000; n += 1)
      await fail(throttle, `user${n}`, `2001:db8:${(n >> 8).toString(16)}:${n & 255}::1`)
    assert.ok(usedHeap() - before < 20 * 1024 ** 2)
    await fail(throttle, 'victim', '198.51.100.1')
  })

  it('an attempt that nobody looked at is none', async () => {
    const throttle = createLoginThrottle(makeClock())
    for (let n = 0; n < 50; n += 1) (await throttle.begin('user', '192.0.2.1')).withdraw()
    for (let n = 0; n < 10; n += 1) await fail(throttle, 'user', '192.0.2.1')
    await assert.rejects(fail(throttle, 'user', '192.0.2.1'), { code: 'RATE_LIMITED' })
  })

  it('says for how long: until the oldest of the last ten is 15 minutes old', async () => {
    const clock = makeClock()
    const throttle = createLoginThrottle(clock)
    for (let n = 0; n < 10; n += 1) {
      await fail(throttle, 'user', `192.0.2.${n}`)
      clock.advance(MINUTE)
    }
    await assert.rejects(throttle.begin('user', '198.51.100.1'), { code: 'RATE_LIMITED', retryAfter: 5 * 60 })
    clock.advance(5 * MINUTE)
    await fail(throttle, 'user', '198.51.100.1')
    await assert.rejects(throttle.begin('user', '198.51.100.1'), { retryAfter: 60 })
  })

  it('lets no more attempts go on at once than may fail; the others wait for them, and too many are refused', async () => {
    const throttle = createLoginThrottle(makeClock())
    const first = await Promise.all(Array.from({ length: 10 }, (_, n) => throttle.begin(`user${n}`, '192.0.2.1')))
    let begun = 0
    const others = Array.from({ length: 64 }, async (_, n) => {
      const attempt = await throttle.begin(`other${n}`, '192.0.2.1')
      begun += 1
      return attempt
    })
    await assert.rejects(throttle.begin('one', '192.0.2.1'), { code: 'UNAVAILABLE' })
    assert.equal(begun, 0)
    first[0]!.succeed()
    const next = await others[0]!
    assert.equal(begun, 1)
    for (const attempt of [...first.slice(1), next]) attempt.fail()
    const outcomes = await Promise.allSettled(others.slice(1))
    assert.ok(
      outcomes.every(({ status }) => status === 'rejected'),
      'ten have failed',
    )
    await throttle.begin('one', '192.0.2.2')
  })
})
