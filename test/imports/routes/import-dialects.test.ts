// Import of csv files as other programs write them: what is not said of them is found, and told. Contract 3 §4.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused } from '../../helpers/answers.ts'
import { counts, CSV, importFile, sendImport } from '../../helpers/importing.ts'
import { everywhere, make, readRecord, startWorkspace, type Workspace } from '../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-item',
    name: 'Items',
    attributes: [
      { alias: 'text', dataType: 'text' },
      { alias: 'number', dataType: 'number' },
      { alias: 'weight', dataType: 'measurement' },
    ],
  })
})
after(() => shop.stop())

const valuesOf = async (id: string) => (await readRecord(shop.admin, id)).values
/** `query` besides the schema. */
const take = async (body: string | Buffer, query = '') => {
  const result = await importFile(shop.admin, body, `schemaId=sch-item&${query}`, CSV)
  return { ...result, found: [result.delimiter, result.decimal, result.encoding] }
}

describe('A csv of another program', () => {
  it('is read with the delimiter, decimal sign and encoding that it has, and these are told', async () => {
    const german = Buffer.from(
      'id;text;number;weight;weight.unit\r\nd-1;Größe;1.234,5;0,25;kg\r\nd-2;ß;-7,5;3;kg\r\n',
      'latin1',
    )
    const taken = await take(german)
    assert.deepEqual(
      [counts(taken), taken.found],
      [
        [2, 0, 0, 0],
        [';', ',', 'windows-1252'],
      ],
    )
    const values = {
      text: everywhere('Größe'),
      number: everywhere(1234.5),
      weight: everywhere({ amount: 0.25, unit: 'kg' }),
    }
    assert.deepEqual(await valuesOf('d-1'), values)

    const sheet = Buffer.from('\ufeffid\ttext\tnumber\nu-1\t"a\tb"\t0.5\n', 'utf16le')
    const other = await take(sheet)
    assert.deepEqual(
      [counts(other), other.found],
      [
        [1, 0, 0, 0],
        ['\t', '.', 'utf-16le'],
      ],
    )
    assert.deepEqual(await valuesOf('u-1'), { text: everywhere('a\tb'), number: everywhere(0.5) })

    const marked = await take('\ufeffsep=|\nid|text\nm-1|Ä, ö; ü\n')
    assert.deepEqual(
      [counts(marked), marked.found],
      [
        [1, 0, 0, 0],
        ['|', '.', 'utf-8'],
      ],
    )
    assert.deepEqual(await valuesOf('m-1'), { text: everywhere('Ä, ö; ü') })
  })

  it('may have marks beyond ASCII far from its beginning', async () => {
    const rows = Array.from({ length: 100 }, (_row, index) => `far-${index},${'x'.repeat(1000)}`)
    const body = Buffer.from(['id,text', ...rows, 'far-end,caf\xe9', ''].join('\n'), 'latin1')
    const taken = await take(body, 'dryRun=true')
    assert.deepEqual([counts(taken), taken.encoding], [[101, 0, 0, 0], 'windows-1252'])
  })

  it('is read as it is said to be, also where something else seems likelier', async () => {
    const taken = await take('id,text;x,number\ns-1,"a;b",2\n', 'delimiter=,&dryRun=true').catch(
      (error: unknown) => error,
    )
    assert.match(String(taken), /unknown column 'text;x'/)
    const said = await take('id;text;number\ns-2;a;1,5\ns-3;a;1.5\n', 'delimiter=%3B&decimal=,&encoding=utf-8')
    assert.deepEqual(
      [counts(said), said.found],
      [
        [2, 0, 0, 0],
        [';', ',', 'utf-8'],
      ],
    )
    const dotted = await take('id;text;number\ns-4;a;1,5\n', 'decimal=.')
    assert.deepEqual(counts(dotted), [0, 0, 0, 1])
  })

  it('is in the encoding that its content type names, unless the query says another one', async () => {
    const latin = Buffer.from('id,text\ncs-1,\xe9t\xe9\n', 'latin1')
    const said = (type: string, query = '') =>
      importFile(shop.admin, latin, `schemaId=sch-item&mode=upsert${query}`, `text/csv; charset=${type}`)
    assert.deepEqual(
      [counts(await said('Windows-1252')), await valuesOf('cs-1')],
      [[1, 0, 0, 0], { text: everywhere('été') }],
    )
    assert.equal((await said('utf-16le', '&encoding=windows-1252')).unchanged, 1)
    // What the content type names is not looked for: in UTF-16 these bytes are no such file.
    const wrong = await sendImport(shop.admin, latin, {
      query: 'schemaId=sch-item',
      type: 'text/csv; charset=utf-16le',
    })
    assert.equal(wrong.status, 400, wrong.text)
  })

  it('with a comma that was guessed takes a dot that can mean nothing else', async () => {
    const taken = await take('id;number\ng-1;1,5\ng-2;2,25\ng-3;3.5\ng-4;1.500\n')
    assert.deepEqual([counts(taken), taken.decimal], [[4, 0, 0, 0], ','])
    assert.deepEqual(await valuesOf('g-3'), { number: everywhere(3.5) })
    assert.deepEqual(await valuesOf('g-4'), { number: everywhere(1500) })
  })

  it('has decimals where three digits behind a comma can be no group of thousands', async () => {
    for (const [id, written, value] of [
      ['t-1', '0,125', 0.125],
      ['t-2', '-1234567,891', -1234567.891],
    ] as const) {
      const taken = await take(`id;number\n${id};${written}\n`)
      assert.deepEqual([counts(taken), taken.decimal], [[1, 0, 0, 0], ','])
      assert.deepEqual(await valuesOf(id), { number: everywhere(value) })
    }
    // This may be a thousand: it is not guessed.
    const either = { query: 'schemaId=sch-item', type: CSV }
    assertRefused(await sendImport(shop.admin, 'id;number\nt-3;1,234\n', either), 'VALIDATION_ERROR', 'decimal')
  })

  it('of our own is read as before: scopes have semicolons in them, and texts anything', async () => {
    await make(shop.admin, '/api/v1/schemas', {
      id: 'sch-own',
      name: 'Own',
      attributes: [{ alias: 'a', dataType: 'text', dimensionIds: ['language', 'market'] }],
    })
    const header = 'id,a[language=de;market=eu],a[language=en;market=eu]'
    const taken = await importFile(shop.admin, `${header}\no-1,"1,5","2,5"\n`, 'schemaId=sch-own', CSV)
    assert.deepEqual([counts(taken), taken.delimiter], [[1, 0, 0, 0], ','])
  })

  it('is refused where it is said to be something that there is not, or is an archive', async () => {
    for (const [query, named] of [
      ['delimiter=x', 'delimiter'],
      ['decimal=;', 'decimal'],
      ['encoding=latin1', 'encoding'],
    ] as const)
      assertRefused(await sendImport(shop.admin, 'id\n', { type: CSV, query }), 'VALIDATION_ERROR', named)
    assertRefused(
      await sendImport(shop.admin, Buffer.from('PK\u0003\u0004…'), { type: CSV }),
      'VALIDATION_ERROR',
      'xlsx',
    )
    const big = Buffer.from('\ufeffid\n', 'utf16le').swap16()
    assertRefused(await sendImport(shop.admin, big, { type: CSV }), 'VALIDATION_ERROR', 'big-endian')
  })

  it('of JSON lines tells none of it', async () => {
    const result = await importFile(shop.admin, '{"id":"j-1","schemaId":"sch-item","values":{}}\n')
    assert.deepEqual(Object.keys(result), ['created', 'updated', 'unchanged', 'failed', 'errors'])
  })

  it('is refused where carriage returns alone end its rows, and says so', async () => {
    const answer = await sendImport(shop.admin, 'id,text\rcr-1,a\rcr-2,b\r', { type: CSV, query: 'schemaId=sch-item' })
    assertRefused(answer, 'VALIDATION_ERROR', 'carriage returns alone')
    assert.deepEqual(counts(await take('"id","text\r"\ncr-1,"a\rb"\n')), [1, 0, 0, 0])
    assert.deepEqual(await valuesOf('cr-1'), { text: everywhere('a\rb') })
  })
})
