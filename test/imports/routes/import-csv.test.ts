// Import of csv files: columns, cells, upsert by column, variants, and the round trip with our own export. Contract 2 §7.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { counts, CSV, failures, importCsv, importFile, sendImport } from '../../helpers/importing.ts'
import { english, everywhere, german, make, makeShirt, readAudit, readRecord } from '../../helpers/shirts.ts'
import { startWorkspace, type Workspace } from '../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-all',
    name: 'All',
    attributes: [
      { alias: 'text', dataType: 'text', dimensionIds: ['language', 'market'] },
      { alias: 'number', dataType: 'number' },
      { alias: 'yes', dataType: 'boolean' },
      { alias: 'day', dataType: 'date' },
      { alias: 'tags', dataType: 'multiSelect', options: [{ id: 'a' }, { id: 'b' }] },
      { alias: 'weight', dataType: 'measurement' },
      { alias: 'price', dataType: 'price', dimensionIds: ['market'] },
      { alias: 'extra', dataType: 'json' },
      { alias: 'id', dataType: 'text' },
      { alias: 'values', dataType: 'measurement' },
    ],
  })
})
after(() => shop.stop())

const valuesOf = async (id: string) => (await readRecord(shop.admin, id)).values
const refuse = async (rows: string[], named: string[], query = '') =>
  assertRefused(await sendImport(shop.admin, rows.join('\n'), { type: CSV, query }), 'VALIDATION_ERROR', ...named)

describe('A csv', () => {
  it('is read by the data type of each column', async () => {
    const header =
      'id,schemaId,text,text[language=de],text[market=eu;language=en],number,yes,day,tags,weight,weight.unit,' +
      'price[market=us],price[market=us].currency,extra,values.id,values,values.unit'
    const row =
      'all-1,sch-all,plain,"say ""hi"",\nline two",Grüße 😀,-1.5e2,TRUE,2024-02-29,a|b,2.5,kg,9.99,USD,"{""a"":[1]}",odd,1,m'
    assert.deepEqual(counts(await importCsv(shop.admin, [header, row])), [1, 0, 0, 0])
    assert.deepEqual(await valuesOf('all-1'), {
      text: [
        { scope: {}, value: 'plain' },
        { scope: { language: 'de' }, value: 'say "hi",\nline two' },
        { scope: { market: 'eu', language: 'en' }, value: 'Grüße 😀' },
      ],
      number: everywhere(-150),
      yes: everywhere(true),
      day: everywhere('2024-02-29'),
      tags: everywhere(['a', 'b']),
      weight: everywhere({ amount: 2.5, unit: 'kg' }),
      price: [{ scope: { market: 'us' }, value: { amount: 9.99, currency: 'USD' } }],
      extra: everywhere({ a: [1] }),
      id: everywhere('odd'),
      values: everywhere({ amount: 1, unit: 'm' }),
    })
  })

  it('has no value where a cell is empty, and an empty one where it is quoted', async () => {
    const rows = [
      'id,schemaId,text,number,tags,day,weight,weight.unit',
      'e-1,sch-all,,,,,,',
      'e-2,sch-all,"","","","","",""',
    ]
    assert.deepEqual(counts(await importCsv(shop.admin, rows)), [2, 0, 0, 0])
    assert.deepEqual(await valuesOf('e-1'), {})
    assert.deepEqual(await valuesOf('e-2'), { text: everywhere(''), tags: everywhere([]), day: everywhere('') })
  })

  it('makes up IDs, takes the schema of the query, and ignores state and times', async () => {
    const rows = ['title,lifecycleStateId,createdAt,updatedAt', 'made up,state-published,1999,1999']
    assert.deepEqual(counts(await importCsv(shop.admin, rows, 'schemaId=sch-plain')), [1, 0, 0, 0])
    const search = {
      criteria: [{ attributeAlias: 'title', operator: 'equals', value: 'made up' }],
      criteriaOperator: 'and',
    }
    const [record] = (await send<{ lifecycleStateId: string }[]>(shop.admin, 'POST', '/api/v1/search', search)).body
    assert.equal(record!.lifecycleStateId, 'state-draft')
  })

  it('may begin with a byte order mark, end its lines either way, and hold blank ones', async () => {
    const text = '\uFEFFid,schemaId,title\r\n\r\nbom-1,sch-plain,a\n,,\n\n"bom-2",sch-plain,"b"\r\nbom-3,sch-plain'
    const result = await importFile(shop.admin, text, '', CSV)
    assert.deepEqual(counts(result), [2, 0, 0, 1])
    assert.deepEqual(failures(result), ['7 null VALIDATION_ERROR'])
    assert.match(result.errors[0]!.message, /2 cells.*3/)
  })

  it('may have titles above the header, as a spreadsheet saves them', async () => {
    const table = 'id;schemaId;title\r\ntitled-1;sch-plain;a\r\ntitled-2;sch-plain\r\ntitled-3;sch-plain;c\r\n'
    for (const titles of ['Price list;;\r\n;;\r\n', 'Price list, autumn\r\n\r\nOf all shops\r\n']) {
      const result = await importFile(shop.admin, titles + table, 'dryRun=true', CSV)
      assert.deepEqual(counts(result), [2, 0, 0, 1], titles)
      assert.equal(result.delimiter, ';')
      assert.equal(result.errors[0]!.line, titles.split('\n').length + 2)
    }
  })

  it('reports a bad row where it begins, and goes on with the next', async () => {
    const body = Buffer.concat([
      Buffer.from('id,schemaId,text,number,weight,weight.unit,price[market=eu],price[market=eu].currency,extra\n'),
      Buffer.from('r-1,sch-all,"two\nlines",1,,,,,\n'),
      Buffer.from('r-2,sch-all,a,not a number,,,,,\n'),
      Buffer.from('r-3,sch-all,5" disk,1,,,,,\n'),
      Buffer.from('r-4,sch-all,"a"b,1,,,,,\n'),
      Buffer.from('r-5,sch-all,\xe4,1,,,,,\n', 'latin1'),
      Buffer.from('r-6,sch-all,"a\n\nb",1,,kg,,,\n'),
      Buffer.from('r-7,sch-all,a,1,2,,,,\n'),
      Buffer.from('r-8,sch-all,a,1,,,3,XXY,\n'),
      Buffer.from('r-9,sch-all,a,1,,,,,{bad\n'),
      Buffer.from('r-10,sch-none,a,1,,,,,\n'),
      Buffer.from('r 11,sch-all,a,1,,,,,\n'),
      Buffer.from('r-12,sch-all,a,1,,,,,\n'),
      Buffer.from('r-13,sch-all,"never closed\n'),
    ])
    const result = await importFile(shop.admin, body, 'encoding=utf-8', CSV)
    assert.deepEqual(counts(result), [2, 0, 0, 11])
    assert.deepEqual(failures(result), [
      '4 r-2 VALIDATION_ERROR',
      '5 null VALIDATION_ERROR',
      '6 null VALIDATION_ERROR',
      '7 null VALIDATION_ERROR',
      '8 r-6 VALIDATION_ERROR',
      '11 r-7 VALIDATION_ERROR',
      '12 r-8 VALIDATION_ERROR',
      '13 r-9 VALIDATION_ERROR',
      '14 r-10 VALIDATION_ERROR',
      '15 r 11 VALIDATION_ERROR',
      '17 null VALIDATION_ERROR',
    ])
    const messages = result.errors.map(({ message }) => message)
    assert.match(messages[0]!, /column 'number' must be a number/)
    assert.match(messages[4]!, /column 'weight' has a unit without an amount/)
    assert.match(messages[7]!, /column 'extra' must be JSON/)
    assert.match(messages[10]!, /not closed/)
  })

  it('says all faults of a row, each with its column and what the cell has', async () => {
    await make(shop.admin, '/api/v1/schemas', {
      id: 'sch-strict',
      name: 'Strict',
      attributes: [
        { alias: 'sku', dataType: 'text', validation: { maxLength: 3 } },
        { alias: 'number', dataType: 'number', validation: { max: 9 } },
        { alias: 'weight', dataType: 'measurement', units: ['kg', 'g'] },
      ],
    })
    const rows = ['id,sku,number,weight,weight.unit', 's-1,too long,ten,5,', 's-2,abc,10,5,kg', 's-3,abc,1,5,kg']
    const result = await importCsv(shop.admin, rows, 'schemaId=sch-strict')
    assert.deepEqual(counts(result), [1, 0, 0, 2])
    assert.deepEqual(
      result.errors.map(({ message }) => message),
      [
        "The column 'number' must be a number, written as 1234.5: the cell has 'ten'; The column 'sku' must be at most 3 characters long: the cell has 'too long'; The column 'weight' needs a unit: kg, g: the cell has '5'",
        "The column 'number' must be at most 9: the cell has '10'",
      ],
    )
  })

  it('with a header that cannot be right is refused as a whole, naming the column', async () => {
    await refuse(['id,schemaId,colour', 'h-1,sch-all,x'], ['unknown column', 'colour'])
    await refuse(['id,schemaId,text[language=xx]'], ['text[language=xx]', 'scope'])
    await refuse(['id,schemaId,number[language=de]'], ['number[language=de]', 'scope'])
    await refuse(['id,schemaId,text[language]'], ['unknown column', 'text[language]'])
    await refuse(['id,schemaId,number.unit'], ['unknown column', 'number.unit'])
    await refuse(['id,schemaId,weight.unit'], ['weight.unit', 'amounts'])
    await refuse(['id,id,schemaId'], ["'id' twice"])
    await refuse(['id,schemaId,text[language=de;market=eu],text[market=eu;language=de]'], ['twice'])
    await refuse(['id;schemaId;text', 'h-1;sch-all;x'], ['unknown column', 'commas'], 'delimiter=,')
    await refuse(['id,schemaId,'], ['unknown column'])
    await refuse(['id,"schemaId', 'x'], ['header', 'not closed'])
    await refuse(['id,text', 'h-1,x'], ['schemaId'])
    await refuse([''], ['empty'])
    await refuse(['\xff\xfe'], [], 'schemaId=sch-all')
    await refuse(['id,title', 'h-1,x'], ['unknown column', 'title'], 'schemaId=sch-all')
    assert.equal((await send(shop.admin, 'GET', '/api/v1/records/h-1')).status, 404)
  })

  it('may hold several schemas, each with its own columns', async () => {
    const rows = ['id,schemaId,text,title', 'm-1,sch-all,a,', 'm-2,sch-plain,,b', 'm-3,sch-plain,a,b']
    const result = await importCsv(shop.admin, rows)
    assert.deepEqual(counts(result), [2, 0, 0, 1])
    assert.match(result.errors[0]!.message, /column 'text' is not of this record's schema/)
    assert.deepEqual(await valuesOf('m-2'), { title: everywhere('b') })
  })
})

describe('Upsert by csv', () => {
  const upsert = (...rows: string[]) => importCsv(shop.admin, rows, 'mode=upsert&schemaId=sch-shirt')

  it('sets and clears the scoped values that have a column, and leaves the others', async () => {
    await makeShirt(shop.admin, { name: [english('Shirt'), german('Hemd')], weight: everywhere(1) }, { id: 'col-1' })
    assert.deepEqual(counts(await upsert('id,name[language=de]', 'col-1,Bluse')), [0, 1, 0, 0])
    assert.deepEqual(await valuesOf('col-1'), { name: [english('Shirt'), german('Bluse')], weight: everywhere(1) })
    assert.deepEqual(counts(await upsert('id,name[language=de],weight', 'col-1,,1')), [0, 1, 0, 0])
    assert.deepEqual(await valuesOf('col-1'), { name: [english('Shirt')], weight: everywhere(1) })
    assert.deepEqual(counts(await upsert('id,name[language=en],weight', 'col-1,,')), [0, 1, 0, 0])
    assert.deepEqual(await valuesOf('col-1'), {})
    assert.deepEqual(counts(await upsert('id,name[language=en],weight', 'col-1,,')), [0, 0, 1, 0])
    assert.equal((await readAudit(shop.admin, 'col-1')).length, 4)
  })

  it('tells nothing of hidden values in other scopes, which the row does not name', async () => {
    const text = (validation: object) => ({
      name: 'Told',
      attributes: [{ alias: 'text', name: 'Text', dataType: 'text', dimensionIds: ['language'], validation }],
    })
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-told', ...text({}) })
    await make(shop.admin, '/api/v1/records', {
      id: 'told-1',
      schemaId: 'sch-told',
      values: { text: [german('lang')] },
    })
    assert.equal((await send(shop.admin, 'PUT', '/api/v1/schemas/sch-told', text({ maxLength: 2 }))).status, 200)
    const clerk = await shop.clientWith(['records.read', 'records.create', 'records.update'], {
      attributePermissions: { 'sch-told': { text: 'none' } },
    })
    const rows = ['id,text[language=en]', 'told-1,ok']
    const result = await importCsv(clerk, rows, 'mode=upsert&schemaId=sch-told')
    assert.deepEqual(failures(result), ['2 told-1 PERMISSION_DENIED'])
  })

  it('needs write permission for every attribute that has a column', async () => {
    await makeShirt(shop.admin, {}, { id: 'col-2' })
    const rows = ['id,weight,price,price.currency', 'col-2,1,,']
    const result = await importCsv(shop.clerk, rows, 'mode=upsert&schemaId=sch-shirt')
    assert.deepEqual(failures(result), ['2 col-2 PERMISSION_DENIED'])
  })

  it('stores a cell as it is given, also where a variant would inherit the same', async () => {
    await makeShirt(shop.admin, { sku: everywhere('PARENT'), name: [english('P'), german('E')] }, { id: 'var-p' })
    const rows = [
      'id,parentId,sku,name[language=en],name[language=de]',
      'var-1,var-p,,P,Own',
      'var-2,var-p,,P,E',
      'var-3,var-p,VAR-3,,',
      'var-4,var-p,PARENT,,',
    ]
    const result = await upsert(...rows)
    assert.deepEqual(counts(result), [3, 0, 0, 1])
    // What is unique is unique for variants, too.
    assert.deepEqual(failures(result), ['5 var-4 CONFLICT'])
    assert.deepEqual(await valuesOf('var-1'), { name: [english('P'), german('Own')] })
    assert.deepEqual(await valuesOf('var-2'), { name: [english('P'), german('E')] })
    assert.deepEqual(await valuesOf('var-3'), { sku: everywhere('VAR-3') })
    assert.deepEqual(counts(await upsert(...rows.slice(0, 4))), [0, 0, 3, 0])
    assert.deepEqual(counts(await upsert('id,name[language=en]', 'var-1,', 'var-2,P')), [0, 1, 1, 0])
    assert.deepEqual(await valuesOf('var-1'), { name: [german('Own')] })
  })
})
