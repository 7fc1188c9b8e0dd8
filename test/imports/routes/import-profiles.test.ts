// Import profiles: what may be said in one, and what comes of a file by it. Contract 3 §4.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ImportProfile } from '../../../src/imports/rules/import-profile.ts'
import { XLSX_TYPE } from '../../../src/imports/rules/media-types.ts'
import { assertRefused, send } from '../../helpers/answers.ts'
import { type BulkJobBody, untilEnded } from '../../helpers/bulk-jobs.ts'
import { counts, CSV, failures, importFile, lines, sendImport } from '../../helpers/importing.ts'
import { everywhere, make, readAudit, readRecord, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { xlsxFile } from '../../helpers/xlsx-file.ts'

const PATH = '/api/v1/import-profiles'
let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-item',
    name: 'Items',
    attributes: [
      { alias: 'sku', dataType: 'text', unique: true },
      { alias: 'name', dataType: 'text', dimensionIds: ['language'] },
      { alias: 'price', dataType: 'price', dimensionIds: ['market'] },
      { alias: 'weight', dataType: 'measurement', units: ['kg'] },
      { alias: 'day', dataType: 'date' },
      { alias: 'count', dataType: 'number' },
      {
        alias: 'colours',
        dataType: 'multiSelect',
        options: [
          { id: 'red', name: 'Rot', names: { en: 'Red' } },
          { id: 'blue', name: 'Blau' },
        ],
      },
      { alias: 'friend', dataType: 'reference' },
    ],
  })
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat-web', name: 'Web' })
  await make(shop.admin, '/api/v1/catalogs/cat-web/categories', { id: 'ctg-men', name: 'Men' })
  await make(shop.admin, '/api/v1/catalogs/cat-web/categories', {
    id: 'ctg-shirts',
    name: 'Shirts',
    parentId: 'ctg-men',
  })
})
after(() => shop.stop())

const valuesOf = async (id: string) => (await readRecord(shop.admin, id)).values
const profile = (more: object) => ({
  name: 'P',
  schemaId: 'sch-item',
  columns: [{ header: 'Nr', to: { attributeAlias: 'sku' } }],
  ...more,
})
const create = async (more: object): Promise<ImportProfile> => {
  const answer = await send<ImportProfile>(shop.admin, 'POST', PATH, profile(more))
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const findBySku = async (sku: string) => {
  const search = {
    criteria: [{ attributeAlias: 'sku', operator: 'equals', value: sku }],
    criteriaOperator: 'and',
    schemaId: 'sch-item',
  }
  return (await send<{ id: string }[]>(shop.admin, 'POST', '/api/v1/search', search)).body.map(({ id }) => id)
}

describe('An import profile', () => {
  it('is made, read, listed, replaced and deleted', async () => {
    // POST /api/v1/import-profiles, GET /api/v1/import-profiles
    const made = await create({ id: 'ipr-a', mode: 'update', matchBy: 'sku' })
    assert.deepEqual(made, { ...profile({}), id: 'ipr-a', mode: 'update', matchBy: 'sku', emptyCells: 'keep' })
    assertRefused(await send(shop.admin, 'POST', PATH, profile({ id: 'ipr-a' })), 'CONFLICT', 'ipr-a')
    // GET /api/v1/import-profiles/:id, PUT /api/v1/import-profiles/:id, DELETE /api/v1/import-profiles/:id
    assert.deepEqual((await send(shop.admin, 'GET', `${PATH}/ipr-a`)).body, made)
    const replaced = await send<ImportProfile>(shop.admin, 'PUT', `${PATH}/ipr-a`, {
      ...made,
      name: 'Q',
      matchBy: null,
    })
    assert.deepEqual(replaced.body, { ...made, name: 'Q', matchBy: null })
    assert.deepEqual((await send<ImportProfile[]>(shop.admin, 'GET', PATH)).body, [replaced.body])
    assert.equal((await send(shop.admin, 'DELETE', `${PATH}/ipr-a`)).status, 204)
    assertRefused(await send(shop.admin, 'GET', `${PATH}/ipr-a`), 'NOT_FOUND', 'ipr-a')
  })

  it('keeps its schema from being deleted', async () => {
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-short', name: 'S', attributes: [] })
    await create({ id: 'ipr-short', schemaId: 'sch-short', columns: [{ header: 'id', to: { field: 'id' } }] })
    assertRefused(await send(shop.admin, 'DELETE', '/api/v1/schemas/sch-short'), 'CONFLICT', 'sch-short', 'ipr-short')
    assert.equal((await send(shop.admin, 'DELETE', `${PATH}/ipr-short`)).status, 204)
    assert.equal((await send(shop.admin, 'DELETE', '/api/v1/schemas/sch-short')).status, 204)
  })

  it('that does not fit the model, or says what nobody knows, is refused naming it', async () => {
    const refuse = async (more: object, ...named: string[]) =>
      assertRefused(await send(shop.admin, 'POST', PATH, profile(more)), 'VALIDATION_ERROR', ...named)
    const column = (to: object, more = {}) => ({ columns: [{ header: 'A', to, ...more }] })
    await refuse({ schemaId: 'sch-none' }, 'schemaId', 'sch-none')
    await refuse({ matchBy: 'count' }, 'matchBy', 'not unique')
    await refuse({ mode: 'merge' }, 'mode')
    await refuse({ emptyCell: 'keep' }, 'emptyCell', "did you mean 'emptyCells'")
    await refuse({ columns: [] }, 'columns')
    await refuse(
      { columns: Array.from({ length: 501 }, () => ({ header: 'A', to: { field: 'ignore' } })) },
      'columns',
      '500',
    )
    await refuse(column({ field: 'state' }), 'columns[0].to.field')
    await refuse(column({ attributeAlias: 'size' }), 'columns[0].to.attributeAlias', 'size')
    await refuse(column({ attributeAlias: 'name', scope: { market: 'eu' } }), 'columns[0].to.scope', 'market')
    await refuse(column({ attributeAlias: 'name', part: 'unit' }), 'columns[0].to.part')
    await refuse(column({ attributeAlias: 'price', part: 'unit' }), 'columns[0].to.part')
    await refuse(
      {
        columns: [
          { header: 'A', to: { field: 'id' } },
          { header: 'B', to: { field: 'id' } },
        ],
      },
      'columns[1].to',
    )
    await refuse(column({ attributeAlias: 'sku' }, { with: ['upper'] }), 'columns[0].with[0]')
    await refuse(column({ attributeAlias: 'sku' }, { with: [{ date: 'yesterday' }] }), 'columns[0].with[0].date')
    await refuse(
      column({ attributeAlias: 'sku' }, { with: [{ date: 'd.M.yyyy d' }] }),
      'columns[0].with[0].date',
      'once',
    )
    await refuse(column({ attributeAlias: 'sku' }, { with: [{ map: { a: 1 } }] }), 'columns[0].with[0].map')
    await refuse(column({ attributeAlias: 'sku' }, { with: Array(11).fill('trim') }), 'columns[0].with', '10')
    const paths = { createCategories: true, catalogId: 'cat-none' }
    await refuse(column({ field: 'categories' }, paths), 'columns[0].catalogId', 'cat-none')
  })

  it('explains the columns of a file, whose cells go through its steps first', async () => {
    await create({
      id: 'ipr-steps',
      columns: [
        { header: 'Nr', to: { attributeAlias: 'sku' }, with: ['trim'] },
        { header: 'Bezeichnung', to: { attributeAlias: 'name', scope: { language: 'de' } } },
        { header: 'VK', to: { attributeAlias: 'price', scope: { market: 'eu' } }, with: ['decimalComma'] },
        {
          header: 'Währung',
          to: { attributeAlias: 'price', scope: { market: 'eu' }, part: 'currency' },
          with: [{ default: 'EUR' }],
        },
        { header: 'Gewicht', to: { attributeAlias: 'weight', part: 'amount' } },
        { header: 'Datum', to: { attributeAlias: 'day' }, with: [{ date: 'd.M.yyyy' }] },
        {
          header: 'Farben',
          to: { attributeAlias: 'colours' },
          with: [{ split: ',' }, { map: { marine: 'Blau' } }, 'optionName'],
        },
        { header: 'Gruppe', to: { field: 'categories' } },
        { header: 'Intern', to: { field: 'ignore' } },
      ],
    })
    const header = 'Nr;Bezeichnung;VK;Währung;Gewicht;Datum;Farben;Gruppe;Intern;Mehr'
    const rows = [
      ' s-1 ;Hemd;1.299,90;;1,5;3.2.2026;"red, marine";Men/Shirts;x;y',
      's-2;Rock;5;USD;;;;ctg-men|Men/Shirts;;',
    ]
    const result = await importFile(shop.admin, [header, ...rows, ''].join('\n'), 'profile=ipr-steps', CSV)
    assert.deepEqual(counts(result), [2, 0, 0, 0], JSON.stringify(result.errors))
    const [one] = await findBySku('s-1')
    assert.deepEqual(await valuesOf(one!), {
      sku: everywhere('s-1'),
      name: [{ scope: { language: 'de' }, value: 'Hemd' }],
      price: [{ scope: { market: 'eu' }, value: { amount: 1299.9, currency: 'EUR' } }],
      weight: everywhere({ amount: 1.5, unit: 'kg' }),
      day: everywhere('2026-02-03'),
      colours: everywhere(['red', 'blue']),
    })
    const [other] = await findBySku('s-2')
    assert.deepEqual(Object.keys(await valuesOf(other!)), ['sku', 'name', 'price'])
    const placed = await send<{ categoryId: string }[]>(shop.admin, 'GET', `/api/v1/records/${other}/categories`)
    assert.deepEqual(
      placed.body.map(({ categoryId }) => categoryId),
      ['ctg-men', 'ctg-shirts'],
    )
    assert.deepEqual(
      (await readAudit(shop.admin, one!)).map(({ origin }) => origin.kind),
      ['import', 'import'],
    )
  })

  it('follows an attribute that gets another alias', async () => {
    await make(shop.admin, '/api/v1/schemas', {
      id: 'sch-old',
      name: 'Old',
      attributes: [{ alias: 'code', dataType: 'text', unique: true }],
    })
    const columns = [{ header: 'Code', to: { attributeAlias: 'code' } }]
    await create({ id: 'ipr-renamed', schemaId: 'sch-old', matchBy: 'code', columns })
    const renaming = { from: 'code', to: 'number' }
    const job = await send<BulkJobBody>(shop.admin, 'POST', '/api/v1/schemas/sch-old/rename-attribute', renaming)
    await untilEnded(shop.admin, job.body.id)
    const { matchBy, columns: after } = (await send<ImportProfile>(shop.admin, 'GET', `${PATH}/ipr-renamed`)).body
    assert.deepEqual([matchBy, after], ['number', [{ header: 'Code', to: { attributeAlias: 'number' } }]])
  })

  it('reads amounts with their units by a comma, days of moments, and what empty cells are mapped to', async () => {
    await make(shop.admin, '/api/v1/schemas', {
      id: 'sch-steps',
      name: 'Steps',
      attributes: [
        { alias: 'weight', dataType: 'measurement' },
        { alias: 'moment', dataType: 'dateTime' },
        { alias: 'day', dataType: 'date' },
        { alias: 'note', dataType: 'text' },
      ],
    })
    const column = (alias: string, step: unknown) => ({ header: alias, to: { attributeAlias: alias }, with: [step] })
    await create({
      id: 'ipr-read',
      schemaId: 'sch-steps',
      columns: [
        { header: 'id', to: { field: 'id' } },
        column('weight', 'decimalComma'),
        column('moment', { date: 'dd.MM.yyyy' }),
        column('day', { date: 'dd.MM.yyyy HH:mm' }),
        column('note', { map: { '': 'none' } }),
      ],
    })
    const rows = ['id\tweight\tmoment\tday\tnote', 'st-1\t1.250,5 kg\t31.12.2025\t31.12.2025 13:45\t', '']
    for (const decimal of ['.', ',']) {
      const query = `profile=ipr-read&mode=upsert&decimal=${decimal}`
      assert.equal((await importFile(shop.admin, rows.join('\n'), query, CSV)).failed, 0)
      assert.deepEqual(await valuesOf('st-1'), {
        weight: everywhere({ amount: 1250.5, unit: 'kg' }),
        moment: everywhere('2025-12-31T00:00:00.000Z'),
        day: everywhere('2025-12-31'),
        note: everywhere('none'),
      })
    }
  })

  it('takes days as moments and moments as days, also without a step, in a csv and in a spreadsheet', async () => {
    const column = (alias: string) => ({ header: alias, to: { attributeAlias: alias } })
    const columns = [{ header: 'id', to: { field: 'id' } }, column('moment'), column('day')]
    await create({ id: 'ipr-days', schemaId: 'sch-steps', columns })
    const csv = 'id;moment;day\nst-2;2025-12-31;2025-12-31T13:45:00Z\n'
    const sheet = xlsxFile([
      ['id', 'moment', 'day'],
      ['st-3', { days: 46_022 }, { days: 46_022.573 }],
    ])
    for (const [id, file, type] of [
      ['st-2', csv, CSV],
      ['st-3', sheet, XLSX_TYPE],
    ] as const) {
      assert.equal((await importFile(shop.admin, file, 'profile=ipr-days', type)).failed, 0)
      const { moment, day } = await valuesOf(id)
      assert.deepEqual([moment, day], [everywhere('2025-12-31T00:00:00.000Z'), everywhere('2025-12-31')])
    }
  })

  it('leaves a date that is not in the calendar as the file has it', async () => {
    const columns = [{ header: 'day', to: { attributeAlias: 'day' }, with: [{ date: 'dd.MM.yyyy' }] }]
    await create({ id: 'ipr-calendar', schemaId: 'sch-steps', columns })
    const result = await importFile(shop.admin, 'day\n29.02.2025\n', 'profile=ipr-calendar', CSV)
    assert.match(result.errors[0]!.message, /must be a date of the form YYYY-MM-DD: the cell has '29\.02\.2025'/)
  })

  it('of a spreadsheet takes its numbers and dates as they are', async () => {
    await create({
      id: 'ipr-sheet',
      columns: [
        { header: 'Nr', to: { attributeAlias: 'sku' }, with: [{ map: { '7': 'seven' } }] },
        { header: 'Zahl', to: { attributeAlias: 'count' }, with: ['decimalComma'] },
        { header: 'Tag', to: { attributeAlias: 'day' }, with: [{ date: 'dd.MM.yyyy' }] },
        { header: 'Gewicht', to: { attributeAlias: 'weight' } },
      ],
    })
    const rows = [
      ['Nr', 'Zahl', 'Tag', 'Gewicht'],
      [7, 1.5, { days: 46_053 }, '2.5 kg'],
      ['eight', '1,5', '31.01.2026', 3],
    ]
    const result = await importFile(shop.admin, xlsxFile(rows), 'profile=ipr-sheet', XLSX_TYPE)
    assert.deepEqual(counts(result), [2, 0, 0, 0], JSON.stringify(result.errors))
    for (const [sku, amount] of [
      ['seven', 2.5],
      ['eight', 3],
    ] as const) {
      const { count, day, weight } = await valuesOf((await findBySku(sku))[0]!)
      assert.deepEqual([count, day], [everywhere(1.5), everywhere('2026-01-31')])
      assert.deepEqual(weight, everywhere({ amount, unit: 'kg' }))
    }
  })

  it('finds records by a unique value, and parents by theirs, also those that later rows bring', async () => {
    await create({
      id: 'ipr-match',
      mode: 'upsert',
      matchBy: 'sku',
      columns: [
        { header: 'sku', to: { attributeAlias: 'sku' } },
        { header: 'parent', to: { field: 'parentId' } },
        { header: 'count', to: { attributeAlias: 'count' } },
      ],
    })
    const rows = ['sku,parent,count', 'm-1,m-2,1', 'm-2,,2', ',,3', 'm-4,m-none,4']
    const take = (more = '') => importFile(shop.admin, [...rows, ''].join('\n'), `profile=ipr-match${more}`, CSV)
    const dry = await take('&dryRun=true')
    assert.deepEqual(counts(dry), [2, 0, 0, 2])
    assert.deepEqual(
      dry.sample!.map(({ line }) => line),
      [2, 3],
    )
    const result = await take()
    assert.deepEqual(counts(result), [2, 0, 0, 2])
    assert.deepEqual(failures(result), ['4 null VALIDATION_ERROR', '5 null VALIDATION_ERROR'])
    const [[variant], [parent]] = [await findBySku('m-1'), await findBySku('m-2')]
    assert.equal((await readRecord(shop.admin, variant!)).parentId, parent)
    rows[1] = 'm-1,m-2,11'
    assert.deepEqual(counts(await take()), [0, 1, 1, 2])
    rows.splice(3, 2, 'm-5,,5')
    const updated = await take('&mode=update')
    assert.deepEqual(counts(updated), [0, 0, 2, 1])
    assert.deepEqual(failures(updated), ['4 null NOT_FOUND'])
    assert.match(updated.errors[0]!.message, /Record with the sku 'm-5' does not exist/)
    const unknown = await sendImport(shop.admin, 'sku\n1\n', { query: 'profile=ipr-none', type: CSV })
    assertRefused(unknown, 'VALIDATION_ERROR', 'query.profile', 'ipr-none')
  })

  it('says what empty cells do, and the result how many values went', async () => {
    const header = 'id,sku,name[language=de],count'
    const take = (row: string, query = '') =>
      importFile(shop.admin, `${header}\n${row}\n`, `schemaId=sch-item&mode=upsert&${query}`, CSV)
    assert.equal((await take('c-1,c-1,Hemd,1')).cleared, 0)
    const kept = await take('c-1,c-1,,', 'emptyCells=keep')
    assert.deepEqual([counts(kept), kept.cleared], [[0, 0, 1, 0], 0])
    const dry = await take('c-1,c-1,,', 'dryRun=true')
    assert.deepEqual([counts(dry), dry.cleared], [[0, 1, 0, 0], 2])
    assert.deepEqual(dry.sample, [
      {
        line: 2,
        id: 'c-1',
        outcome: 'updated',
        changes: [
          { attributeAlias: 'name', scope: { language: 'de' }, oldValue: 'Hemd', newValue: null },
          { attributeAlias: 'count', scope: {}, oldValue: 1, newValue: null },
        ],
      },
    ])
    const cleared = await take('c-1,c-1,,')
    assert.deepEqual([counts(cleared), cleared.cleared, cleared.sample], [[0, 1, 0, 0], 2, undefined])
    assert.deepEqual(Object.keys(await valuesOf('c-1')), ['sku'])
  })

  it('fails with what a file lacks, and with categories that nobody knows', async () => {
    await create({
      id: 'ipr-lack',
      columns: [
        { header: 'Nr', to: { attributeAlias: 'sku' } },
        { header: 'Gruppe', to: { field: 'categories' } },
      ],
    })
    const take = (body: string, query = 'profile=ipr-lack') => importFile(shop.admin, body, query, CSV)
    await assert.rejects(take('Nr,Gruppen\na,b\n'), /no column 'Gruppe'/)
    await assert.rejects(take('Nr,Gruppe,Gruppe\na,b,c\n'), /'Gruppe' twice: 'Gruppe \(B\)' and 'Gruppe \(C\)'/)
    await assert.rejects(take('Nr\na\n', 'profile=ipr-none'), /ipr-none/)
    await make(shop.admin, '/api/v1/catalogs', { id: 'cat-print', name: 'Print' })
    const add = (body: object) => make(shop.admin, '/api/v1/catalogs/cat-print/categories', body)
    await add({ id: 'ctg-men-2', name: 'Men' })
    await add({ id: 'ctg-odd', name: 'T-Shirts/Polos', parentId: 'ctg-men-2' })
    const rows = ['Men/Shirt', 'Men', 'Shirts', 'Men / Shirts|Men/T-Shirts/Polos', `${'Men/'.repeat(500)}x`]
    const result = await take(`Nr,Gruppe\n${rows.map((row, at) => `l-${at},${row}`).join('\n')}\n`)
    assert.equal(result.created, 1)
    const messages = result.errors.map(({ message }) => message)
    assert.match(messages[0]!, /categories names 'Men\/Shirt', which is neither/)
    assert.match(
      messages[1]!,
      /the path of several categories: ctg-men, ctg-men-2\. Use one of these IDs, or a profile whose column names the catalogId$/,
    )
    assert.match(messages[2]!, /categories names 'Shirts', which is neither/)
    assert.match(messages[3]!, /takes too long to find/)
    const answer = await send<{ items: { id: string }[] }>(shop.admin, 'GET', '/api/v1/categories/ctg-odd/records')
    assert.equal(answer.body.items.length, 1)
  })

  it('names columns with one header by their letters', async () => {
    await create({
      id: 'ipr-letters',
      columns: [
        { header: 'Nr', to: { attributeAlias: 'sku' } },
        { header: 'Menge (C)', to: { attributeAlias: 'count' } },
      ],
    })
    const result = await importFile(shop.admin, 'Nr,Menge,Menge\nletter-1,1,2\n', 'profile=ipr-letters', CSV)
    assert.deepEqual(counts(result), [1, 0, 0, 0])
    const [id] = await findBySku('letter-1')
    assert.deepEqual((await valuesOf(id!))['count'], everywhere(2))
  })
})

describe('A file', () => {
  it('may name parents and references that stand later in it, also each other', async () => {
    const line = (id: string, friend: string | undefined, parentId?: string) => ({
      id,
      schemaId: 'sch-item',
      parentId,
      values: friend === undefined ? {} : { friend: everywhere(friend) },
    })
    const file = lines(
      line('f-1', 'f-2'),
      line('f-2', 'f-1'),
      line('f-3', 'f-5', 'f-4'),
      line('f-4', undefined),
      line('f-5', 'f-none'),
    )
    const dry = await importFile(shop.admin, file, 'dryRun=true')
    assert.deepEqual(counts(dry), [3, 0, 0, 2])
    const result = await importFile(shop.admin, file)
    assert.deepEqual(counts(result), [3, 0, 0, 2])
    assert.deepEqual(failures(result), ['3 f-3 VALIDATION_ERROR', '5 f-5 VALIDATION_ERROR'])
    assert.deepEqual(await valuesOf('f-1'), { friend: everywhere('f-2') })
    assert.deepEqual(await valuesOf('f-2'), { friend: everywhere('f-1') })
  })
})
