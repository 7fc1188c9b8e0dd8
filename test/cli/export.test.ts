// `pimlet export`: formats, files that are whole or absent, and the way back by `pimlet import`. Contract 2 §8.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { readSheet } from '../helpers/workbook.ts'
import { send } from '../helpers/answers.ts'
import type { Client } from '../helpers/client.ts'
import { runCommand } from '../helpers/command.ts'
import { loadRealCatalogue, readRealCatalogue, withRealCatalogue } from '../helpers/real-catalogue.ts'
import { ADMIN_KEY, startServer } from '../helpers/server.ts'
import { english, everywhere, german, make, makeShirt, type RecordBody, startWorkspace } from '../helpers/shirts.ts'
import type { Workspace } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

let shop: Workspace
let directory: string
before(async () => {
  directory = makeTempDirectory()
  shop = await startWorkspace({ maxRecords: 0 })
  const name = [english('Say "hi", you'), german('Zeile\nzwei')]
  await makeShirt(shop.admin, { name, price: everywhere({ amount: 2.5, currency: 'EUR' }) }, { id: 'x-1' })
  await makeShirt(shop.admin, { weight: everywhere(3), toString: everywhere('') }, { id: 'x-2', parentId: 'x-1' })
  await make(shop.admin, '/api/v1/records', { id: 'x-3', schemaId: 'sch-plain', values: { title: everywhere('T') } })
})
after(() => shop.stop())

const run = (args: readonly string[], url = shop.url) =>
  runCommand(args, { env: { PIMLET_URL: url, PIMLET_API_KEY: ADMIN_KEY } })

/** The text of the file that the command writes. */
async function exported(name: string, ...flags: string[]): Promise<Buffer> {
  const out = path.join(directory, name)
  const result = await run(['export', '--out', out, ...flags])
  assert.equal(result.status, 0, result.stderr)
  const file = readFileSync(out)
  const [, records, bytes] = /: (\d+) records, (\d+) bytes\n$/.exec(result.stdout)!
  assert.equal(result.stdout, `${out}: ${records} records, ${bytes} bytes\n`)
  assert.equal(Number(bytes), file.length)
  return file
}

const essence = ({ id, schemaId, parentId, values }: RecordBody) => ({ id, schemaId, parentId, values })

async function allRecords(client: Client): Promise<RecordBody[]> {
  return (await send<{ items: RecordBody[] }>(client, 'GET', '/api/v1/records?limit=1000')).body.items
}

describe('pimlet export', () => {
  it('writes the file that records/export answers, with the values of the records themselves', async () => {
    for (const format of ['jsonl', 'json']) {
      const question = { criteria: [], criteriaOperator: 'and', format, variantValues: 'own' }
      const answer = await fetch(`${shop.url}/api/v1/records/export`, {
        method: 'POST',
        headers: { ...shop.admin.headers, 'content-type': 'application/json' },
        body: JSON.stringify(question),
      })
      assert.equal((await exported(`a.${format}`)).toString(), await answer.text())
    }
    const records = (JSON.parse(readFileSync(path.join(directory, 'a.json'), 'utf8')) as RecordBody[]).map(essence)
    assert.deepEqual(records, (await allRecords(shop.admin)).map(essence))
  })

  it('writes csv and xml', async () => {
    const csv = (await exported('a.csv', '--schema', 'sch-shirt')).toString()
    const [header, ...rows] = csv.split('\r\n')
    assert.equal(
      header,
      'id,schemaId,parentId,lifecycleStateId,createdAt,updatedAt,name[language=en],name[language=de],price,price.currency,weight,toString',
    )
    assert.match(rows[0]!, /^x-1,sch-shirt,,state-draft,.*,"Say ""hi"", you","Zeile\nzwei",2\.5,EUR,,$/)
    assert.match(rows[1]!, /^x-2,sch-shirt,x-1,state-draft,.*,,,,,3,""$/)
    const xml = (await exported('a.xml')).toString()
    assert.match(xml, /<record id="x-1".*>\s*<value attribute="name" scope="language=en">Say "hi", you<\/value>/)
    assert.ok(xml.endsWith('</records>\n'))
  })

  it('takes no character of a value for the end of a line', async (test) => {
    const id = 'x-lines'
    const name = 'one\u2028two\u2029three\u0085four\vfive\rsix'.repeat(20_000)
    await make(shop.admin, '/api/v1/records', { id, schemaId: 'sch-plain', values: { title: everywhere(name) } })
    test.after(() => send(shop.admin, 'DELETE', `/api/v1/records/${id}`))
    const csv = (await exported('lines.csv', '--schema', 'sch-plain')).toString()
    assert.ok(csv.endsWith(`,"${name}"\r\n`))
  })

  it('writes to standard output, with nothing else in it', async () => {
    const result = await run(['export', '--format', 'jsonl', '--schema', 'sch-plain'])
    assert.equal(result.stderr, '')
    assert.deepEqual((JSON.parse(result.stdout) as RecordBody).id, 'x-3')
    const nothing = ['--schema', 'sch-plain', '--state', 'state-published']
    assert.equal((await run(['export', '--format', 'json', ...nothing])).stdout, '[\n]\n')
    assert.equal((await run(['export', '--format', 'jsonl', ...nothing])).stdout, '')
  })

  it('writes a workbook, and what a search, a saved query, a state or a catalog says', async (test) => {
    const rows = async (name: string, ...flags: string[]) => readSheet(await exported(name, ...flags))
    const [header, ...shirts] = await rows('a.xlsx', '--schema', 'sch-shirt', '--scope', 'language=de')
    assert.deepEqual(header!.slice(0, 3), ['id', 'schemaId', 'parentId'])
    assert.deepEqual(
      shirts.map((row) => [row[0], row[header!.indexOf('name')]]),
      [
        ['x-1', 'Zeile\nzwei'],
        ['x-2', null],
      ],
    )
    const query = { criteria: [{ attributeAlias: 'weight', operator: 'equals', value: '3' }], criteriaOperator: 'and' }
    await make(shop.admin, '/api/v1/saved-queries', { id: 'sq-heavy', name: 'Heavy', ...query })
    test.after(() => send(shop.admin, 'DELETE', '/api/v1/saved-queries/sq-heavy'))
    const ids = async (name: string, ...flags: string[]) =>
      (await exported(`${name}.jsonl`, ...flags)).toString().match(/"id":"[^"]*"/g)
    assert.deepEqual(await ids('by-query', '--query', 'sq-heavy'), ['"id":"x-2"'])
    assert.deepEqual(await ids('by-json', '--query', JSON.stringify(query), '--state', 'state-draft'), ['"id":"x-2"'])
    assert.equal(await ids('by-state', '--state', 'state-published'), null)
    await make(shop.admin, '/api/v1/catalogs', { id: 'cat-empty', name: 'Empty' })
    assert.equal(await ids('by-catalog', '--catalog', 'cat-empty'), null)
  })

  it('says what it wrote, and replaces a file only where it may', async () => {
    const out = path.join(directory, 'plain.jsonl')
    const flags = ['export', '--out', out, '--schema', 'sch-plain']
    assert.match((await run(flags)).stdout, /plain\.jsonl: 1 records, \d+ bytes\n$/)
    const text = readFileSync(out, 'utf8')
    const refused = await run(flags, 'http://127.0.0.1:1')
    assert.deepEqual([refused.status, refused.stdout], [1, ''])
    assert.match(refused.stderr, /^pimlet: .*plain\.jsonl already exists: .*--force\n$/)
    writeFileSync(out, 'old')
    assert.equal((await run([...flags, '--force'])).status, 0)
    assert.equal(readFileSync(out, 'utf8'), text)
  })

  it('packs by gzip where the name says so', async () => {
    const text = gunzipSync(await exported('a.jsonl.gz')).toString()
    assert.equal(text.split('\n').length, 4)
  })

  it('gives what an import takes, in another workspace, too', async (t) => {
    for (const name of ['again.jsonl', 'again.csv']) {
      await exported(name)
      const other = await startWorkspace()
      t.after(() => other.stop())
      const imported = await run(['import', path.join(directory, name)], other.url)
      assert.equal(imported.stdout, 'created 3, updated 0, unchanged 0, failed 0\n', imported.stderr)
      assert.deepEqual((await allRecords(other.admin)).map(essence), (await allRecords(shop.admin)).map(essence))
      const unchanged = await run(['import', path.join(directory, name), '--mode', 'upsert'])
      assert.equal(unchanged.stdout, 'created 0, updated 0, unchanged 3, failed 0\n')
    }
  })

  it(
    'writes into a pipe or a device, and does not take its place',
    { skip: process.platform === 'win32' },
    async () => {
      const pipe = path.join(makeTempDirectory(), 'pipe')
      execFileSync('mkfifo', [pipe])
      const [result, received] = await Promise.all([
        run(['export', '--out', pipe, '--format', 'jsonl', '--schema', 'sch-plain']),
        readFile(pipe, 'utf8'),
      ])
      assert.deepEqual([result.status, result.stderr], [0, ''])
      assert.equal((JSON.parse(received) as RecordBody).id, 'x-3')
      assert.ok(statSync(pipe).isFIFO())
      assert.deepEqual(readdirSync(path.dirname(pipe)), ['pipe'])
    },
  )

  it('leaves an old file as it was where it fails, and no other', async () => {
    const out = path.join(makeTempDirectory(), 'kept.jsonl')
    writeFileSync(out, 'old')
    let asked = 0
    const server = createServer((_request, response) => {
      asked += 1
      if (asked === 1) return response.setHeader('X-Total-Count', 3).end('[]')
      response.write('{"id":"a","values":{}}\n{"id":')
      setTimeout(() => response.destroy(), 50)
      return undefined
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const result = await run(['export', '--out', out, '--force'], `http://127.0.0.1:${port}`)
    server.close()
    assert.equal(result.status, 1)
    assert.match(result.stderr, /pimlet: .*(cut|ended)/)
    assert.equal(readFileSync(out, 'utf8'), 'old')
    assert.deepEqual(readdirSync(path.dirname(out)), ['kept.jsonl'])
  })

  it('ends with one clear line for what it cannot do', async () => {
    const cases: [string[], number, RegExp][] = [
      [['--out', path.join(directory, 'none', 'x.csv')], 1, /there is no such directory/],
      [['--out', 'x.pdf'], 2, /--format is required/],
      [['--format', 'yaml'], 2, /--format must be one of csv, json/],
      [['--format', 'csv', '--api-key', 'wrong'], 1, /401 UNAUTHORIZED/],
      [['--format', 'csv', '--scope', 'de'], 2, /--scope 'de' is not of the form/],
      [['--format', 'csv', '--query', '{'], 2, /--query is neither/],
    ]
    for (const [flags, status, expected] of cases) {
      const result = await run(['export', ...flags])
      assert.equal(result.status, status, result.stderr)
      assert.match(result.stderr, /^pimlet: [^\n]+\n$/)
      assert.match(result.stderr, expected)
    }
  })
})

describe('The real catalogue', withRealCatalogue, () => {
  it('is the same after export and import, by csv and by JSON lines', { timeout: 600_000 }, async (t) => {
    const catalogue = readRealCatalogue()
    const server = await startServer()
    t.after(() => server.stop())
    await loadRealCatalogue(server.admin, catalogue)
    const records = await allRecords(server.admin)
    const schemas = (await send<unknown[]>(server.admin, 'GET', '/api/v1/schemas')).body
    for (const name of ['cars.csv', 'cars.jsonl']) {
      const out = path.join(directory, name)
      assert.equal((await run(['export', '--out', out], server.url)).status, 0)
      const other = await startServer()
      t.after(() => other.stop())
      for (const dimension of catalogue.model.dimensions) await make(other.admin, '/api/v1/dimensions', dimension)
      for (const schema of schemas) await make(other.admin, '/api/v1/schemas', schema)
      const result = await run(['import', out], other.url)
      assert.equal(result.stdout, `created ${records.length}, updated 0, unchanged 0, failed 0\n`, result.stderr)
      const found = new Map((await allRecords(other.admin)).map((record) => [record.id, record]))
      for (const record of records) {
        const { values, ...head } = essence(found.get(record.id)!)
        assert.deepEqual({ ...head, values: inOrder(values) }, { ...essence(record), values: inOrder(record.values) })
      }
    }
  })
})

/** Scoped values have no order. */
function inOrder(values: RecordBody['values']): RecordBody['values'] {
  const sorted = Object.entries(values).map(([alias, scoped]): [string, RecordBody['values'][string]] => [
    alias,
    scoped.toSorted((one, other) => (JSON.stringify(one.scope) < JSON.stringify(other.scope) ? -1 : 1)),
  ])
  return Object.fromEntries(sorted)
}
