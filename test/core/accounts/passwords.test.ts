// Contract 2 §2: scrypt at OWASP strength, and a flood of logins that cannot eat memory.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PimletError } from '../../../src/kernel/errors.ts'
import { createPasswordHasher } from '../../../src/core/accounts/passwords.ts'
import { system } from '../../../src/kernel/machine/system.ts'

describe('Passwords', () => {
  it('are hashed with scrypt at N=2^15, r=8, p=3 where nothing else is said', async () => {
    const hash = await createPasswordHasher(system).hash('a password')
    assert.match(hash, /^scrypt\$15\$3\$[\w-]{22}\$[\w-]{43}$/)
  })

  const passwords = createPasswordHasher(system, 4)

  it('have a salt each, and match themselves only', async () => {
    const [one, other] = await Promise.all([passwords.hash('same'), passwords.hash('same')])
    assert.notEqual(one, other)
    assert.equal(await passwords.verify('same', one), true)
    assert.equal(await passwords.verify('Same', one), false)
    assert.equal(await passwords.verify('', one), false)
  })

  it('of an unknown user never match, after the same work', async () => {
    const slow = createPasswordHasher(system, 12)
    const hash = await slow.hash('known')
    const timed = async (stored: string | undefined) => {
      const before = performance.now()
      assert.equal(await slow.verify('wrong', stored), false)
      return performance.now() - before
    }
    // Whatever else the machine does lengthens some of them.
    let [known, unknown] = [Infinity, Infinity]
    for (let n = 0; n < 20; n += 1) {
      known = Math.min(known, await timed(hash))
      unknown = Math.min(unknown, await timed(undefined))
    }
    assert.ok(unknown > known / 3 && unknown < known * 3, `${known} ms against ${unknown} ms`)
  })

  it('are still checked when they were hashed at another cost', async () => {
    const hash = await createPasswordHasher(system, 6).hash('older')
    assert.equal(await passwords.verify('older', hash), true)
  })

  it('are hashed one at a time, and too many at once are UNAVAILABLE', async () => {
    const slow = createPasswordHasher(system, 12)
    const results = await Promise.allSettled(Array.from({ length: 100 }, () => slow.hash('x')))
    const refused = results.filter((result) => result.status === 'rejected')
    assert.equal(refused.length, 100 - 32)
    const reason: unknown = refused[0]?.reason
    assert.ok(reason instanceof PimletError && reason.code === 'UNAVAILABLE' && reason.retryAfter !== undefined)
    assert.match(await slow.hash('x'), /^scrypt/)
  })
})
