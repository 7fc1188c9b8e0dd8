// Drafts of bulk actions, and their rehearsals.
import assert from 'node:assert/strict'
import * as v from 'valibot'
import { describe, it } from 'node:test'
import { BulkActionInput } from '../../../src/bulk/rules/bulk-actions.ts'
import type { Attribute } from '../../../src/core/model/rules/attributes.ts'
import type { Call } from '../../../console/api/call.ts'
import { type ActionDraft, jobBody, newDraft, readAction, transitionsFor } from '../../../console/bulk/action-drafts.ts'
import { pageByOffset } from '../../../console/bulk/pages.ts'
import { Rehearsals } from '../../../console/bulk/rehearsals.ts'
import { readPages } from '../../../console/state/paged-query.ts'

const attribute = (alias: string, dataType: string, dimensionIds: readonly string[]) =>
  ({ alias, dataType, name: alias, dimensionIds, options: [], validation: {} }) as unknown as Attribute
const ATTRIBUTES = [
  attribute('stock', 'number', []),
  attribute('name', 'text', ['language']),
  attribute('list', 'references', ['language']),
]
const RECORDS = ['r-1', 'r-2'].map((id) => ({ id, name: id }))
const HOST = {
  attribute: (alias: string) => ATTRIBUTES.find((one) => one.alias === alias),
  locale: { tag: 'de', yes: 'ja', no: 'nein', nameOf: ({ name }: { readonly name: string }) => name },
}
const BAR = { language: 'de', market: 'eu' }
const draft = (changes: Partial<ActionDraft>) => ({ ...newDraft(0, 'edit', BAR), ...changes })
const read = (changes: Partial<ActionDraft>) => readAction(draft(changes), HOST)

describe('Actions of a bulk edit', () => {
  it('write in the scope of the bar, cut to the dimensions of the attribute', () => {
    const expected: readonly (readonly [Partial<ActionDraft>, object])[] = [
      [{ alias: 'stock', text: '1,5' }, { patchValues: { stock: [{ scope: {}, value: 1.5 }] } }],
      [{ alias: 'name', text: 'Tee' }, { patchValues: { name: [{ scope: { language: 'de' }, value: 'Tee' }] } }],
      [{ kind: 'clear', alias: 'name' }, { clearValues: { attributeAliases: ['name'], scope: { language: 'de' } } }],
      [{ kind: 'clear', alias: 'name', isEverywhere: true }, { clearValues: { attributeAliases: ['name'] } }],
      [
        { kind: 'replace', alias: 'name', find: 'Tee', text: '' },
        { replaceText: { attributeAlias: 'name', scope: { language: 'de' }, find: 'Tee', replace: '' } },
      ],
      [
        { kind: 'copy', from: { language: 'en' }, scope: { language: 'de' } },
        { copyScope: { from: { language: 'en' }, to: { language: 'de' }, onlyEmpty: true } },
      ],
      [
        { kind: 'copy', alias: 'name', from: { language: 'en', market: 'us' }, onlyEmpty: false },
        {
          copyScope: { from: { language: 'en' }, to: { language: 'de' }, onlyEmpty: false, attributeAliases: ['name'] },
        },
      ],
      [
        { kind: 'addReferences', alias: 'list', records: RECORDS, isEverywhere: true },
        { addReferences: { attributeAlias: 'list', scope: { language: 'de' }, ids: ['r-1', 'r-2'] } },
      ],
      [
        { kind: 'addReferences', alias: 'list', records: RECORDS, isFirst: true },
        { addReferences: { attributeAlias: 'list', scope: { language: 'de' }, ids: ['r-1', 'r-2'], at: 0 } },
      ],
      [
        { kind: 'removeReferences', alias: 'list', records: RECORDS, isFirst: true },
        { removeReferences: { attributeAlias: 'list', scope: { language: 'de' }, ids: ['r-1', 'r-2'] } },
      ],
      [
        { kind: 'removeReferences', alias: 'list', records: RECORDS, isEverywhere: true },
        { removeReferences: { attributeAlias: 'list', ids: ['r-1', 'r-2'] } },
      ],
      [{ kind: 'move', transitionId: 'tr-1' }, { transition: 'tr-1' }],
      [{ kind: 'categories', categories: [{ id: 'c', name: 'C' }] }, { addCategories: [{ categoryId: 'c' }] }],
      [{ kind: 'categories', way: 'remove', categories: [{ id: 'c', name: 'C' }] }, { removeCategories: ['c'] }],
      [{ kind: 'categories', way: 'set' }, { setCategories: [] }],
      [{ kind: 'delete' }, { delete: true }],
    ]
    for (const [changes, action] of expected) {
      assert.deepEqual(read(changes), { action })
      assert.equal(v.safeParse(BulkActionInput, action).success, true, JSON.stringify(action))
    }
  })

  it('are none while something is missing or wrong', () => {
    const unfinished: readonly Partial<ActionDraft>[] = [
      { kind: 'addReferences', alias: 'list' },
      { kind: 'removeReferences', records: RECORDS },
      {},
      { alias: 'stock' },
      { alias: 'gone', text: '1' },
      { kind: 'move' },
      { kind: 'replace', alias: 'name' },
      { kind: 'categories' },
      { kind: 'copy', scope: {} },
      { kind: 'copy', alias: 'stock', from: { language: 'en' } },
    ]
    for (const changes of unfinished) assert.deepEqual(read(changes), { problem: '' }, JSON.stringify(changes))
    assert.notEqual(read({ alias: 'stock', text: 'many' }).problem, '')
  })

  it('of transitions there are those of the role, in the order of their states', () => {
    const transition = (id: string, fromStateId: string, toStateId: string, ...allowedRoleIds: string[]) => ({
      id,
      fromStateId,
      toStateId,
      allowedRoleIds,
      name: id,
      requiresCompleteness: false,
    })
    const workflow = {
      id: 'w',
      name: 'W',
      initialStateId: 'a',
      states: ['a', 'b'].map((id) => ({ id, name: id })),
      transitions: [transition('back', 'b', 'a', 'r'), transition('on', 'a', 'b', 'r'), transition('no', 'a', 'b')],
    }
    const naming = {
      nameOf: (one: { name: string }) => one.name,
      stateName: (_: string, id: string) => id.toUpperCase(),
    }
    assert.deepEqual(
      transitionsFor('r', workflow, naming).map(({ name }) => name),
      ['on (A → B)', 'back (B → A)'],
    )
  })
})

describe('Rehearsals', () => {
  const job = { id: 'job-1', status: 'running', selected: 2, done: 0, changed: 1, unchanged: 1, failed: 0 }
  const asked: string[] = []
  const call = (async (name: string, { body }: { body?: { dryRun?: boolean } } = {}) => {
    asked.push(`${name}${body?.dryRun === true ? ' dry' : ''}`)
    if (name.endsWith('/samples') || name.endsWith('/errors')) return { body: [] }
    return { body: name.startsWith('POST') ? job : { ...job, status: 'succeeded', done: 2 } }
  }) as unknown as Call

  it('B1 let just what was rehearsed run', async () => {
    const rehearsals = new Rehearsals(call)
    const body = jobBody({ ids: ['a', 'b'] }, [{ transition: 'on' }])
    await assert.rejects(rehearsals.run(body), /not rehearsed/)
    await rehearsals.rehearse(body)
    assert.equal(rehearsals.holdsFor(jobBody({ ids: ['a', 'b'] }, [{ transition: 'on' }])), true)
    for (const other of [
      jobBody({ ids: ['a'] }, [{ transition: 'on' }]),
      jobBody({ ids: ['a', 'b'] }, [{ transition: 'back' }]),
      jobBody({ ids: ['a', 'b'] }, [{ transition: 'on' }, { delete: true }]),
      undefined,
    ])
      assert.equal(rehearsals.holdsFor(other), false)
    asked.length = 0
    await rehearsals.run(body)
    assert.deepEqual(asked, ['POST /api/v1/bulk-jobs'])
    rehearsals.stop()
    assert.equal(rehearsals.holdsFor(body), false)
  })
})

describe('Pages', () => {
  it('follow each other to the end, also where one ends before its limit', async () => {
    const all = Array.from({ length: 25 }, (_, index) => index)
    const read = async (offset: number, limit: number) => all.slice(offset, offset + Math.min(limit, 7))
    const load = (after: string | undefined) => pageByOffset(after, 10, all.length, read)
    const page = await readPages(load, 100)
    assert.deepEqual(page, { items: all, total: 25, next: undefined })
    assert.equal((await readPages(load, 8)).items.length, 14)
    assert.equal((await pageByOffset(undefined, 10, 5, async () => [])).next, undefined)
  })
})
