// The pages of docs/ show requests for a shell: they run in one, page after page, and every request succeeds.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { send } from '../helpers/answers.ts'
import { ADMIN_KEY, ADMIN_PASSWORD, startServer, type TestServer } from '../helpers/server.ts'
import { make } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const run = promisify(execFile)
const lacksCurl = spawnSync('curl', ['--version']).status !== 0

const read = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8')
const blocks = (page: string, kind: string): string[] =>
  [...read(page).matchAll(/^```(\S+)\n([^]*?)^```/gm)].filter(([, found]) => found === kind).map(([, , text]) => text!)

/** The blocks with requests. Commands have tests of their own, and so have requests whose IDs the page leaves out. */
function requestsOf(page: string): string[] {
  return blocks(page, 'sh').filter(
    (text) => /^ *(call|curl|api=)/m.test(text) && !/imp-…|-d '…'|pimlet\.json|npm start/.test(text),
  )
}

/** What the pages after the README suppose. */
const attributes = [
  { alias: 'name', dataType: 'text', dimensionIds: ['language'] },
  { alias: 'price', dataType: 'price', dimensionIds: ['market'] },
  { alias: 'sku', dataType: 'text', unique: true },
  { alias: 'color', dataType: 'select', options: [{ id: 'red' }, { id: 'blue' }] },
  { alias: 'colours', dataType: 'multiSelect', options: [{ id: 'red', name: 'Rot' }] },
]
const FILES: Record<string, string> = {
  'shirt.jpg': 'no picture, but a file',
  'shirts.csv': 'id,schemaId\nshirt-1,sch-shirt\n',
  'preise.csv': 'id;price[market=eu];price[market=eu].currency\nshirt-1;19,90;EUR\n',
  'liste.csv': 'Art.-Nr.;Bezeichnung;VK;Währung;Farben;Gruppe;Hauptartikel\nA1;Hemd;9,90;;Rot;Hemden;\n',
}

describe('docs, in a shell', { skip: lacksCurl && 'curl is missing' }, () => {
  const directory = makeTempDirectory()
  let server: TestServer
  let definitions = ''
  before(async () => {
    server = await startServer()
    for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(directory, name), text)
    // Every curl fails with an answer that is no success, and shows it.
    writeFileSync(path.join(directory, '.curlrc'), 'fail-with-body\n')
  })
  after(() => server.stop())

  async function runBlock(text: string): Promise<string> {
    const script = `set -e\npimlet() { :; }\n${definitions}${text}`
      .replaceAll('http://127.0.0.1:8080', server.url)
      .replaceAll('THE PRINTED ONE', ADMIN_PASSWORD)
    const env = { PATH: process.env['PATH'], CURL_HOME: directory, PIMLET_API_KEY: ADMIN_KEY, KEY: ADMIN_KEY }
    const { stdout } = await run('sh', ['-c', script], { cwd: directory, env: { ...env, URL: server.url } }).catch(
      (error: Error & { stdout: string; stderr: string }) => assert.fail(`${text}${error.stdout}${error.stderr}`),
    )
    return stdout
  }

  it('README.md: the first record', async () => {
    const requests = requestsOf('README.md')
    for (const text of requests) {
      await runBlock(text)
      if (text.startsWith('call()')) definitions = text.split('\n', 2).join('\n') + '\n'
      if (text.startsWith('call()')) continue
      assert.match(text, /completeness/)
    }
    assert.equal(requests.length, 2)
  })

  it('docs/settings.md: an API key', async () => {
    const [login] = requestsOf('docs/settings.md')
    assert.match(await runBlock(login!), /"key":"/)
    definitions += login!.split('\n').slice(1, 3).join('\n') + '\n'
  })

  for (const page of ['exports', 'import', 'files', 'search', 'working-together', 'operate'])
    it(`docs/${page}.md`, async () => {
      if (page === 'import') await enlarge(server)
      const requests = requestsOf(`docs/${page}.md`)
      assert.notEqual(requests.length, 0)
      for (const text of requests) await runBlock(text)
    })

  it('docs/import.md shows the members of a result', async () => {
    const [shown] = /\{"created":0.*"encoding":.*\}/.exec(read('docs/import.md'))!
    const answered = await runBlock(requestsOf('docs/import.md').find((text) => text.includes(shown))!)
    assert.deepEqual(Object.keys(JSON.parse(answered) as object), Object.keys(JSON.parse(shown) as object))
  })

  it('docs/files.md shows a criterion', async () => {
    const content = { alias: 'content', dataType: 'file' }
    await make(server.admin, '/api/v1/schemas', { id: 'sch-picture', name: 'Picture', attributes: [content] })
    const criteria = blocks('docs/files.md', 'json').map((text) => JSON.parse(text) as object)
    const search = { criteriaOperator: 'and', criteria: criteria.filter((one) => 'operator' in one) }
    const { status, text } = await send(server.admin, 'POST', '/api/v1/search', search)
    assert.deepEqual([status, text], [200, '[]'])
  })

  for (const type of ['s3', 'azure-blob', 'sftp', 'webhook'])
    it(`docs/destinations/${type}.md shows a job`, async () => {
      const [job] = blocks(`docs/destinations/${type}.md`, 'json')
      await make(server.admin, '/api/v1/export-jobs', JSON.parse(job!))
    })
})

async function enlarge({ admin }: TestServer): Promise<void> {
  const segments = [{ id: 'eu' }, { id: 'us' }]
  await make(admin, '/api/v1/dimensions', { id: 'market', name: 'Market', segments })
  const { status, text } = await send(admin, 'PUT', '/api/v1/schemas/sch-shirt?dropValues=true', {
    name: 'Shirt',
    attributes,
  })
  assert.equal(status, 200, text)
  await make(admin, '/api/v1/catalogs', { id: 'cat-web', name: 'Web' })
  await make(admin, '/api/v1/catalogs/cat-web/categories', { name: 'Hemden' })
  await make(admin, '/api/v1/records', { id: 'shirt-1', schemaId: 'sch-shirt', values: {} })
  const anna = { id: 'usr-anna', username: 'anna', name: 'Anna', password: 'a good password', roleId: 'role-editor' }
  await make(admin, '/api/v1/users', anna)
}
