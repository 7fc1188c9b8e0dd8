// The search index is made from the records: whatever becomes of its file, searches are right, soon if not at once.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { openReader, openWriter } from '../../../src/store/sqlite/connection.ts'
import { send } from '../../helpers/answers.ts'
import type { Client } from '../../helpers/client.ts'
import { untilIndexed } from '../../helpers/indexed.ts'
import { startServer, type TestServer } from '../../helpers/server.ts'
import { addWords, copyOf, overwrite, startWithWords } from '../../helpers/words.ts'

async function serve(t: TestContext, dataDir: string): Promise<TestServer> {
  const server = await startServer({ dataDir, maxRecords: 0, allowFaults: true })
  t.after(() => server.stop())
  return server
}

/** How many records a search finds; undefined while the index cannot be read. */
async function countHits(client: Client, query: string): Promise<number | undefined> {
  const answer = await send<unknown[]>(client, 'POST', '/api/v1/search/full-text', { query })
  if (answer.status === 503) return undefined
  assert.equal(answer.status, 200, answer.text)
  return answer.body.length
}

async function assertFoundSoon(client: Client, query: string, count: number): Promise<void> {
  const end = performance.now() + 60_000
  let hits: number | undefined
  while ((hits = await countHits(client, query)) === undefined && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(hits, count)
}

/** The index is open then; its texts have not been read. */
async function untilReady({ admin }: TestServer): Promise<void> {
  const criteria = [{ attributeAlias: 'word', operator: 'equals', value: 'no such word' }]
  const answer = await send(admin, 'POST', '/api/v1/search', { criteria, criteriaOperator: 'and' })
  assert.deepEqual([answer.status, answer.body], [200, []])
}

async function assertLogged({ logged }: TestServer, text: string): Promise<void> {
  const end = performance.now() + 60_000
  while (!logged.some((line) => JSON.stringify(line).includes(text)) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 50))
  assert.ok(
    logged.some((line) => JSON.stringify(line).includes(text)),
    JSON.stringify(logged).slice(0, 3000),
  )
}

const templates = new Map<string, Promise<string>>()

/** A stopped workspace with 300 records, and its index: made once, and copied. */
async function makeWorkspace(prefix = 'apple'): Promise<{ dataDir: string; indexFile: string }> {
  const template = templates.get(prefix) ?? fillWorkspace(prefix)
  templates.set(prefix, template)
  const dataDir = copyOf(await template)
  return { dataDir, indexFile: path.join(dataDir, 'search-index.db') }
}

async function fillWorkspace(prefix: string): Promise<string> {
  const server = await startWithWords(prefix, 300)
  await server.stop()
  // On a busy machine the stop may have had no time for it: damage is seen where no log has the page.
  const index = openWriter(path.join(server.dataDir, 'search-index.db'), { durable: true })
  index.pragma('wal_checkpoint(TRUNCATE)')
  index.close()
  return server.dataDir
}

/** In the middle of it: what is read when the index is opened stays whole. */
function damageTable(indexFile: string, table: string): void {
  const db = openReader(indexFile)
  const root = db.prepare<[string], number>('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table)!
  db.close()
  overwrite(indexFile, (root - 1) * 4096, 4096)
}

describe('The search index', { timeout: 600_000 }, () => {
  const damages: [string, (file: string) => void][] = [
    ['is gone', (file) => rmSync(file)],
    ['is empty', (file) => truncateSync(file, 0)],
    ['has a damaged header', (file) => overwrite(file, 0, 100)],
    ['is text', (file) => writeFileSync(file, 'no database '.repeat(10_000))],
    ['is cut off', (file) => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096)],
    ['is damaged in the middle', (file) => overwrite(file, 8192, statSync(file).size - 12_288)],
  ]
  for (const [what, damage] of damages)
    it(`is rebuilt where it ${what}`, async (t) => {
      const { dataDir, indexFile } = await makeWorkspace()
      damage(indexFile)
      const { admin } = await serve(t, dataDir)
      await assertFoundSoon(admin, 'apple word', 300)
      await addWords(admin, 'pear', 5)
      await assertFoundSoon(admin, 'pear word', 5)
      await assertFoundSoon(admin, 'apple word 7', 11)
    })

  it('is rebuilt when a search meets damage while the server runs', async (t) => {
    const { dataDir, indexFile } = await makeWorkspace()
    const server = await serve(t, dataDir)
    await untilIndexed(server.admin)
    await untilReady(server)
    damageTable(indexFile, 'text_data')
    assert.equal(await countHits(server.admin, 'apple word'), undefined)
    await assertFoundSoon(server.admin, 'apple word 7', 11)
    await assertLogged(server, 'is damaged and is being rebuilt')
  })

  it('is rebuilt when a write meets damage, before anybody searches', async (t) => {
    const { dataDir, indexFile } = await makeWorkspace()
    const server = await serve(t, dataDir)
    await untilIndexed(server.admin)
    await untilReady(server)
    damageTable(indexFile, 'value')
    await addWords(server.admin, 'pear', 50)
    await assertLogged(server, 'is damaged and is being rebuilt')
    await assertFoundSoon(server.admin, 'pear word', 50)
  })

  it('of another workspace is not used', async (t) => {
    const { indexFile } = await makeWorkspace()
    const other = await makeWorkspace('banana')
    copyFileSync(indexFile, other.indexFile)
    const { admin } = await serve(t, other.dataDir)
    await assertFoundSoon(admin, 'banana word', 300)
    assert.equal(await countHits(admin, 'apple'), 0)
  })

  it('that has seen less than what was forgotten since is not used', async (t) => {
    const { dataDir, indexFile } = await makeWorkspace()
    const old = readFileSync(indexFile)
    const grown = await serve(t, dataDir)
    for (const round of [1, 2, 3]) await addWords(grown.admin, `cherry${round}`, 700)
    assert.equal(await countHits(grown.admin, 'cherry1 word'), 700)
    await grown.stop()
    writeFileSync(indexFile, old)
    const { admin } = await serve(t, dataDir)
    await assertFoundSoon(admin, 'cherry1 word', 700)
  })
})
