// Steps of an import's columns that rewrite text, read numbers, give units and join columns. Contract 3 §4.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { assertRefused, send } from '../../helpers/answers.ts'
import { counts, CSV, importFile } from '../../helpers/importing.ts'
import { everywhere, make, readRecord, startWorkspace, type Workspace } from '../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-item',
    name: 'Items',
    attributes: [
      { alias: 'name', dataType: 'text' },
      { alias: 'count', dataType: 'number' },
      { alias: 'weight', dataType: 'measurement', units: ['kg', 'g'] },
      { alias: 'price', dataType: 'price' },
    ],
  })
})
after(() => shop.stop())

const BASE = { name: 'P', schemaId: 'sch-item', mode: 'upsert' }
const ID = { header: 'id', to: { field: 'id' } }
const column = (alias: string, ...steps: unknown[]) => ({ header: alias, to: { attributeAlias: alias }, with: steps })
let number = 0
async function profileOf(...columns: object[]): Promise<string> {
  const id = `ipr-${(number += 1)}`
  await make(shop.admin, '/api/v1/import-profiles', { ...BASE, id, columns: [ID, ...columns] })
  return id
}
/** The values of the record after the import of one row. */
async function valuesAfter(header: string, row: string, columns: object[], query = '') {
  const file = `id;${header}\nr-1;${row}\n`
  const result = await importFile(shop.admin, file, `profile=${await profileOf(...columns)}&delimiter=;${query}`, CSV)
  assert.equal(result.failed, 0, JSON.stringify(result.errors))
  return (await readRecord(shop.admin, 'r-1')).values
}
async function errorOf(header: string, row: string, columns: object[], query = ''): Promise<string> {
  const file = `id;${header}\nr-1;${row}\nr-2;${','.repeat(header.split(';').length - 1)}\n`
  const result = await importFile(shop.admin, file, `profile=${await profileOf(...columns)}&delimiter=;${query}`, CSV)
  assert.equal(counts(result)[3], 1, JSON.stringify(result))
  return result.errors[0]!.message
}

describe('The step replace', () => {
  it('puts text in the place of each match of a regular expression', async () => {
    const step = { replace: { find: '(\\d+) ?x ?(\\d+)', by: '$2 × $1 ($0) $$' } }
    const values = await valuesAfter('name', '10x20, 3 x 4', [column('name', step)])
    assert.deepEqual(values['name'], everywhere('20 × 10 (10x20) $, 4 × 3 (3 x 4) $'))
  })

  it('removes matches without a replacement, also of each part of a split cell, and of a number', async () => {
    const parts = [{ split: ',' }, { replace: { find: '^v' } }]
    assert.deepEqual((await valuesAfter('name', 'va, vb', [column('name', ...parts)]))['name'], everywhere('a|b'))
    const values = await valuesAfter('name', '7', [column('name', { replace: { find: '7', by: 'seven' } })])
    assert.deepEqual(values['name'], everywhere('seven'))
  })

  it('agrees with the replacement of JavaScript for plain texts', async () => {
    const { replaceMatches, PatternWork } = await import('../../../src/core/values/patterns.ts')
    fc.assert(
      fc.property(
        fc.stringMatching(/^[abc]{1,3}$/),
        fc.stringMatching(/^[abc]{0,60}$/),
        fc.string(),
        (find, text, by) => {
          assert.equal(
            replaceMatches(find, text, () => by, new PatternWork()),
            text.split(find).join(by),
          )
        },
      ),
    )
  })

  it('fails its row where the text takes too much work or becomes too long', async () => {
    const slow = column('name', { replace: { find: '(a.*b)|a', by: '' } })
    assert.match(await errorOf('name', 'a'.repeat(3000), [slow]), /'name' is too long for the steps that replace text/)
    const long = column('name', { replace: { find: 'a', by: 'b'.repeat(1000) } })
    assert.match(await errorOf('name', 'a'.repeat(300), [long]), /'name' becomes too long: .* 200000 characters/)
  })

  it('is refused with a pattern or a group that does not exist', async () => {
    const refuse = async (step: object, ...named: string[]) => {
      const body = { ...BASE, columns: [column('name', 'trim', step)] }
      assertRefused(await send(shop.admin, 'POST', '/api/v1/import-profiles', body), 'VALIDATION_ERROR', ...named)
    }
    await refuse({ replace: { find: '(' } }, 'columns[0].with[1].replace.find', 'RE2')
    await refuse({ replace: { find: '' } }, 'columns[0].with[1].replace.find')
    await refuse({ replace: { find: '(a{1000}){1000}' } }, 'columns[0].with[1].replace.find', '2000 instructions')
    await refuse({ replace: { find: '(a)', by: '$2' } }, 'columns[0].with[1].replace.by', '$2')
    await refuse({ replace: { find: 'a', with: 'b' } }, 'with[1].replace.with')
    await refuse({ replace: 'a' }, 'columns[0].with[1].replace')
    const many = Array.from({ length: 10 }, () => ({ replace: { find: 'a{900}b{900}' } }))
    const columns = ['name', 'count', 'price'].map((alias) => column(alias, ...many))
    const answer = await send(shop.admin, 'POST', '/api/v1/import-profiles', { ...BASE, columns })
    assertRefused(answer, 'VALIDATION_ERROR', 'columns[2]', '50000 instructions')
  })
})

describe('A cell of a list', () => {
  const parts = (count: number): string => 'a|'.repeat(count - 1)
  const inTags = { header: 'tags', to: { attributeAlias: 'tags' } }
  before(async () => {
    const attributes = [{ alias: 'tags', dataType: 'multiSelect', options: [{ id: 'a' }] }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-listed', name: 'Listed', attributes })
  })
  const take = async (cell: string, column: object) => {
    const profile = {
      name: 'P',
      schemaId: 'sch-listed',
      mode: 'upsert',
      columns: [ID, column],
      id: `ipr-${(number += 1)}`,
    }
    await make(shop.admin, '/api/v1/import-profiles', profile)
    return importFile(shop.admin, `id;tags\nr-3;${cell}\n`, `profile=${profile.id}&delimiter=;`, CSV)
  }

  it('fails its row with more parts than any list has', async () => {
    for (const column of [inTags, { ...inTags, with: [{ split: '|' }] }, { ...inTags, createOptions: true }]) {
      const result = await take(parts(20_001), column)
      assert.match(result.errors[0]?.message ?? '', /'tags' has more than 20000 parts/, JSON.stringify(column))
    }
    assert.deepEqual(counts(await take(parts(20_000), { ...inTags, createOptions: true })), [1, 0, 0, 0])
    const result = await take('|'.repeat(20_001), { header: 'tags', to: { field: 'categories' } })
    assert.match(result.errors[0]?.message ?? '', /at most 1000 categories/)
  })
})

describe('The step number', () => {
  it('reads thousands by the decimal sign of the file', async () => {
    for (const [cell, query, count] of [
      ['1,234.5', '&decimal=.', 1234.5],
      ["-1'234'567", '&decimal=.', -1_234_567],
      ['1.234,5', '&decimal=,', 1234.5],
      ['1 234', '&decimal=,', 1234],
    ] as const) {
      const { count: found } = await valuesAfter('count', cell, [column('count', 'number')], query)
      assert.deepEqual(found, everywhere(count), cell)
    }
  })

  it('leaves the decimal sign to the numbers of the file', async () => {
    const columns = [column('count', 'number'), column('price', 'number', { unit: 'EUR' })]
    const german = await valuesAfter('count;price', '1.234;2.000,50', columns)
    assert.deepEqual(
      [german['count'], german['price']],
      [everywhere(1234), everywhere({ amount: 2000.5, currency: 'EUR' })],
    )
    const english = await valuesAfter('count;price', '1,234;2,000.50 USD', columns)
    assert.deepEqual(
      [english['count'], english['price']],
      [everywhere(1234), everywhere({ amount: 2000.5, currency: 'USD' })],
    )
    const profile = await profileOf(...columns)
    await assert.rejects(importFile(shop.admin, 'id;count;price\na;1.234;\n', `profile=${profile}`, CSV), /decimal=/)
  })

  it('reads thousands of an amount beside its unit', async () => {
    for (const [cell, query] of [
      ['1 000.5 g', '&decimal=.'],
      ["1'000.5 g", '&decimal=.'],
      ['1 000,5 g', '&decimal=,'],
    ] as const) {
      const { weight } = await valuesAfter('weight', cell, [column('weight', 'number')], query)
      assert.deepEqual(weight, everywhere({ amount: 1000.5, unit: 'g' }), cell)
    }
  })

  it('leaves what is no number to its error', async () => {
    assert.match(await errorOf('count', '1,23,4', [column('count', 'number')], '&decimal=.'), /must be a number/)
  })
})

describe('The step unit', () => {
  it('gives an amount its unit where the cell has none', async () => {
    const columns = [column('weight', 'decimalComma', { unit: 'kg' })]
    const weightOf = async (cell: string) => (await valuesAfter('weight', cell, columns))['weight']
    assert.deepEqual(await weightOf('1,5'), everywhere({ amount: 1.5, unit: 'kg' }))
    assert.deepEqual(await weightOf('1,5 kg'), everywhere({ amount: 1.5, unit: 'kg' }))
    assert.deepEqual(await weightOf('500 g'), everywhere({ amount: 500, unit: 'g' }))
    const beside = [column('weight', { unit: 'kg' }), { header: 'u', to: { attributeAlias: 'weight', part: 'unit' } }]
    assert.deepEqual((await valuesAfter('weight;u', '2;g', beside))['weight'], everywhere({ amount: 2, unit: 'g' }))
    assert.deepEqual((await valuesAfter('weight;u', '2;', beside))['weight'], everywhere({ amount: 2, unit: 'kg' }))
  })

  it('is refused for what is no amount', async () => {
    for (const to of [{ attributeAlias: 'name' }, { field: 'id' }, { attributeAlias: 'weight', part: 'unit' }]) {
      const body = { ...BASE, columns: [{ header: 'a', to, with: [{ unit: 'kg' }] }] }
      const answer = await send(shop.admin, 'POST', '/api/v1/import-profiles', body)
      assertRefused(answer, 'VALIDATION_ERROR', 'columns[0].with[0].unit')
    }
  })

  it('is refused for a unit that the attribute does not have', async () => {
    const body = { ...BASE, columns: [column('weight', { unit: 'stone' })] }
    const answer = await send(shop.admin, 'POST', '/api/v1/import-profiles', body)
    assertRefused(answer, 'VALIDATION_ERROR', 'columns[0].with[0].unit must be one of kg, g')
  })
})

describe('The step join', () => {
  it('adds the cells of other columns that are not empty', async () => {
    const columns = [column('name', 'trim', { join: { headers: ['w', 'h'], separator: ' x ' } })]
    const nameOf = async (row: string) => (await valuesAfter('name;w;h', row, columns))['name']
    assert.deepEqual(await nameOf(' Box ;10;20'), everywhere('Box x 10 x 20'))
    assert.deepEqual(await nameOf(';10;'), everywhere('10'))
    assert.deepEqual(await nameOf('Box;;20'), everywhere('Box x 20'))
    const plain = [column('name', { join: { headers: ['w'] } })]
    assert.deepEqual((await valuesAfter('name;w', 'a;b', plain))['name'], everywhere('a b'))
  })

  it('needs its columns in the file, and does not write too long a text', async () => {
    const profile = await profileOf(column('name', { join: { headers: ['w'] } }))
    await assert.rejects(importFile(shop.admin, 'id,name\na,b\n', `profile=${profile}`, CSV), /no column 'w'/)
    const long = column('name', { join: { headers: Array(20).fill('name') } })
    assert.match(await errorOf('name', 'a'.repeat(10_000), [long]), /'name' becomes too long/)
  })
})
