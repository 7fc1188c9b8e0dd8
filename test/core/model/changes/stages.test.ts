// A change of the model that records have to follow, stage by stage: what others can do meanwhile, and what is left of it
// when it ends before it is done.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import type { ReplacedSchema } from '../../../../src/core/model/schemas.ts'
import { describe, it } from 'node:test'
import { PimletError } from '../../../../src/kernel/errors.ts'
import type { ModelChangeStage } from '../../../../src/core/model/rules/model-change.ts'
import type { StoredRecord } from '../../../../src/store/record-port.ts'
import { role } from '../../../helpers/domain-model.ts'
import { admin, callerOf, conflict, everywhere, openWorkbench, schemaOf, text, type Workbench } from './workbench.ts'

const code = (unique: boolean): object => text('code', { unique })
/** `sku` becomes unique, `note` goes with its values, `code` is unique no longer. */
const before = [text('sku'), text('note'), code(true)]
const after = schemaOf(text('sku', { unique: true }), code(false), text('title'))
const valuesOf = (index: number) => ({
  sku: everywhere(`S-${index}`),
  note: everywhere('note'),
  code: everywhere(`C-${index}`),
})
const many = Array.from({ length: 150 }, (_, index) => valuesOf(index))

const STAGES: readonly ModelChangeStage[] = ['look', 'claim', 'drop']

/** The change of a schema with 150 records, standing still before a step of a stage. */
async function heldAt(bench: Workbench, stage: ModelChangeStage, step = 1) {
  const { schema, records } = await bench.makeSchema(before, ...many)
  const reached = bench.store.untilAt(stage, step)
  const change = bench.schemas.replace(admin, schema.id, after, true)
  change.catch(() => undefined)
  await Promise.race([reached, change])
  assert.equal(await bench.stage(), stage)
  return { schema, records, change }
}

/** Every record is as the new definition wants it, by one update each; somebody else made another one of `updated`. */
async function assertDone(
  bench: Workbench,
  records: readonly StoredRecord[],
  { updated }: { updated?: number } = {},
): Promise<void> {
  for (const [index, record] of records.entries()) {
    const { sku, code } = valuesOf(index)
    assert.deepEqual(await bench.valuesOf(record), { sku, code })
    const { entries: trail } = await bench.store.read.audit.readTrail(record.id, { limit: 10 })
    assert.deepEqual(
      trail.map(({ action }) => action),
      [...(index === updated ? ['update'] : []), 'update', 'create'],
    )
  }
  assert.equal(await bench.stage(), undefined)
}

/** Who asked for it has waited for the change. */
function schemaOfAnswer(replaced: ReplacedSchema) {
  assert.ok('schema' in replaced)
  return replaced.schema
}

describe('While a schema is being changed', () => {
  for (const stage of STAGES) {
    it(`(${stage}) others read the old definition, and write what fits both`, async (t) => {
      const bench = await openWorkbench(t)
      const { schema, records, change } = await heldAt(bench, stage)
      assert.equal((await bench.schemas.get(admin, schema.id)).attributes.length, 3)
      const made = await bench.records.create(admin, { schemaId: schema.id, values: { sku: everywhere('new') } })
      await bench.records.update(admin, records[3]!.id, { code: everywhere('C-3') }, undefined)
      const other = await bench.makeSchema([text('note')], { note: everywhere('x') })
      await bench.schemas.replace(admin, other.schema.id, schemaOf(), true)

      await assert.rejects(
        bench.records.update(admin, records[0]!.id, { note: everywhere('other') }, undefined),
        conflict('values.note', schema.id),
      )
      await assert.rejects(
        bench.records.create(admin, { schemaId: schema.id, values: { note: everywhere('x') } }),
        conflict('values.note', schema.id),
      )
      await assert.rejects(
        bench.records.create(admin, { schemaId: schema.id, values: { sku: everywhere('new') } }),
        conflict('values.sku', schema.id),
      )
      await assert.rejects(
        bench.records.create(admin, { schemaId: schema.id, values: { code: everywhere('C-9') } }),
        conflict('values.code'),
      )
      bench.store.release()
      assert.equal(schemaOfAnswer(await change).attributes[0]!.unique, true)
      assert.deepEqual(await bench.valuesOf(made), { sku: everywhere('new') })
      await assertDone(bench, records, { updated: 3 })
      await bench.records.create(admin, { schemaId: schema.id, values: { code: everywhere('C-9') } })
      await assert.rejects(
        bench.records.create(admin, { schemaId: schema.id, values: { sku: everywhere('S-9') } }),
        conflict('values.sku'),
      )
    })
  }

  it('nothing of the model can be changed that the change relies on, and all the rest can', async (t) => {
    const bench = await openWorkbench(t)
    const scoped = (...dimensionIds: string[]): object => text('title', { dimensionIds })
    const { schema } = await bench.makeSchema([scoped('language'), text('note')], { note: everywhere('x') })
    const workflow = { name: 'W', initialStateId: 's', states: [{ id: 's' }], transitions: [] }
    await bench.workflows.create(admin, { id: 'wf-free', ...workflow })
    const reached = bench.store.untilAt('look')
    const change = bench.schemas.replace(admin, schema.id, schemaOf(scoped('market')), true)
    await reached
    const busy = conflict(schema.id, 'being changed')
    await assert.rejects(bench.schemas.replace(admin, schema.id, schemaOf(), true), busy)
    await assert.rejects(bench.schemas.delete(admin, schema.id), busy)
    for (const id of ['language', 'market']) {
      await assert.rejects(bench.dimensions.replace(admin, id, { name: id, segments: [{ id: 'one' }] }), busy)
      await assert.rejects(bench.dimensions.delete(admin, id), busy)
    }
    await assert.rejects(bench.workflows.replace(admin, 'wf-default', workflow), busy)
    await assert.rejects(bench.workflows.delete(admin, 'wf-default'), busy)
    await bench.workflows.replace(admin, 'wf-free', { ...workflow, name: 'Other' })
    await bench.dimensions.create(admin, { id: 'season', name: 'Season', segments: [] })
    await bench.schemas.create(admin, schemaOf(scoped('language')))
    bench.store.release()
    await change
    await bench.schemas.replace(admin, schema.id, schemaOf(), true)
  })

  it('no record comes into a state that its workflow to be does not have', async (t) => {
    const bench = await openWorkbench(t)
    const states = [{ id: 'state-draft' }]
    await bench.workflows.create(admin, {
      id: 'wf-one',
      name: 'One',
      initialStateId: 'state-draft',
      states,
      transitions: [],
    })
    const { schema, records } = await bench.makeSchema([text('note')], { note: everywhere('x') })
    const reached = bench.store.untilAt('look')
    const change = bench.schemas.replace(admin, schema.id, { ...schemaOf(), workflowId: 'wf-one' }, true)
    await reached
    await assert.rejects(
      bench.lifecycle.transition(admin, records[0]!.id, 'tr-submit', undefined, t.signal),
      conflict('wf-one', 'state-review'),
    )
    bench.store.release()
    assert.equal(schemaOfAnswer(await change).workflowId, 'wf-one')
  })

  it('a duplicate that somebody writes before its record is claimed ends the change, and nothing was dropped', async (t) => {
    const bench = await openWorkbench(t)
    const { schema, records, change } = await heldAt(bench, 'claim')
    const twice = { sku: everywhere('S-140') }
    await bench.records.create(admin, { schemaId: schema.id, values: twice })
    bench.store.release()
    await assert.rejects(change, conflict('values.sku'))
    await assertUntouched(bench, schema.id, records)
    await bench.records.create(admin, { schemaId: schema.id, values: twice })
  })
})

/** Nothing has changed, and nothing is claimed. */
async function assertUntouched(bench: Workbench, schemaId: string, records: readonly StoredRecord[]): Promise<void> {
  assert.equal(await bench.stage(), undefined)
  assert.equal((await bench.schemas.get(admin, schemaId)).attributes.length, 3)
  for (const [index, record] of records.entries()) assert.deepEqual(await bench.valuesOf(record), valuesOf(index))
  await bench.records.create(admin, { schemaId, values: { sku: everywhere('S-1'), note: everywhere('written') } })
  await assert.rejects(
    bench.records.create(admin, { schemaId, values: { code: everywhere('C-1') } }),
    conflict('values.code'),
  )
}

describe('Before anything is dropped', () => {
  it('duplicates are found, whatever would be dropped besides', async (t) => {
    const bench = await openWorkbench(t)
    const values = many.map((each, index) => (index === 140 ? { ...each, sku: everywhere('S-2') } : each))
    const { schema, records } = await bench.makeSchema(before, ...values)
    await assert.rejects(bench.schemas.replace(admin, schema.id, after, true), conflict('values.sku'))
    for (const [index, record] of records.entries()) assert.deepEqual(await bench.valuesOf(record), values[index])
    assert.equal((await bench.store.read.audit.listAfter(0, 1000)).length, records.length)
    await bench.records.create(admin, { schemaId: schema.id, values: { sku: everywhere('S-1') } })
  })

  it('values that the caller may not write are found, the last ones too', async (t) => {
    const bench = await openWorkbench(t)
    const values = many.map((each, index) => (index === 149 ? { ...each, secret: everywhere('x') } : each))
    const { schema, records } = await bench.makeSchema([...before, text('secret')], ...values)
    const permissions = { [schema.id]: { secret: 'read' as const } }
    const caller = callerOf(role({ defaultAttributePermission: 'write', attributePermissions: permissions }))
    await assert.rejects(bench.schemas.replace(caller, schema.id, after, true), { code: 'PERMISSION_DENIED' })
    assert.deepEqual(await bench.valuesOf(records[0]!), valuesOf(0))
    assert.equal(await bench.stage(), undefined)
  })
})

describe('A change that does not come to its end', () => {
  for (const [stage, step] of [
    ['look', 1],
    ['claim', 1],
    ['claim', 2],
    ['drop', 1],
    ['drop', 2],
    ['clear', 1],
  ] as const) {
    it(`(${stage} ${step}) because the server stops, is undone at the next start, and can be asked for again`, async (t) => {
      const bench = await openWorkbench(t)
      const { schema, records, change } = await heldAt(bench, stage, step)
      const next = await bench.restart()
      if (stage === 'clear') await change
      else await assert.rejects(change, { code: 'UNAVAILABLE' })
      // A write that the change would not have allowed is taken again at once.
      const note = { schemaId: schema.id, values: { note: everywhere('again') } }
      if (stage !== 'clear') await next.records.create(admin, note)
      await next.schemas.replace(admin, schema.id, after, true)
      await assertDone(next, records)
      await next.records.create(admin, { schemaId: schema.id, values: { code: everywhere('C-1') } })
      await assert.rejects(
        next.records.create(admin, { schemaId: schema.id, values: { sku: everywhere('S-1') } }),
        conflict('values.sku'),
      )
    })
  }

  it('(undo) because the server stops, is undone at the next start', async (t) => {
    const bench = await openWorkbench(t)
    const { schema, records, change } = await heldAt(bench, 'claim')
    await bench.records.create(admin, { schemaId: schema.id, values: { sku: everywhere('S-149') } })
    const reached = bench.store.untilAt('undo')
    bench.store.release()
    await reached
    // It holds nobody up any more.
    await bench.records.update(admin, records[5]!.id, { note: everywhere('note') }, undefined)
    const next = await bench.restart()
    await assert.rejects(change, conflict('values.sku'))
    await assert.rejects(next.schemas.replace(admin, schema.id, after, true), conflict('values.sku'))
    await assertUntouched(next, schema.id, records)
  })

  it('because storage fails, is undone as soon as storage can be written', async (t) => {
    const bench = await openWorkbench(t)
    const { schema, records, change } = await heldAt(bench, 'claim')
    bench.store.failNext(3, new PimletError('UNAVAILABLE', 'The storage is full'))
    bench.store.release()
    await assert.rejects(change, { code: 'UNAVAILABLE', message: 'The storage is full' })
    const end = performance.now() + 20_000
    while ((await bench.stage()) !== undefined && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 10))
    await assertUntouched(bench, schema.id, records)
  })

  it('is not begun any more once the server stops', async (t) => {
    const bench = await openWorkbench(t)
    const { schema } = await bench.makeSchema(before, valuesOf(1))
    await bench.modelChanges.stop()
    await assert.rejects(bench.schemas.replace(admin, schema.id, after, true), { code: 'UNAVAILABLE' })
    assert.equal(await bench.stage(), undefined)
  })
})
