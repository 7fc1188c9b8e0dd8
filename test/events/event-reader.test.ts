// What a subscription asks for is held against the model that its events were read under. Contract 3 §6.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Subscription } from '../../src/events/rules/subscription.ts'
import type { Model } from '../../src/core/model/rules/model.ts'
import { system } from '../../src/kernel/machine/system.ts'
import { EventReader } from '../../src/events/event-reader.ts'
import { Gate } from '../../src/kernel/gate.ts'
import type { Store } from '../../src/store/port.ts'
import type { StoredSubscription } from '../../src/store/subscription-port.ts'
import { attribute, modelOf } from '../helpers/domain-model.ts'
import { OWNER } from '../helpers/plain-job.ts'

const subscription = {
  id: 'sub',
  updatedAt: '',
  ownerId: OWNER.id,
  ownerKind: 'user',
  events: ['record.created'],
  schemaIds: null,
  selection: { criteria: [{ attributeAlias: 'name', operator: 'isNotEmpty' }], criteriaOperator: 'and' },
} as unknown as Subscription
const stored = { subscription, state: {} } as StoredSubscription
const fitting = modelOf([attribute('name')]).model
const alsoFitting = modelOf([attribute('name'), attribute('size')]).model
const unfitting = modelOf([attribute('size')]).model

type EventStore = Pick<Store, 'read' | 'fresh'>

/** Whose model becomes the next one whenever events are read. */
function changing(...models: Model[]): { readonly store: EventStore; readonly reads: () => number } {
  let reads = 0
  const read = {
    users: { get: async () => OWNER },
    model: async () => models[Math.min(reads, models.length - 1)]!,
    events: async () => {
      reads += 1
      return { events: [], through: reads }
    },
  }
  return { store: { read, fresh: () => undefined } as unknown as EventStore, reads: () => reads }
}

describe('Events that are read while the model changes', () => {
  const range = { after: 0, limit: 10 }
  const { signal } = new AbortController()

  it('are refused where what is asked for does not fit what they were read under', async () => {
    const { store } = changing(fitting, unfitting)
    await assert.rejects(
      new EventReader(store, system, new Gate({ size: 64 * 1024 ** 2 })).read(stored, range, signal),
      {
        code: 'VALIDATION_ERROR',
        message: /name/,
      },
    )
  })

  it('are read again where it still fits, and once where nothing changes', async () => {
    const changed = changing(fitting, alsoFitting)
    assert.equal(
      (await new EventReader(changed.store, system, new Gate({ size: 64 * 1024 ** 2 })).read(stored, range, signal))
        .through,
      2,
    )
    const same = changing(fitting)
    await new EventReader(same.store, system, new Gate({ size: 64 * 1024 ** 2 })).read(stored, range, signal)
    assert.equal(same.reads(), 1)
  })
})
