// Waiting for the next change: nobody is forgotten, and nobody misses what came before.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Caller } from '../../../src/core/accounts/caller.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import { ChangeBell, MAX_WAITING_PER_CALLER, newsNow } from '../../../src/core/feed/change-bell.ts'

const forever = new AbortController().signal
const long = 60
const refused = { code: 'RATE_LIMITED', message: /20/ }

const callerOf = (id: string): Caller => ({ id, kind: 'user', name: id, role: BUILT_IN_ROLES[0]! })

/** Waits until the bell has rung `rings` times. */
function wait(bell: ChangeBell, callerId: string, { rings = 1, seconds = long, signal = forever } = {}) {
  const look = () => Promise.resolve(bell.rung)
  return bell.lookForNews(callerOf(callerId), { seconds, signal }, look, (rung) => newsNow(rung >= rings))
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('Who waits for a change', () => {
  it('is told of it, all of many, some in each turn', async () => {
    const bell = new ChangeBell()
    let told = 0
    const waits = Array.from({ length: 50 }, async (_, n) => {
      await wait(bell, `caller-${n}`)
      told += 1
    })
    await nextTurn()
    bell.ring()
    await nextTurn()
    assert.ok(told > 0 && told < 50, `${told} told in one turn`)
    await Promise.all(waits)
  })

  it('does not wait where it rang since the caller looked', async () => {
    const bell = new ChangeBell()
    const looks: number[] = []
    const look = (): Promise<number> => {
      looks.push(bell.rung)
      if (looks.length === 1) bell.ring()
      return Promise.resolve(looks.length)
    }
    const newsIn = (count: number) => newsNow(count === 2)
    await bell.lookForNews(callerOf('caller'), { seconds: long, signal: forever }, look, newsIn)
    assert.deepEqual(looks, [0, 1])
  })

  it('goes when its time is over, its signal aborted or the bell closed, and takes no place then', async () => {
    const bell = new ChangeBell()
    const controller = new AbortController()
    const waits = Array.from({ length: MAX_WAITING_PER_CALLER }, (_, n) =>
      wait(bell, 'caller', { seconds: n === 0 ? 0.2 : long, signal: n === 1 ? controller.signal : forever }),
    )
    await assert.rejects(wait(bell, 'caller'), refused)
    controller.abort()
    await Promise.all(waits.slice(0, 2))
    const more = [0.2, 0.2].map((seconds) => wait(bell, 'caller', { seconds }))
    await assert.rejects(wait(bell, 'caller'), refused)
    const other = wait(bell, 'other')
    await Promise.all(more)
    bell.close()
    await Promise.all([...waits, other])
    await wait(bell, 'caller')
  })

  it('keeps its place while it looks again', async () => {
    const bell = new ChangeBell()
    const looked = Promise.withResolvers<void>()
    let looks = 0
    const look = async (): Promise<number> => {
      looks += 1
      if (looks > MAX_WAITING_PER_CALLER) await looked.promise
      return bell.rung
    }
    const waits = Array.from({ length: MAX_WAITING_PER_CALLER }, () =>
      bell.lookForNews(callerOf('caller'), { seconds: long, signal: forever }, look, (rung) => newsNow(rung === 2)),
    )
    await nextTurn()
    bell.ring()
    while (looks < 2 * MAX_WAITING_PER_CALLER) await nextTurn()
    await assert.rejects(wait(bell, 'caller', { rings: 2 }), refused)
    looked.resolve()
    await nextTurn()
    bell.ring()
    assert.deepEqual(new Set((await Promise.all(waits)).map(({ seen }) => seen)), new Set([2]))
    await wait(bell, 'caller', { rings: 2 })
  })

  it('is told of news that is due later by then, without another ring', async () => {
    const bell = new ChangeBell()
    const begin = performance.now()
    const newsIn = (rung: number) => (rung === 0 ? Infinity : begin + 30 - performance.now())
    const look = () => Promise.resolve(bell.rung)
    const waiting = bell.lookForNews(callerOf('caller'), { seconds: long, signal: forever }, look, newsIn)
    await nextTurn()
    bell.ring()
    assert.equal((await waiting).seen, 1)
    assert.ok(performance.now() >= begin + 30)
  })

  it('sees with the rights that the caller has after the wait, and is refused without the permission', async () => {
    const bell = new ChangeBell()
    const [admin, , viewer] = BUILT_IN_ROLES
    const roles: string[] = []
    const look = async ({ role }: Caller) => {
      roles.push(role.id)
      return bell.rung
    }
    const asked = (caller: Caller) =>
      bell.lookForNews(caller, { seconds: long, signal: forever }, look, (rung) => newsNow(rung > 0))
    const caller = { ...callerOf('caller'), again: async () => ({ ...callerOf('caller'), role: viewer! }) }
    const waiting = asked(caller)
    await nextTurn()
    bell.ring()
    assert.equal((await waiting).caller.role, viewer)
    assert.deepEqual(roles, [admin!.id, admin!.id, viewer!.id])
    await asked(caller)
    assert.deepEqual(roles.slice(3), [admin!.id], 'without a wait nothing is asked again')
    const other = new ChangeBell()
    const refusedWait = other.lookForNews(
      { ...caller, permission: 'users.manage' },
      { seconds: long, signal: forever },
      async () => other.rung,
      (rung) => newsNow(rung > 0),
    )
    await nextTurn()
    other.ring()
    await assert.rejects(refusedWait, { code: 'PERMISSION_DENIED', message: /users\.manage/ })
  })
})
