// Claims of requests in PostgreSQL: renewed as long as their server lives, over soon after it is gone.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '../../src/postgres/connection.ts'
import { DatabaseRequestClaims } from '../../src/postgres/request-claims.ts'
import type { StoreLocation } from '../../src/store/port.ts'
import { eventually } from '../helpers/puppet.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'
import { openWithModel } from '../store/contract/backend.ts'
import { postgresBackend } from './backend.ts'

const SECONDS = 1

describe('PostgreSQL: claims of requests', { skip: withoutPostgres() }, () => {
  it('are kept while their server lives, and over when it lets go, closes or is gone', async (test) => {
    const { store } = await openWithModel(postgresBackend, test, async () => undefined)
    const { url } = store.location as StoreLocation & { url: string }
    const open = async (owner: string) => {
      const connection = await Connection.open({ url, isPipelined: true })
      const parts = { connection: async () => connection, owner, onFault: () => undefined, seconds: SECONDS }
      const claims = new DatabaseRequestClaims(parts)
      await claims.begin()
      test.after(async () => {
        await claims.close()
        await connection.close()
      })
      return { claims, connection }
    }
    const [{ claims: one, connection }, { claims: other }] = [await open('one'), await open('other')]
    for (const id of ['held', 'let go', 'free']) assert.equal(await one.take(id), true)
    assert.equal(await other.take('let go'), false)
    assert.equal(await other.take('of the other'), true)
    await one.release('let go')
    assert.equal(await other.take('let go'), true)
    assert.equal(await one.take('let go'), false)
    // Longer than a claim lasts by itself.
    for (let times = 0; times < 8; times += 1) {
      await sleep((SECONDS * 1000) / 4)
      assert.equal(await other.take('held'), false)
    }
    await connection.close()
    const begin = performance.now()
    await eventually(() => other.take('held'))
    assert.ok(performance.now() - begin < SECONDS * 5000)
    await other.close()
    const { claims: third } = await open('third')
    for (const id of ['held', 'let go', 'of the other']) assert.equal(await third.take(id), true, id)
  })
})
