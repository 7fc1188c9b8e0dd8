// Undoing a bulk job. Contract 3 §2, 3 §10.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { assertRefused, send } from '../../helpers/answers.ts'
import { type BulkJobBody, byIds, byQuery, errorsOf, postJob, runJob, undoJob } from '../../helpers/bulk-jobs.ts'
import {
  english,
  everywhere,
  german,
  make,
  makeShirt,
  readAudit,
  readRecord,
  type ScopedValueBody,
  startWorkspace,
  type ValuesBody,
  type Workspace,
} from '../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat-web', name: 'Web' })
  for (const id of ['ctg-a', 'ctg-b']) await make(shop.admin, '/api/v1/catalogs/cat-web/categories', { id, name: id })
})
after(() => shop.stop())

const undo = (id: string) => send<BulkJobBody>(shop.admin, 'POST', `/api/v1/bulk-jobs/${id}/undo`)
const counts = ({ selected, changed, unchanged, failed }: BulkJobBody) => [selected, changed, unchanged, failed]

/** All of the records that an undo gives back, to the byte. */
async function stateOf(ids: readonly string[]): Promise<string[]> {
  return Promise.all(
    ids.map(async (id) => {
      const answer = await send<{ values: unknown; lifecycleStateId: string }>(
        shop.admin,
        'GET',
        `/api/v1/records/${id}`,
      )
      if (answer.status === 404) return `${id} is gone`
      const { values, lifecycleStateId, parentId, createdAt, createdBy } = await readRecord(shop.admin, id)
      const places = await send(shop.admin, 'GET', `/api/v1/records/${id}/categories`)
      return JSON.stringify({ values, lifecycleStateId, parentId, createdAt, createdBy, places: places.body })
    }),
  )
}

describe('POST /api/v1/bulk-jobs/:id/undo', () => {
  it('gives back values, states, categories and deleted records with their variants, to the byte', async () => {
    const ids = ['u-1', 'u-2', 'u-3', 'u-4']
    await makeShirt(shop.admin, { name: [german('Hemd'), english('Shirt')], weight: everywhere(1) }, { id: 'u-1' })
    await makeShirt(shop.admin, { related: everywhere('u-1'), sku: everywhere('U-2') }, { id: 'u-2' })
    await makeShirt(shop.admin, { name: [english('V')] }, { id: 'u-3', parentId: 'u-2' })
    await makeShirt(shop.admin, {}, { id: 'u-4', parentId: 'u-2' })
    await send(shop.admin, 'PUT', '/api/v1/records/u-1/categories', [{ categoryId: 'ctg-a', sortOrder: 3 }])
    const original = await stateOf(ids)
    const jobs = [
      [{ clearValues: { attributeAliases: ['name'], scope: { language: 'de' } } }, { transition: 'tr-submit' }],
      [{ setValues: { name: [english('Other'), german('Hemd')] } }, { addCategories: [{ categoryId: 'ctg-b' }] }],
      [{ clearValues: { attributeAliases: ['name', 'weight', 'sku', 'related'] } }, { setCategories: [] }],
      [{ delete: true }],
    ]
    for (const actions of jobs) {
      const job = await runJob(shop.admin, { name: 'Test', selection: byIds(...ids), actions })
      assert.deepEqual([job.selected, job.failed], [4, 0], JSON.stringify(actions))
      assert.notDeepEqual(await stateOf(ids), original)
      const undone = await undoJob(shop.admin, job.id)
      assert.deepEqual(await errorsOf(shop.admin, undone.id), [])
      assert.deepEqual(counts(undone), [job.changed, job.changed, 0, 0])
      assert.deepEqual(await stateOf(ids), original, JSON.stringify(actions))
      assert.deepEqual([undone.kind, undone.undoes, undone.name], ['undo', job.id, 'Test'])
      assert.equal((await send<BulkJobBody>(shop.admin, 'GET', `/api/v1/bulk-jobs/${job.id}`)).body.undoneBy, undone.id)
      const [newest] = await readAudit(shop.admin, 'u-1')
      assert.deepEqual(newest!.origin, { kind: 'undo', id: undone.id })
    }
  })

  it('goes back through jobs that changed the same, the last one first', async () => {
    const ids = ['s-1', 's-2']
    await makeShirt(shop.admin, { name: [german('Hemd'), english('Shirt')], weight: everywhere(1) }, { id: 's-1' })
    await makeShirt(shop.admin, { weight: everywhere(1) }, { id: 's-2', parentId: 's-1' })
    const steps: { id: string; before: string[] }[] = []
    for (const actions of [
      [
        { setValues: { weight: everywhere(2) } },
        { transition: 'tr-submit' },
        { setCategories: [{ categoryId: 'ctg-a' }] },
      ],
      [{ setValues: { weight: everywhere(3) } }, { transition: 'tr-send-back' }, { setCategories: [] }],
      [{ clearValues: { attributeAliases: ['name', 'weight'] } }, { addCategories: [{ categoryId: 'ctg-b' }] }],
      [{ delete: true }],
    ]) {
      const before = await stateOf(ids)
      steps.push({ id: (await runJob(shop.admin, { selection: byIds(...ids), actions })).id, before })
    }
    for (const { id, before } of steps.toReversed()) {
      const undone = await undoJob(shop.admin, id)
      assert.deepEqual(await errorsOf(shop.admin, undone.id), [])
      assert.deepEqual(await stateOf(ids), before)
    }
  })

  it('leaves what somebody changed before a later job that is undone, too', async () => {
    await makeShirt(shop.admin, { weight: everywhere(1), color: everywhere('red') }, { id: 's-3' })
    const run = (values: ValuesBody) =>
      runJob(shop.admin, { selection: byIds('s-3'), actions: [{ patchValues: values }] })
    const first = await run({ weight: everywhere(2), color: everywhere('blue') })
    await send(shop.admin, 'PATCH', '/api/v1/records/s-3', { values: { weight: everywhere(7) } })
    const second = await run({ weight: everywhere(3), color: everywhere('red') })
    await undoJob(shop.admin, second.id)
    const undone = await undoJob(shop.admin, first.id)
    assert.match((await errorsOf(shop.admin, undone.id))[0]!.message, /'weight'/)
    const { weight, color } = (await readRecord(shop.admin, 's-3')).values
    assert.deepEqual([weight, color], [everywhere(7), everywhere('red')])
  })

  it('leaves what somebody has changed since as it is, and names it; the rest returns', async () => {
    for (const id of ['c-1', 'c-2', 'c-3', 'c-4', 'c-5'])
      await makeShirt(shop.admin, { name: [english('Old'), german('Alt')], weight: everywhere(1) }, { id })
    const selection = byIds('c-1', 'c-2', 'c-3', 'c-4', 'c-5')
    const actions = [
      { patchValues: { name: [english('New'), german('Neu')], weight: everywhere(2) } },
      { transition: 'tr-submit' },
      { addCategories: [{ categoryId: 'ctg-a' }] },
    ]
    const job = await runJob(shop.admin, { selection, actions })
    const patch = (id: string, values: ValuesBody) => send(shop.admin, 'PATCH', `/api/v1/records/${id}`, { values })
    await patch('c-1', { name: [english('Mine')] })
    // Changed, and changed back.
    await patch('c-2', { weight: everywhere(9) })
    await patch('c-2', { weight: everywhere(2) })
    await send(shop.admin, 'POST', '/api/v1/records/c-3/transition', { transitionId: 'tr-send-back' })
    await send(shop.admin, 'PUT', '/api/v1/records/c-3/categories', [])
    await send(shop.admin, 'DELETE', '/api/v1/records/c-4')
    // What the job did not touch counts for nothing.
    await patch('c-5', { sku: everywhere('C-5') })
    const undone = await undoJob(shop.admin, job.id)
    assert.deepEqual([undone.status, ...counts(undone)], ['succeeded', 5, 1, 0, 4])
    const errors = new Map((await errorsOf(shop.admin, undone.id)).map(({ recordId, ...rest }) => [recordId, rest]))
    for (const [id, named] of [
      ['c-1', "'name' {language=en}"],
      ['c-2', "'weight'"],
      ['c-3', 'categories'],
      ['c-3', 'state'],
      ['c-4', 'c-4'],
    ] as const) {
      assert.equal(errors.get(id)?.error, 'CONFLICT')
      assert.ok(errors.get(id)!.message.includes(named), errors.get(id)!.message)
    }
    const one = await readRecord(shop.admin, 'c-1')
    assert.deepEqual(one.values, { name: [english('Mine'), german('Alt')], weight: everywhere(1) })
    assert.equal(one.lifecycleStateId, 'state-draft')
    assert.deepEqual((await readRecord(shop.admin, 'c-2')).values['weight'], everywhere(2))
    const five = await readRecord(shop.admin, 'c-5')
    assert.deepEqual(five.values, {
      name: [english('Old'), german('Alt')],
      weight: everywhere(1),
      sku: everywhere('C-5'),
    })
  })

  it('gives unique values back to who had them', async () => {
    await makeShirt(shop.admin, { sku: everywhere('X') }, { id: 'x-1' })
    await makeShirt(shop.admin, {}, { id: 'x-2' })
    const job = await runJob(shop.admin, {
      selection: byIds('x-1', 'x-2'),
      actions: [
        { replaceText: { attributeAlias: 'sku', find: 'X', replace: 'Y' } },
        { patchValues: { weight: everywhere(1) } },
      ],
    })
    await makeShirt(shop.admin, { sku: everywhere('X') }, { id: 'x-3' })
    const undone = await undoJob(shop.admin, job.id)
    assert.deepEqual(counts(undone), [2, 1, 0, 1])
    const [error] = await errorsOf(shop.admin, undone.id)
    assert.deepEqual([error!.recordId, error!.error], ['x-1', 'CONFLICT'])
    assert.match(error!.message, /sku/)
    assert.deepEqual((await readRecord(shop.admin, 'x-1')).values, { sku: everywhere('Y'), weight: everywhere(1) })
  })

  it('is refused twice, before the end, for a dry run and for an undo', async () => {
    await makeShirt(shop.admin, {}, { id: 'r-1' })
    const body = { selection: byIds('r-1'), actions: [{ setValues: { weight: everywhere(1) } }] }
    const dry = await runJob(shop.admin, { ...body, dryRun: true })
    assertRefused(await undo(dry.id), 'CONFLICT', 'dry run')
    const job = await runJob(shop.admin, body)
    const undone = await undoJob(shop.admin, job.id)
    assertRefused(await undo(job.id), 'CONFLICT', undone.id)
    assertRefused(await undo(undone.id), 'CONFLICT', 'undo')
    assertRefused(await undo('nothing'), 'NOT_FOUND', 'nothing')
  })

  it('needs the permissions of what it writes', async () => {
    await makeShirt(shop.admin, {}, { id: 'p-1' })
    const deleting = await shop.clientWith(['records.delete'])
    const job = await runJob(deleting, { selection: byIds('p-1'), actions: [{ delete: true }] })
    const path = `/api/v1/bulk-jobs/${job.id}/undo`
    assertRefused(await send(deleting, 'POST', path), 'PERMISSION_DENIED', 'records.create')
    assert.equal((await undo(job.id)).status, 202)
  })

  it('tells nothing of old values to somebody who may not write them', async () => {
    const options = (...ids: string[]) => [{ alias: 'kind', dataType: 'select', options: ids.map((id) => ({ id })) }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-kind', name: 'K', attributes: options('old', 'new') })
    const record = { id: 'k-1', schemaId: 'sch-kind', values: { kind: everywhere('old') } }
    await make(shop.admin, '/api/v1/records', record)
    const actions = [{ setValues: { kind: everywhere('new') } }]
    const job = await runJob(shop.admin, { selection: byIds('k-1'), actions })
    const replaced = { name: 'K', attributes: options('new') }
    assert.equal((await send(shop.admin, 'PUT', '/api/v1/schemas/sch-kind', replaced)).status, 200)
    const manager = await shop.clientWith(['users.manage', 'records.read', 'records.update'], {
      attributePermissions: { 'sch-kind': { kind: 'none' } },
    })
    const undone = await undoJob(manager, job.id)
    assert.deepEqual(
      (await errorsOf(manager, undone.id)).map(({ error }) => error),
      ['PERMISSION_DENIED'],
    )
  })
})

it('A job of any actions that nobody disturbs is undone to the byte, and its dry run said what it would do', async () => {
  const scoped = fc.constantFrom<ScopedValueBody[]>(
    [english('a')],
    [german('b'), english('a')],
    [english('a'), german('a b')],
    [],
  )
  const values = fc.record(
    {
      name: scoped,
      slug: scoped,
      weight: fc.constantFrom(everywhere(1), everywhere(2), []),
      sku: fc.constantFrom<ScopedValueBody[]>([], everywhere('S')),
    },
    { requiredKeys: [] },
  )
  const action = fc.oneof(
    values.map((setValues) => ({ setValues })),
    values.map((patchValues) => ({ patchValues })),
    fc.constantFrom(['name'], ['slug', 'weight']).map((attributeAliases) => ({ clearValues: { attributeAliases } })),
    fc.constantFrom('a', ' ').map((find) => ({ replaceText: { attributeAlias: 'name', find, replace: 'xy' } })),
    fc.boolean().map((onlyEmpty) => ({ copyScope: { from: { language: 'de' }, to: { language: 'en' }, onlyEmpty } })),
    fc.constant({ transition: 'tr-submit' }),
    fc.constantFrom([], [{ categoryId: 'ctg-b' }]).map((setCategories) => ({ setCategories })),
  )
  const deletion = fc.constantFrom([], [], [{ delete: true }])
  let round = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(values, { minLength: 3, maxLength: 3 }),
      fc.array(action, { minLength: 1, maxLength: 4 }),
      deletion,
      async (drawn, actions, last) => {
        round += 1
        const ids: string[] = []
        for (const [index, given] of drawn.entries()) {
          const id = `any-${round}-${index}`
          const more = { id, ...(index === 2 ? { parentId: ids[0] } : {}) }
          const { slug: _slug, sku: _sku, ...others } = given
          await makeShirt(shop.admin, { ...others, extra: everywhere(round) }, more)
          ids.push(id)
        }
        const original = await stateOf(ids)
        const body = { selection: byIds(...ids), actions: [...actions, ...last] }
        const dry = await runJob(shop.admin, { ...body, dryRun: true })
        assert.deepEqual(await stateOf(ids), original)
        const job = await runJob(shop.admin, body)
        assert.deepEqual(counts(dry), counts(job))
        assert.deepEqual(await errorsOf(shop.admin, dry.id), await errorsOf(shop.admin, job.id))
        const samples = await send(shop.admin, 'GET', `/api/v1/bulk-jobs/${job.id}/samples?limit=20`)
        assert.deepEqual(dry.sample, samples.body)
        const undone = await undoJob(shop.admin, job.id)
        assert.deepEqual(await errorsOf(shop.admin, undone.id), [])
        assert.deepEqual(counts(undone), [job.changed, job.changed, 0, 0])
        assert.deepEqual(await stateOf(ids), original)
        // What is unique is free for the next round.
        await runJob(shop.admin, { selection: byIds(...ids.toReversed()), actions: [{ delete: true }] })
      },
    ),
    { numRuns: 40 },
  )
})

it('A query selects what is there when the job begins, whatever the job makes of it', async () => {
  for (let n = 0; n < 40; n += 1) await makeShirt(shop.admin, { weight: everywhere(500) }, { id: `w-${n}` })
  const selection = byQuery([{ attributeAlias: 'weight', operator: 'equals', value: '500' }])
  const job = await runJob(shop.admin, { selection, actions: [{ setValues: { weight: everywhere(501) } }] })
  assert.deepEqual(counts(job), [40, 40, 0, 0])
  assert.equal((await postJob(shop.admin, { selection, actions: [{ delete: true }] })).status, 202)
})
