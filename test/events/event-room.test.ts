// Room that large events of all subscriptions share. Contract 3 §6.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EventReader } from '../../src/events/event-reader.ts'
import { Gate } from '../../src/kernel/gate.ts'
import { newState } from '../../src/events/rules/subscription.ts'
import { BUILT_IN_ROLES } from '../../src/core/accounts/rules/permissions.ts'
import { modelOf } from '../helpers/domain-model.ts'
import { system } from '../../src/kernel/machine/system.ts'
import { OWNER } from '../helpers/plain-job.ts'

const never = new AbortController().signal

const OWNED = { ownerId: OWNER.id, ownerKind: 'user' }

describe('The room of large events', () => {
  it('holds what all readers have read together, whoever takes little of it', async () => {
    const { model } = modelOf([])
    const seen = { ...model, roles: new Map([['role', { ...BUILT_IN_ROLES[0]!, id: 'role' }]]) }
    const data = new Uint8Array(8 * 1024 ** 2)
    let [reads, held] = [0, 0]
    const events = async () => {
      reads += 1
      return { events: [{ sequence: 1, type: 'record.created', timestamp: '', data }], through: 1 }
    }
    const users = { get: async () => ({ ...OWNER, roleId: 'role' }) }
    const store = { read: { model: async () => seen, users, events }, fresh: () => undefined }
    const room = new Gate({ size: 2 * data.length })
    const readers = Array.from({ length: 10 }, () => new EventReader(store as never, system, room))
    const subscription = { ...OWNED, events: ['record.created'], schemaIds: null, selection: null, updatedAt: '' }
    const stored = { subscription, state: newState(0) } as never
    let most = 0
    const reading = readers.map(async (reader) => {
      await reader.read(stored, { after: 0, limit: 1 }, never)
      held += 1
      most = Math.max(most, held)
      await new Promise((resolve) => setImmediate(resolve))
      held -= 1
      reader.release()
    })
    await Promise.all(reading)
    assert.equal(most, 2)
    assert.equal(reads, 18)
  })
})
