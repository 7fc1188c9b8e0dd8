// `pimlet import` of files as others make them: spreadsheets, dialects and profiles. Contract 3 §8.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { runCommand } from '../helpers/command.ts'
import { ADMIN_KEY } from '../helpers/server.ts'
import { everywhere, make, readRecord, startWorkspace, type Workspace } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { workbookParts, zip } from '../helpers/xlsx-file.ts'

const directory = makeTempDirectory()
let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-item',
    name: 'Items',
    attributes: [
      { alias: 'sku', dataType: 'text', unique: true },
      { alias: 'count', dataType: 'number' },
    ],
  })
  await make(shop.admin, '/api/v1/import-profiles', {
    id: 'supplier',
    name: 'Supplier',
    schemaId: 'sch-item',
    mode: 'upsert',
    matchBy: 'sku',
    columns: [
      { header: 'id', to: { field: 'id' } },
      { header: 'Art.-Nr.', to: { attributeAlias: 'sku' } },
      { header: 'Anzahl', to: { attributeAlias: 'count' } },
    ],
  })
})
after(() => shop.stop())

const place = (name: string) => path.join(directory, name)
function file(name: string, content: string | Buffer): string {
  writeFileSync(place(name), content)
  return place(name)
}
const importFile = (...args: string[]) =>
  runCommand(['import', ...args], { env: { PIMLET_URL: shop.url, PIMLET_API_KEY: ADMIN_KEY } })

describe('pimlet import', () => {
  it('takes a spreadsheet, a sheet of it, a profile and what stands before it', async () => {
    const sheets = [
      { name: 'Notes', rows: [['Nothing']] },
      {
        name: 'List',
        rows: [
          ['id', 'Art.-Nr.', 'Anzahl'],
          ['x-1', 'X1', 1],
          ['x-2', 'X2', 'much'],
          ['x-3', 'X3', 3],
        ],
      },
    ]
    const book = file('list.xlsx', zip(workbookParts(sheets)))
    const told = await importFile(book, '--profile', 'supplier', '--sheet', 'List', '--failed', place('wrong.csv'))
    assert.equal(told.stdout, 'created 2, updated 0, unchanged 0, failed 1\n', told.stderr)
    assert.match(
      readFileSync(place('wrong.csv'), 'utf8'),
      /^id,Art\.-Nr\.,Anzahl,error,message\r\nx-2,X2,much,VALIDATION_ERROR,.*\r\n$/,
    )
    const changed = file('more.csv', 'Art.-Nr.;Anzahl;id\nX1;;\nX9;9;x-9\n')
    const updated = await importFile(changed, '--profile', 'supplier', '--mode', 'update', '--empty-cells', 'clear')
    assert.equal(updated.stdout, 'created 0, updated 1, unchanged 0, failed 1\n')
    assert.match(updated.stderr, /line 3 \(x-9\): NOT_FOUND/)
    assert.deepEqual((await readRecord(shop.admin, 'x-1')).values, { sku: everywhere('X1') })
  })

  it('finds records by a unique value without a profile, and takes a delimiter', async () => {
    const list = file('match.csv', 'sku\tcount\nX3\t33\n')
    const result = await importFile(
      list,
      '--schema',
      'sch-item',
      '--match-by',
      'sku',
      '--mode',
      'upsert',
      '--delimiter',
      'tab',
    )
    assert.equal(result.stdout, 'created 0, updated 1, unchanged 0, failed 0\n', result.stderr)
  })

  it('keeps what fails of a csv in any dialect, with its delimiter and encoding', async () => {
    const content = Buffer.from('id;sku;count\r\nü-1;ä;1\r\nd-1;"a;ö";1,5\r\nd-2;b;x\r\n', 'latin1')
    const list = file('german.csv', content)
    const result = await importFile(list, '--schema', 'sch-item', '--failed', place('german-wrong.csv'))
    assert.equal(result.stdout, 'created 1, updated 0, unchanged 0, failed 2\n', result.stderr)
    const [header, ...rows] = readFileSync(place('german-wrong.csv'), 'latin1').trimEnd().split('\r\n')
    assert.equal(header, 'id;sku;count;error;message')
    assert.match(rows[0]!, /^ü-1;ä;1;VALIDATION_ERROR;/)
    assert.match(rows[1]!, /^d-2;b;x;VALIDATION_ERROR;/)
    assert.deepEqual((await readRecord(shop.admin, 'd-1')).values, { sku: everywhere('a;ö'), count: everywhere(1.5) })
    const good = await importFile(
      file('good.csv', 'id,sku\ng-1,G\n'),
      '--schema',
      'sch-item',
      '--failed',
      place('none.csv'),
    )
    assert.equal(good.status, 0, good.stderr)
    assert.ok(!existsSync(place('none.csv')))
  })
})
