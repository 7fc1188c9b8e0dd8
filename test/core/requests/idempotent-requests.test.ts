// Contract 3 §2 (Idempotency): the room of kept answers, and who keeps the same name.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import { createAnswerSeal, viewOf } from '../../../src/core/requests/answer-seal.ts'
import { createIdempotency, type KeptContent } from '../../../src/core/requests/idempotent-requests.ts'
import { startAnswerRetention } from '../../../src/core/retention.ts'
import { createLog } from '../../../src/kernel/observing/log.ts'
import type { Store } from '../../../src/store/port.ts'
import { system } from '../../../src/kernel/machine/system.ts'
import { HOUR, makeClock } from '../../helpers/clock.ts'
import { openTestedStore } from '../../helpers/tested-database.ts'

const caller = { id: 'usr-1', kind: 'user', name: 'One', role: BUILT_IN_ROLES[0]! } as const
const content: KeptContent = { status: 201, text: '{"id":"ent-1"}', headers: ['ETag', '"1"'] }
const clock = makeClock()
const secret = randomBytes(32)
let store: Store
before(async () => {
  store = await openTestedStore()
})
after(() => store.close())

const sizeNow = (): Promise<number> => store.transaction((tx) => tx.keptAnswers.size())

describe('The room of kept answers', () => {
  it('when it is full, writes with a key are refused and undone; those that only read go on, from half of it on', async () => {
    const maxBytes = 4000
    const idempotency = createIdempotency({ store, system: clock, secret, maxBytes })
    const keep = async (key: number, isWrite: boolean): Promise<void> => {
      const claim = idempotency.begin(caller, 'records', `key-${key}`)
      try {
        if (isWrite) await store.transaction((tx) => claim.keepWith(tx, 'request', content))
        else await claim.keepAlone('request', content)
      } finally {
        await claim.end()
      }
    }
    for (let key = 0; key < 20; key += 1) await keep(key, false)
    const half = await sizeNow()
    assert.ok(half >= maxBytes / 2 && half < maxBytes, String(half))
    let written = 0
    await assert.rejects(
      async () => {
        for (; written < 20; written += 1) await keep(100 + written, true)
      },
      { code: 'RATE_LIMITED' },
    )
    assert.ok(written > 0 && (await sizeNow()) >= maxBytes)
    clock.advance(25 * HOUR)
    await keep(200, true)
    assert.ok((await sizeNow()) < maxBytes)
  })

  it('is given back after 24 hours, also where nobody writes', async () => {
    clock.advance(25 * HOUR)
    const log = createLog({ level: 'silent', format: 'json', system, write: () => undefined })
    const retention = startAnswerRetention({ store, system: clock, log })
    for (let tries = 0; tries < 200 && (await sizeNow()) > 0; tries += 1) await retention.work()
    assert.equal(await sizeNow(), 0)
    await retention.stop()
  })
})

describe('The seal of kept answers', () => {
  const seal = createAnswerSeal(secret, system)

  it('gives each caller, path and key a name of its own', () => {
    const names = [
      seal.nameOf('a', 'b', 'c'),
      seal.nameOf('ab', '', 'c'),
      seal.nameOf('a', 'bc', ''),
      seal.nameOf('a', 'b', 'd'),
      createAnswerSeal(randomBytes(32), system).nameOf('a', 'b', 'c'),
    ]
    assert.equal(new Set(names).size, names.length)
    assert.equal(seal.nameOf('a', 'b', 'c'), names[0])
  })

  it('opens what it sealed, and nothing else', () => {
    const sealed = seal.seal('name', content)
    assert.deepEqual(seal.open('name', sealed), content)
    assert.throws(() => seal.open('other', sealed))
    sealed[20]! ^= 1
    assert.throws(() => seal.open('name', sealed))
  })
})

it('viewOf: alike for what a role may, whatever it is called', () => {
  const role = BUILT_IN_ROLES[1]!
  assert.equal(viewOf({ ...role, id: 'x', name: 'X', permissions: role.permissions.toReversed() }), viewOf(role))
  assert.notEqual(viewOf({ ...role, permissions: [] }), viewOf(role))
  assert.notEqual(viewOf({ ...role, attributePermissions: { s: { a: 'none' } } }), viewOf(role))
})
