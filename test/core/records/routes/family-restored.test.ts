// Deleted families of drawn records, restored: what searches, facets and lists tell is as before. Contract 3 §3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { send } from '../../../helpers/answers.ts'
import { anyBeginning, anyRecordStep, DrawnHistory } from '../../../helpers/drawn-history.ts'
import { itLong } from '../../../helpers/long.ts'
import { readSeen, type SeenRecord } from '../../../helpers/seen-state.ts'
import { startWorkspace, type ValuesBody, type Workspace } from '../../../helpers/shirts.ts'

let shop: Workspace
let history: DrawnHistory
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  history = await DrawnHistory.begin(shop)
})
after(() => shop.stop())

interface Deleted {
  readonly entityId: string
  readonly version: number
}

async function readDeleted(): Promise<readonly Deleted[]> {
  const { body } = await send<{ items: Deleted[] }>(shop.admin, 'GET', '/api/v1/records/deleted?limit=100')
  return body.items
}

const REFERRING = ['friend', 'friends']

async function restore({ entityId, version }: Deleted, attributeAliases?: readonly string[]): Promise<void> {
  const path = `/api/v1/records/${entityId}/restore`
  const { status, text } = await send(shop.admin, 'POST', path, { version, attributeAliases })
  assert.equal(status, 200, text)
}

/** Restores all without their references first, since records may name each other. */
async function restoreAll(deleted: readonly Deleted[]): Promise<void> {
  const { body: schema } = await send<{ attributes: { alias: string }[] }>(
    shop.admin,
    'GET',
    '/api/v1/schemas/sch-drawn',
  )
  const others = schema.attributes.map(({ alias }) => alias).filter((alias) => !REFERRING.includes(alias))
  for (const one of deleted) await restore(one, others)
  for (const one of deleted) await restore(one, REFERRING)
}

/** A restore refuses a reference to a record that is gone, as any write does. */
function namesGone(records: readonly SeenRecord[]): boolean {
  const ids = new Set(records.map(({ id }) => id))
  return records.some(({ values }) =>
    REFERRING.flatMap((alias) => (values as ValuesBody)[alias] ?? [])
      .flatMap(({ value }) => value as string | string[])
      .some((id) => !ids.has(id)),
  )
}

const property = fc.asyncProperty(
  anyBeginning,
  fc.array(anyRecordStep, { maxLength: 6 }),
  fc.shuffledSubarray(['r-0', 'r-2', 'r-4', 'r-5'], { minLength: 1 }),
  async (beginning, steps, ids) => {
    await history.beginAgain(beginning)
    for (const step of steps) await history.perform(step)
    const seen = () => readSeen(shop.admin, ['color'])
    const [first, gone] = [await seen(), new Set((await readDeleted()).map(({ entityId }) => entityId))]
    fc.pre(!namesGone(first.records))
    for (const id of ids) await send(shop.admin, 'DELETE', `/api/v1/records/${id}`)
    const deleted = (await readDeleted()).filter(({ entityId }) => !gone.has(entityId))
    // Parents come first: a variant whose parent is deleted comes back without one.
    const roots = new Set(first.records.filter(({ parentId }) => parentId === null).map(({ id }) => id))
    const isRoot = ({ entityId }: Deleted) => roots.has(entityId)
    await restoreAll([...deleted.filter(isRoot), ...deleted.filter((one) => !isRoot(one))])
    assert.deepEqual(await seen(), first)
  },
)

describe('POST /api/v1/records/:id/restore of deleted families', () => {
  it('gives back all that a user sees', () => fc.assert(property, { numRuns: 6, endOnFailure: true }))
  itLong('gives that back of many families', () => fc.assert(property, { numRuns: 100, endOnFailure: true }))
})
