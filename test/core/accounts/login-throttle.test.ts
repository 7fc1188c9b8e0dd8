// What the tests over HTTP cannot reach: the bounds of memory.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createLoginThrottle } from '../../../src/core/accounts/login-throttle.ts'
import type { LoginFailure, LoginFailures } from '../../../src/store/account-port.ts'
import { makeClock, MINUTE } from '../../helpers/clock.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function usedHeap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

type Throttle = ReturnType<typeof createLoginThrottle>
const fail = async (throttle: Throttle, user: string, address: string): Promise<void> =>
  (await throttle.begin(user, address)).fail()

const HOME = '198.51.100.1'

/** A throttle whose delays end when the test lets them. */
function makeThrottle() {
  const clock = makeClock()
  const delays: number[] = []
  let waiting: (() => void)[] = []
  const throttle = createLoginThrottle(clock, (milliseconds) => {
    delays.push(milliseconds)
    return new Promise<void>((resolve) => waiting.push(resolve))
  })
  const letGo = (): void => {
    for (const go of waiting) go()
    waiting = []
  }
  /** Begins, and lets the delay pass where there is one. */
  const begin = async (user: string, address: string) => {
    const attempt = throttle.begin(user, address)
    letGo()
    return attempt
  }
  return { clock, throttle, delays, letGo, begin }
}

describe('The login throttle', () => {
  it('forgets the oldest where too many usernames are tried, and stays in bounds', async () => {
    const throttle = createLoginThrottle(makeClock())
    for (let n = 0; n < 10; n += 1) await fail(throttle, 'victim', HOME)
    await assert.rejects(fail(throttle, 'victim', HOME), { code: 'RATE_LIMITED' })
    const before = usedHeap()
    for (let n = 0; n < 25_000; n += 1)
      await fail(throttle, `user${n}`, `2001:db8:${(n >> 8).toString(16)}:${n & 255}::1`)
    for (let n = 0; n < 25_000; n += 1) (await throttle.begin(`user${n}`, '192.0.2.1')).succeed()
    assert.ok(usedHeap() - before < 20 * 1024 ** 2)
    await fail(throttle, 'victim', HOME)
  })

  it('counts each failure once, also one that came, or was being told, while it asked what other servers have counted', async () => {
    const clock = makeClock()
    const told: LoginFailure[] = []
    const untilTold = Promise.withResolvers<void>()
    let answer: (failures: readonly LoginFailure[]) => void = () => undefined
    const shared: LoginFailures = {
      of: () => new Promise((resolve) => (answer = (failures) => resolve([failures, failures]))),
      add: (_subjects, failure) => {
        told.push(failure)
        return untilTold.promise
      },
      forget: async () => undefined,
    }
    const throttle = createLoginThrottle(clock, async () => undefined, shared)
    const ask = () => {
      const attempt = throttle.begin('user', HOME)
      return { attempt, answer }
    }
    // All in the same moment.
    const others = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ id: `${n}`, at: clock.now().getTime() }))
    const first = ask()
    first.answer([])
    const before = ask()
    const failing = (await first.attempt).fail()
    const meanwhile = [ask(), ask()]
    untilTold.resolve()
    await failing
    meanwhile[0]!.answer([...others(8), ...told])
    ;(await meanwhile[0]!.attempt).withdraw()
    for (const late of [before, meanwhile[1]!]) {
      late.answer(others(9))
      await assert.rejects(late.attempt, { code: 'RATE_LIMITED' })
    }
  })

  it('an attempt that nobody looked at is none', async () => {
    const throttle = createLoginThrottle(makeClock())
    for (let n = 0; n < 50; n += 1) (await throttle.begin('user', HOME)).withdraw()
    for (let n = 0; n < 10; n += 1) await fail(throttle, 'user', HOME)
    await assert.rejects(fail(throttle, 'user', HOME), { code: 'RATE_LIMITED' })
  })

  it('says for how long: until the oldest of the last ten is 15 minutes old', async () => {
    const clock = makeClock()
    const throttle = createLoginThrottle(clock)
    for (let n = 0; n < 10; n += 1) {
      await fail(throttle, 'user', HOME)
      clock.advance(MINUTE)
    }
    await assert.rejects(throttle.begin('user', HOME), { code: 'RATE_LIMITED', retryAfter: 5 * 60 })
    clock.advance(5 * MINUTE)
    await fail(throttle, 'user', HOME)
    await assert.rejects(throttle.begin('user', HOME), { retryAfter: 60 })
  })

  it('counts for the pair alone: other addresses and other usernames go on', async () => {
    const { throttle } = makeThrottle()
    for (let n = 0; n < 10; n += 1) await fail(throttle, 'user', HOME)
    await assert.rejects(throttle.begin('user', HOME), { code: 'RATE_LIMITED' })
    for (let n = 0; n < 30; n += 1) await fail(throttle, `user${n}`, HOME)
    ;(await throttle.begin('user', '192.0.2.7')).succeed()
    await assert.rejects(throttle.begin('user', HOME), { code: 'RATE_LIMITED' })
  })

  it('slows a username that fails from many addresses, up to 5 s, and never closes it', async () => {
    const { begin, delays, clock } = makeThrottle()
    for (let n = 0; n < 200; n += 1) (await begin('victim', `192.0.2.${n}`)).fail()
    assert.deepEqual(delays.slice(0, 3), [100, 200, 300])
    assert.equal(delays.length, 200 - 11)
    assert.deepEqual(
      delays,
      delays.toSorted((one, other) => one - other),
    )
    assert.equal(delays.at(-1), 5000)
    ;(await begin('victim', HOME)).succeed()
    assert.equal(delays.at(-1), 5000)
    const count = delays.length
    ;(await begin('other', '192.0.2.1')).fail()
    assert.equal(delays.length, count, 'another username is not slowed')
    clock.advance(15 * MINUTE)
    ;(await begin('victim', '203.0.113.9')).fail()
    assert.equal(delays.length, count, 'what is long ago is forgotten')
  })

  it('whoever has signed in from an address is not slowed there by strangers', async () => {
    const { begin, delays } = makeThrottle()
    ;(await begin('victim', HOME)).succeed()
    for (let n = 0; n < 100; n += 1) (await begin('victim', `192.0.2.${n}`)).fail()
    const count = delays.length
    for (let n = 0; n < 9; n += 1) (await begin('victim', HOME)).fail()
    ;(await begin('victim', HOME)).succeed()
    assert.equal(delays.length, count)
  })

  it('keeps no more than so many waiting for a username, with places for addresses that have not failed', async () => {
    const { begin, throttle, letGo } = makeThrottle()
    for (let n = 0; n < 100; n += 1) (await begin('victim', `192.0.2.${n}`)).fail()
    const failed = Array.from({ length: 32 }, (_, n) => throttle.begin('victim', `192.0.2.${n}`))
    await assert.rejects(throttle.begin('victim', '192.0.2.50'), { code: 'UNAVAILABLE', retryAfter: 10 })
    const others = Array.from({ length: 32 }, (_, n) => throttle.begin('victim', `203.0.113.${n}`))
    await assert.rejects(throttle.begin('victim', HOME), { code: 'UNAVAILABLE' })
    ;(await throttle.begin('other', HOME)).succeed()
    letGo()
    for (const attempt of [...failed, ...others]) (await attempt).withdraw()
    ;(await begin('victim', HOME)).succeed()
  })

  it('a client that goes away waits no longer', async () => {
    const throttle = createLoginThrottle(makeClock())
    for (let n = 0; n < 11; n += 1) await fail(throttle, 'victim', `192.0.2.${n}`)
    const gone = new AbortController()
    const waiting = throttle.begin('victim', HOME, gone.signal)
    gone.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
  })

  it('lets no more of a pair go on at once than may fail; the others wait for them', async () => {
    const throttle = createLoginThrottle(makeClock())
    for (let n = 0; n < 5; n += 1) await fail(throttle, 'user', HOME)
    const first = await Promise.all(Array.from({ length: 5 }, () => throttle.begin('user', HOME)))
    const others = Array.from({ length: 3 }, () => throttle.begin('user', HOME))
    first[0]!.succeed()
    for (const attempt of first.slice(1)) attempt.fail()
    for (const attempt of others) (await attempt).fail()
  })

  it('lets no more of an address, or of a username, go on at once than leave room for others; too many are refused', async () => {
    const throttle = createLoginThrottle(makeClock())
    const first = await Promise.all(Array.from({ length: 8 }, (_, n) => throttle.begin(`user${n}`, HOME)))
    let begun = 0
    const others = Array.from({ length: 64 }, async (_, n) => {
      const attempt = await throttle.begin(`other${n}`, HOME)
      begun += 1
      return attempt
    })
    await assert.rejects(throttle.begin('one', HOME), { code: 'UNAVAILABLE' })
    ;(await throttle.begin('one', '192.0.2.2')).succeed()
    assert.equal(begun, 0)
    first[0]!.fail()
    const next = await others[0]!
    assert.equal(begun, 1)
    for (const attempt of [...first.slice(1), next]) attempt.fail()
    for (const attempt of others.slice(1)) (await attempt).succeed()
    assert.equal(begun, 64)

    const ofUser = await Promise.all(Array.from({ length: 8 }, (_, n) => throttle.begin('user', `192.0.2.${n}`)))
    const ninth = throttle.begin('user', '192.0.2.9')
    ;(await throttle.begin('other', '192.0.2.10')).succeed()
    ofUser[0]!.fail()
    ;(await ninth).withdraw()
  })
})
