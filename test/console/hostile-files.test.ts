// Files of strangers: no address of the server lets a browser run what is in them. Contract 4 §3.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { send } from '../helpers/answers.ts'
import { sendFile } from '../helpers/files.ts'
import { sizeOf } from '../helpers/in-full.ts'
import { startServer, type TestServer } from '../helpers/server.ts'
import { everywhere, make } from '../helpers/shirts.ts'
import { openBrowser } from './helpers/browser.ts'
import { withoutBrowser } from './helpers/chromium.ts'
import { makeHostileFiles } from './helpers/hostile-files.ts'

const FILES = sizeOf({ full: 200, short: 34 })
/** Files of one page. */
const AT_ONCE = 10
/** Milliseconds for scripts of a page to run. */
const PATIENCE = 300

/** A page of another origin, and the names of scripts that ran. */
interface Stage {
  readonly origin: string
  readonly ran: Set<string>
  readonly server: Server
  body: string
}

async function startStage(): Promise<Stage> {
  const ran = new Set<string>()
  const server = createServer((request, response) => {
    const [, name] = /^\/ran\/(.+)/.exec(request.url!) ?? []
    if (name !== undefined) ran.add(name)
    const body = request.url === '/control' ? `<script>${scriptOf('control')}</script>` : stage.body
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stage: Stage = { origin, ran, server, body: '' }
  const scriptOf = scriptFor(origin)
  return stage
}

/** Tells by a navigation, which a policy for other resources does not stop. */
const scriptFor =
  (origin: string) =>
  (name: string): string =>
    `location='${origin}/ran/${name}'`

interface Addresses {
  readonly index: number
  readonly all: readonly string[]
}

/** Uploads the files, and names them in records: all addresses of each. */
async function keepFiles({ admin, url }: TestServer, origin: string): Promise<Addresses[]> {
  const schema = { id: 'sch-any', name: 'Any', attributes: [{ alias: 'file', dataType: 'file' }] }
  await make(admin, '/api/v1/schemas', schema)
  const files = await makeHostileFiles(FILES, (index) => scriptFor(origin)(String(index)))
  const hashes: string[] = []
  for (const [index, { name, content }] of files.entries()) {
    const { body } = await sendFile(admin, content, name)
    const values = { file: everywhere({ sha256: body.sha256, fileName: body.fileName }) }
    await make(admin, '/api/v1/records', { id: `r-${index}`, schemaId: 'sch-any', values })
    hashes.push(body.sha256)
  }
  const columns = ['original', 'thumb'].map((preset) => ({
    header: preset,
    attributeAlias: 'file',
    part: 'url',
    preset,
  }))
  const asked = { schemaId: 'sch-any', criteria: [], criteriaOperator: 'and', format: 'json', columns, limit: FILES }
  const { body: rows } = await send<Record<string, string | null>[]>(admin, 'POST', '/api/v1/records/export', asked)
  return hashes.map((sha256, index) => {
    const ofRecord = `/api/v1/records/r-${index}/files/${sha256}`
    const paths = [
      ofRecord,
      `${ofRecord}/renditions/original`,
      `${ofRecord}/renditions/thumb`,
      `/api/v1/files/${sha256}`,
    ]
    const open = Object.values(rows[index]!).filter((path) => path !== null)
    return { index, all: [...paths, ...open].map((path) => url + path) }
  })
}

/** Each way in which a page can use an address. */
function useOf(address: string): string {
  const source = address.replaceAll('&', '&amp;')
  return `<iframe src="${source}"></iframe><img src="${source}"><object data="${source}"></object>
    <embed src="${source}"><script src="${source}"></script><link rel="stylesheet" href="${source}">`
}

async function show(page: Page, stage: Stage, body: string): Promise<void> {
  stage.body = `<!doctype html><body>${body}`
  await page.goto(stage.origin, { waitUntil: 'load' })
  await page.waitForTimeout(PATIENCE)
}

describe('Files of strangers', { skip: withoutBrowser }, () => {
  let stage: Stage
  let server: TestServer
  let page: Page
  let kept: Addresses[]
  before(async () => {
    stage = await startStage()
    server = await startServer({ maxRecords: 0 })
    kept = await keepFiles(server, stage.origin)
    const browser = await openBrowser()
    const context = await browser.newContext({ acceptDownloads: false, extraHTTPHeaders: server.admin.headers })
    page = await context.newPage()
  })
  after(async () => {
    await page.context().close()
    stage.server.close().closeAllConnections()
    await server.stop()
  })

  it('run where nothing stops them: the test would see them', async () => {
    await show(page, stage, `<iframe src="${stage.origin}/control"></iframe>`)
    assert.deepEqual([...stage.ran], ['control'])
    stage.ran.clear()
  })

  it('run from no address, in no use of a page', async () => {
    for (let first = 0; first < kept.length; first += AT_ONCE) {
      const some = kept.slice(first, first + AT_ONCE)
      await show(page, stage, some.flatMap(({ all }) => all.map(useOf)).join('\n'))
      assert.deepEqual([...stage.ran], [], `files ${first} to ${first + AT_ONCE - 1}`)
    }
  })

  it('run in no tab of their own', async () => {
    // One file of each kind.
    for (const { all } of kept.slice(0, 17))
      for (const address of all) {
        // What is saved in place of being shown ends the navigation.
        await page.goto(address).catch(() => undefined)
        await page.waitForTimeout(20)
      }
    assert.deepEqual([...stage.ran], [])
  })
})
