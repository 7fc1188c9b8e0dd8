// The overlay of dry runs. Contract 2 §7, 3 §2.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ChangingTransaction, Rehearsal } from '../../../src/core/records/rehearsal.ts'
import type { StoredRecord } from '../../../src/store/record-port.ts'

const SKU = { alias: 'sku', scope: '', key: '"A"' }

function recordOf(id: string): StoredRecord {
  const at = '2026-01-01T00:00:00.000Z'
  const head = { id, schemaId: 'sch-shirt', parentId: null, lifecycleStateId: 'state-draft' }
  return { ...head, createdAt: at, createdBy: 'u', updatedAt: at, updatedBy: 'u', version: 1, valuesJson: '{}' }
}

/** Storage has the record `ent-old`, which holds the value of SKU. */
const reads = {
  categories: {},
  records: {
    get: async (id: string) => (id === 'ent-old' ? recordOf(id) : undefined),
    existing: async (ids: readonly string[]) =>
      new Map(ids.filter((id) => id === 'ent-old').map((id) => [id, 'sch-shirt'])),
    variantIdsOf: async () => [],
    holderOf: async () => 'ent-old',
  },
} as unknown as Parameters<Rehearsal['attempt']>[0]

function attempt<Result>(rehearsal: Rehearsal, work: (tx: ChangingTransaction['records']) => Promise<Result>) {
  return rehearsal.attempt(reads, ({ records }) => work(records))
}

describe('A rehearsal', () => {
  it('shows later attempts what earlier ones wrote, and nothing of one that failed', async () => {
    const rehearsal = new Rehearsal()
    const insert = (id: string) => attempt(rehearsal, (records) => records.insert(recordOf(id)))
    await insert('ent-new')
    await assert.rejects(insert('ent-new'), { code: 'CONFLICT' })
    await assert.rejects(insert('ent-old'), { code: 'CONFLICT' })
    const failing = attempt(rehearsal, async (records) => {
      await records.insert(recordOf('ent-failed'))
      throw new Error('too late')
    })
    await assert.rejects(failing, /too late/)
    const ids = ['ent-old', 'ent-new', 'ent-failed']
    const existing = await attempt(rehearsal, (records) => records.existing(ids))
    assert.deepEqual([...existing.keys()], ['ent-old', 'ent-new'])
  })

  it('gives a unique value to another record only once its holder has given it up', async () => {
    const rehearsal = new Rehearsal()
    const take = (id: string) =>
      attempt(rehearsal, (records) => records.setUniqueKeys({ id, schemaId: 'sch-shirt' }, [], [SKU]))
    await assert.rejects(take('ent-new'), { code: 'CONFLICT' })
    const old = { id: 'ent-old', schemaId: 'sch-shirt' }
    await attempt(rehearsal, (records) => records.setUniqueKeys(old, [SKU], []))
    await take('ent-new')
    await assert.rejects(take('ent-third'), { code: 'CONFLICT' })
    assert.equal(await attempt(rehearsal, (records) => records.holderOf('sch-shirt', SKU)), 'ent-new')
  })

  it('loses a branch that is not kept', async () => {
    const rehearsal = new Rehearsal()
    const [lost, kept] = [rehearsal.branch(), rehearsal.branch()]
    await attempt(lost, (records) => records.insert(recordOf('ent-lost')))
    await attempt(kept, (records) => records.insert(recordOf('ent-kept')))
    rehearsal.keep(kept)
    const find = (id: string) => attempt(rehearsal, (records) => records.get(id))
    assert.deepEqual([(await find('ent-lost'))?.id, (await find('ent-kept'))?.id], [undefined, 'ent-kept'])
  })
})
