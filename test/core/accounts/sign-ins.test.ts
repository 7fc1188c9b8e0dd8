// Sign-ins on record: a flood of failures costs little, and none of them is lost. Contract 3 §3.1.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { system } from '../../../src/kernel/machine/system.ts'
import { createLog } from '../../../src/kernel/observing/log.ts'
import { createSignIns } from '../../../src/core/accounts/sign-ins.ts'
import type { AccountEntry } from '../../../src/core/feed/rules/account-entry.ts'
import { openTestedStore, type TestedStore } from '../../helpers/tested-database.ts'

const log = createLog({ level: 'silent', format: 'json', system })

async function entriesOf(store: TestedStore, after: number): Promise<AccountEntry[]> {
  const found = await store.read.feed.listAfter(after, new Set(['account']), 1000)
  return found.flatMap((event) => (event.kind === 'account' ? [event.entry] : []))
}

describe('Failed sign-ins', () => {
  it('of any number of usernames and addresses get 21 entries at most, which count all of them', async () => {
    const store = await openTestedStore()
    const signIns = createSignIns({ store, system, log })
    for (let count = 0; count < 5000; count += 1) signIns.noteFailure(`user ${count}`, `10.0.0.${count % 7}`)
    for (let count = 0; count < 3; count += 1) signIns.noteFailure('user 1', '10.0.0.1')
    await signIns.flush()
    const entries = await entriesOf(store, 0)
    assert.equal(entries.length, 21)
    assert.equal(
      entries.reduce((sum, { signIn }) => sum + signIn!.count, 0),
      5003,
    )
    assert.deepEqual([entries[0]!.signIn!.username, entries[0]!.signIn!.count], ['user 1', 4])
    assert.deepEqual([entries[20]!.signIn!.username, entries[20]!.signIn!.address], [null, null])
    await signIns.flush()
    assert.equal((await entriesOf(store, 0)).length, 21)
    await store.close()
  })

  it('show any username bounded, and without control characters', async () => {
    const store = await openTestedStore()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (username) => {
        const before = await store.read.feed.newest()
        const signIns = createSignIns({ store, system, log })
        signIns.noteFailure(username, '::1')
        await signIns.flush()
        const [entry] = await entriesOf(store, before)
        const shown = entry!.signIn!.username!
        assert.ok(shown.length <= 101 && !/\p{Cc}/u.test(shown))
      }),
      { numRuns: 50 },
    )
    await store.close()
  })

  it('are written later where they cannot be written now', async () => {
    const store = await openTestedStore()
    let isBroken = true
    const broken: typeof store.transaction = (work) =>
      isBroken ? Promise.reject(new Error('the disk is full')) : store.transaction(work)
    const signIns = createSignIns({ store: { ...store, transaction: broken }, system, log })
    signIns.noteFailure('ann', '::1')
    await signIns.flush()
    isBroken = false
    signIns.noteFailure('ann', '::1')
    await signIns.flush()
    assert.deepEqual(
      (await entriesOf(store, 0)).map(({ signIn }) => signIn!.count),
      [2],
    )
    await store.close()
  })
})
