// Jobs that change many records in the background. Contract 3 §2, 3 §10.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { type BulkJobBody, byIds, byQuery, errorsOf, postJob, runJob } from '../../helpers/bulk-jobs.ts'
import {
  complete,
  english,
  everywhere,
  german,
  make,
  makeShirt,
  readAudit,
  readRecord,
  startWorkspace,
  type Workspace,
} from '../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat-web', name: 'Web' })
  for (const id of ['ctg-a', 'ctg-b']) await make(shop.admin, '/api/v1/catalogs/cat-web/categories', { id, name: id })
})
after(() => shop.stop())

const statusOf = async (id: string) => (await send(shop.admin, 'GET', `/api/v1/records/${id}`)).status
const categoriesOf = async (id: string) => {
  const { body } = await send<{ categoryId: string; sortOrder: number }[]>(
    shop.admin,
    'GET',
    `/api/v1/records/${id}/categories`,
  )
  return body.map(({ categoryId, sortOrder }) => `${categoryId} ${sortOrder}`)
}
const counts = ({ selected, changed, unchanged, failed }: BulkJobBody) => [selected, changed, unchanged, failed]

describe('POST /api/v1/bulk-jobs', () => {
  it('answers with the job, queued', async () => {
    await makeShirt(shop.admin, {}, { id: 'first' })
    const body = { name: 'Weigh', selection: byIds('first'), actions: [{ setValues: { weight: everywhere(3) } }] }
    const { status, body: job } = await postJob(shop.admin, body)
    assert.equal(status, 202)
    const { id, createdAt, createdBy, ownerId, ...rest } = job
    assert.equal(ownerId, createdBy)
    assert.match(id, /^bulk-/)
    assert.ok(createdBy !== '' && createdAt !== '')
    const times = { startedAt: null, completedAt: null }
    const standing = { status: 'queued', ...times, pausedReason: null, undoes: null, undoneBy: null }
    const zero = { selected: 0, done: 0, changed: 0, unchanged: 0, failed: 0 }
    assert.deepEqual(rest, { name: 'Weigh', kind: 'bulk', dryRun: false, ...standing, ...zero })
  })

  it('takes an ID of its own, once, and leaves aside what a GET answers besides', async () => {
    const job = await runJob(shop.admin, { id: 'bulk-own', selection: byIds(), actions: [{ delete: true }] })
    assert.equal(job.id, 'bulk-own')
    const again = { ...job, selection: byIds(), actions: [{ delete: true }] }
    assertRefused(await postJob(shop.admin, again), 'CONFLICT', "'bulk-own'")
    const { status, body } = await postJob(shop.admin, { ...again, id: 'bulk-other' })
    assert.deepEqual([status, body.id, body.status, body.startedAt], [202, 'bulk-other', 'queued', null])
  })

  it('does all actions to each record in order, with one audit entry for each kind of change', async () => {
    const values = { name: [english('Shirt'), german('Hemd')], description: everywhere('Cotton shirt') }
    await makeShirt(shop.admin, { ...values, weight: everywhere(1) }, { id: 'all' })
    const job = await runJob(shop.admin, {
      selection: byIds('all'),
      actions: [
        { setValues: { price: everywhere({ amount: 20, currency: 'EUR' }) } },
        { patchValues: { name: [german('Bluse')] }, expect: [{ attributeAlias: 'name', ...german('Hemd') }] },
        { replaceText: { attributeAlias: 'description', find: 'o', replace: '00' } },
        { copyScope: { from: { language: 'de' }, to: { language: 'en' }, attributeAliases: ['name'] } },
        { clearValues: { attributeAliases: ['weight'] } },
        { transition: 'tr-submit' },
        { transition: 'tr-publish' },
        { setCategories: [{ categoryId: 'ctg-a', sortOrder: 4 }] },
        { addCategories: [{ categoryId: 'ctg-b' }] },
        { removeCategories: ['ctg-a'] },
      ],
    })
    assert.deepEqual([job.status, ...counts(job)], ['succeeded', 1, 1, 0, 0])
    const record = await readRecord(shop.admin, 'all')
    assert.deepEqual(record.values, {
      name: [english('Bluse'), german('Bluse')],
      description: everywhere('C00tt00n shirt'),
      price: everywhere({ amount: 20, currency: 'EUR' }),
    })
    assert.equal(record.lifecycleStateId, 'state-published')
    assert.deepEqual(await categoriesOf('all'), ['ctg-b 0'])
    const trail = (await readAudit(shop.admin, 'all')).slice(0, -1).toReversed()
    assert.deepEqual(
      trail.map(({ action, origin }) => [action, origin]),
      ['update', 'transition', 'update'].map((action) => [action, { kind: 'bulk', id: job.id }]),
    )
    assert.deepEqual(
      [trail[1]!.changes[0]!.oldValue, trail[1]!.changes[0]!.newValue],
      ['state-draft', 'state-published'],
    )
  })

  it('judges each record alone: of one that fails nothing is changed, and the errors say why', async () => {
    for (const [id, weight] of Object.entries({ light: 1, same: 5, heavy: 9 }))
      await makeShirt(shop.admin, { weight: everywhere(weight), name: [english(id)] }, { id })
    const job = await runJob(shop.admin, {
      selection: byIds('light', 'same', 'heavy', 'nobody', 'light'),
      actions: [
        { addCategories: [{ categoryId: 'ctg-a' }] },
        { setValues: { weight: everywhere(5) } },
        { removeCategories: ['ctg-a'] },
        { patchValues: { toString: everywhere('x') }, expect: [{ attributeAlias: 'name', ...english('light') }] },
      ],
    })
    assert.deepEqual(counts(job), [4, 1, 0, 3])
    const errors = await errorsOf(shop.admin, job.id)
    assert.deepEqual(
      errors.map(({ recordId, error }) => [recordId, error]),
      [
        ['same', 'PRECONDITION_FAILED'],
        ['heavy', 'PRECONDITION_FAILED'],
        ['nobody', 'NOT_FOUND'],
      ],
    )
    assert.deepEqual((await readRecord(shop.admin, 'heavy')).values['weight'], everywhere(9))
    assert.equal((await readAudit(shop.admin, 'heavy')).length, 1)
    const again = { selection: byIds('light', 'same'), actions: [{ setValues: { weight: everywhere(5) } }] }
    assert.deepEqual(counts(await runJob(shop.admin, again)), [2, 0, 2, 0])
    assert.equal((await readAudit(shop.admin, 'light')).length, 2)
  })

  it('selects by a query, and leaves exceptions alone', async () => {
    for (let n = 0; n < 30; n += 1)
      await makeShirt(shop.admin, { weight: everywhere(1000 + n), sku: everywhere(`Q-${n}`) }, { id: `q-${n}` })
    const heavy = [{ attributeAlias: 'weight', operator: 'gt', value: '999' }]
    const job = await runJob(shop.admin, {
      selection: { ...byQuery(heavy, { schemaId: 'sch-shirt' }), except: ['q-3', 'q-4', 'nobody'] },
      actions: [{ patchValues: { color: everywhere('red') } }],
    })
    assert.deepEqual(counts(job), [28, 28, 0, 0])
    assert.equal((await readRecord(shop.admin, 'q-3')).values['color'], undefined)
    assert.deepEqual((await readRecord(shop.admin, 'q-29')).values['color'], everywhere('red'))
    const none = await runJob(shop.admin, {
      selection: byQuery([{ attributeAlias: 'weight', operator: 'gt', value: '9999' }]),
      actions: [{ delete: true }],
    })
    assert.deepEqual([none.status, none.selected], ['succeeded', 0])
  })

  it('takes any body of a search without order and paging, with the state that completeness is scored for', async () => {
    await makeShirt(shop.admin, {}, { id: 'bare' })
    const criteria = [
      { field: 'id', operator: 'equals', value: 'bare' },
      { field: 'completeness', operator: 'lt', value: 100 },
    ]
    const select = async (more: object) =>
      (await runJob(shop.admin, { selection: byQuery(criteria, more), actions: [{ delete: true }], dryRun: true }))
        .selected
    assert.equal(await select({}), 0, 'in its own state nothing is required')
    assert.equal(await select({ stateId: 'state-published', select: [], include: ['version'], resolve: {} }), 1)
    const unknown = { selection: byQuery(criteria, { stateId: 'state-x' }), actions: [{ delete: true }] }
    assertRefused(await postJob(shop.admin, unknown), 'VALIDATION_ERROR', "'state-x'")
  })

  it('deletes records with their variants, which count as changed where they were selected, too', async () => {
    await makeShirt(shop.admin, { weight: everywhere(77) }, { id: 'parent' })
    for (const id of ['v-1', 'v-2']) await makeShirt(shop.admin, {}, { id, parentId: 'parent' })
    const selection = byQuery([{ attributeAlias: 'weight', operator: 'equals', value: '77' }])
    const dry = await runJob(shop.admin, { selection, actions: [{ delete: true }], dryRun: true })
    assert.deepEqual(counts(dry), [3, 3, 0, 0])
    assert.equal(await statusOf('v-1'), 200)
    const job = await runJob(shop.admin, { selection, actions: [{ delete: true }] })
    assert.deepEqual(counts(job), [3, 3, 0, 0])
    assert.equal(await statusOf('v-2'), 404)
  })

  it('says what a dry run would do, and does nothing', async () => {
    await makeShirt(shop.admin, { name: [german('Hemd')], sku: everywhere('DRY-1') }, { id: 'dry-1' })
    await makeShirt(shop.admin, { sku: everywhere('DRY-2') }, { id: 'dry-2' })
    const body = { selection: byIds('dry-1', 'dry-2'), actions: [{ setValues: { sku: everywhere('DRY-2') } }] }
    const dry = await runJob(shop.admin, { ...body, dryRun: true })
    assert.deepEqual(counts(dry), [2, 0, 1, 1])
    const swap = { ...body, actions: [{ setValues: { sku: everywhere('DRY-3') } }] }
    const second = await runJob(shop.admin, { ...swap, dryRun: true })
    assert.deepEqual(counts(second), [2, 1, 0, 1])
    const change = { attributeAlias: 'sku', scope: {}, oldValue: 'DRY-1', newValue: 'DRY-3' }
    assert.deepEqual(second.sample, [{ recordId: 'dry-1', changes: [change] }])
    assert.deepEqual((await errorsOf(shop.admin, second.id))[0]!.error, 'CONFLICT')
    assert.deepEqual((await readRecord(shop.admin, 'dry-1')).values['sku'], everywhere('DRY-1'))
    assert.equal((await readAudit(shop.admin, 'dry-1')).length, 1)
    assert.deepEqual(counts(await runJob(shop.admin, swap)), [2, 1, 0, 1])
  })

  it('refuses a body of the wrong form, naming what may have been meant', async () => {
    const selection = byIds('x')
    const wrong: [object, ...string[]][] = [
      [{ selection, actions: [{ setValue: {} }] }, 'actions[0]', "'setValue'", "'setValues'"],
      [{ selection, actions: [{ setValues: {}, delete: true }] }, 'actions[0]', 'several'],
      [{ selection, actions: [{}] }, 'actions[0]', 'setValues'],
      [{ selection, actions: ['delete'] }, 'actions[0]'],
      [{ selection, actions: [] }, 'actions'],
      [{ selection, actions: [{ delete: true }, { transition: 'tr-submit' }] }, 'actions'],
      [{ selection, actions: [{ delete: false }] }, 'actions[0].delete'],
      [
        { selection, actions: [{ clearValues: { attributeAlias: ['x'] } }] },
        'actions[0].clearValues.attributeAlias',
        "'attributeAliases'",
      ],
      [{ selection, actions: [{ replaceText: { attributeAlias: 'name', find: '', replace: '' } }] }, 'find'],
      [{ selection, actions: [{ setCategories: [{ categoryId: 'ctg-a', sort: 1 }] }] }, 'setCategories[0].sort'],
      [{ selection, actions: Array.from({ length: 21 }, () => ({ delete: true })) }, 'actions', 'at most 20'],
      [{ selection: {}, actions: [{ delete: true }] }, 'selection.query'],
      [{ selection: { idss: [] }, actions: [{ delete: true }] }, 'selection.idss'],
      [{ selection: { ids: [], except: [] }, actions: [{ delete: true }] }, 'selection.except'],
      [{ selection: byQuery([], { limit: 5 }), actions: [{ delete: true }] }, 'selection.query.limit'],
      [{ selection: byQuery([], { sort: [] }), actions: [{ delete: true }] }, 'selection.query.sort'],
      [{ selection: byIds(...Array.from({ length: 10_001 }, String)), actions: [{ delete: true }] }, 'at most 10000'],
      [
        { selection: byQuery([{ attributeAlias: 'nam', operator: 'isEmpty' }]), actions: [{ delete: true }] },
        "selection.query.criteria[0].attributeAlias names the unknown attribute 'nam'",
      ],
      [
        {
          selection: byQuery([], { text: Array.from({ length: 51 }, (_, word) => word).join(' '), textMode: 'words' }),
          actions: [{ delete: true }],
        },
        'selection.query.text',
      ],
      [{ selection, actions: [{ delete: true }], dryrun: true }, "'dryrun'", "'dryRun'"],
    ]
    for (const [body, ...named] of wrong) assertRefused(await postJob(shop.admin, body), 'VALIDATION_ERROR', ...named)
  })

  it('needs the permissions of its actions when it is posted', async () => {
    const actions: [object, string | undefined][] = [
      [{ setValues: {} }, 'records.update'],
      [{ patchValues: {} }, 'records.update'],
      [{ clearValues: { attributeAliases: [] } }, 'records.update'],
      [{ replaceText: { attributeAlias: 'name', find: 'a', replace: 'b' } }, 'records.update'],
      [{ copyScope: { from: {}, to: { language: 'de' } } }, 'records.update'],
      [{ setCategories: [] }, 'categories.write'],
      [{ addCategories: [] }, 'categories.write'],
      [{ removeCategories: [] }, 'categories.write'],
      [{ delete: true }, 'records.delete'],
      [{ transition: 'tr-submit' }, undefined],
    ]
    for (const [action, permission] of actions) {
      const answer = await postJob(shop.stranger, { selection: byIds('x'), actions: [action] })
      if (permission === undefined) assert.equal(answer.status, 202)
      else assertRefused(answer, 'PERMISSION_DENIED', permission)
    }
    const updater = await shop.clientWith(['records.update'])
    const actionsOfUpdater = [{ setValues: { weight: everywhere(1) } }]
    assertRefused(
      await postJob(updater, { selection: byQuery(), actions: actionsOfUpdater }),
      'PERMISSION_DENIED',
      'records.read',
    )
    assert.equal((await postJob(updater, { selection: byIds('x'), actions: actionsOfUpdater })).status, 202)
  })
})

it('what a complete record needs is judged with what the job has set before', async () => {
  await makeShirt(shop.admin, {}, { id: 'gated' })
  const submit = { transition: 'tr-submit' }
  const publish = { transition: 'tr-publish' }
  const early = await runJob(shop.admin, {
    selection: byIds('gated'),
    actions: [submit, publish, { setValues: complete }],
  })
  assert.deepEqual(counts(early), [1, 0, 0, 1])
  assert.equal((await errorsOf(shop.admin, early.id))[0]!.error, 'TRANSITION_ERROR')
  const late = await runJob(shop.admin, {
    selection: byIds('gated'),
    actions: [submit, { setValues: complete }, publish],
  })
  assert.deepEqual(counts(late), [1, 1, 0, 0])
})
