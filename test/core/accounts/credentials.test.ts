// What is remembered of users and keys between requests is never older than the last change. Contract 2 §2.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StoredUser } from '../../../src/core/accounts/rules/account.ts'
import { createCredentials } from '../../../src/core/accounts/credentials.ts'
import type { Store } from '../../../src/store/port.ts'

const user = (name: string) => ({ id: 'usr-1', name }) as StoredUser

/** A store of one user, whose reads answer when the test says so. */
function makeStore() {
  const state = { user: user('old'), reads: 0, release: (): void => undefined, isHeld: false }
  const store = {
    credentialsVersion: () => 0,
    read: {
      users: {
        async get() {
          state.reads += 1
          const found = state.user
          if (state.isHeld) await new Promise<void>((resolve) => (state.release = resolve))
          return found
        },
      },
    },
    transaction: (work: () => Promise<unknown>) => work(),
  }
  return { state, credentials: createCredentials(store as unknown as Store) }
}

describe('Remembered credentials', () => {
  it('are read once', async () => {
    const { state, credentials } = makeStore()
    for (let n = 0; n < 5; n += 1) assert.equal((await credentials.user('usr-1'))?.name, 'old')
    assert.equal(state.reads, 1)
  })

  it('are forgotten by every change, also by one that fails', async () => {
    const { state, credentials } = makeStore()
    await credentials.user('usr-1')
    await credentials.change(async () => {
      state.user = user('new')
    })
    assert.equal((await credentials.user('usr-1'))?.name, 'new')
    state.user = user('newer')
    await assert.rejects(credentials.change(() => Promise.reject(new Error('failed'))))
    assert.equal((await credentials.user('usr-1'))?.name, 'newer')
  })

  it('what was looked up before a change is not remembered after it', async () => {
    const { state, credentials } = makeStore()
    state.isHeld = true
    const early = credentials.user('usr-1')
    await Promise.resolve()
    state.isHeld = false
    await credentials.change(async () => {
      state.user = user('new')
    })
    state.release()
    assert.equal((await early)?.name, 'old')
    assert.equal((await credentials.user('usr-1'))?.name, 'new')
  })
})
