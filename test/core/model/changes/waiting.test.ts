// Who waits for a change of the model over HTTP: the client that asked for it, until the server stops, and nobody else.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertRefused, send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import { importFile, lines } from '../../../helpers/importing.ts'
import { untilStanding } from '../../../helpers/model-change-stage.ts'
import { startServer, type TestServer } from '../../../helpers/server.ts'
import { everywhere, make } from '../../../helpers/shirts.ts'
import { assertSound } from '../../../helpers/soundness.ts'

/** With more than 1,000 nobody waits: a bulk job makes the change. Writers make some more. */
const RECORDS = 600
const text = (alias: string, more: object = {}): object => ({ alias, dataType: 'text', ...more })
const scoped = (alias: string, unique = false): object => text(alias, { unique, dimensionIds: ['language'] })
const WHOLE = [scoped('sku'), scoped('note'), text('title')]
const segments = (...ids: string[]) => ({ name: 'Language', segments: ids.map((id) => ({ id })) })

async function fill(admin: Client, schemaId: string): Promise<void> {
  await make(admin, '/api/v1/schemas', { id: schemaId, name: 'S', attributes: WHOLE })
  const values = (index: number) => ({
    sku: [{ scope: { language: 'en' }, value: `S-${index}` }],
    note: everywhere('note'),
    title: everywhere(`Title ${index}`),
  })
  const all = Array.from({ length: RECORDS }, (_, index) => ({
    id: `${schemaId}-${index}`,
    schemaId,
    values: values(index),
  }))
  assert.equal((await importFile(admin, lines(...all))).created, RECORDS)
}

const put = (admin: Client, schemaId: string, ...attributes: object[]) =>
  send(admin, 'PUT', `/api/v1/schemas/${schemaId}?dropValues=true`, { name: 'S', attributes })
const aliasesOf = async (admin: Client, schemaId: string): Promise<string[]> =>
  (await send<{ attributes: { alias: string }[] }>(admin, 'GET', `/api/v1/schemas/${schemaId}`)).body.attributes.map(
    ({ alias }) => alias,
  )

let server: TestServer
before(async () => {
  server = await startServer({ maxRecords: 0 })
  await make(server.admin, '/api/v1/dimensions', { id: 'language', ...segments('en', 'de', 'fr') })
})
after(() => server.stop())

describe('A change of the model', () => {
  it('goes on when the client that asked for it goes away', async () => {
    await fill(server.admin, 'sch-left')
    const client = new AbortController()
    const response = fetch(`${server.url}/api/v1/schemas/sch-left?dropValues=true`, {
      method: 'PUT',
      headers: { ...server.admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'S', attributes: [text('title')] }),
      signal: client.signal,
    })
    await untilStanding(server.dataDir, () => true, response)
    client.abort()
    await assert.rejects(response, { name: 'AbortError' })
    assert.equal((await aliasesOf(server.admin, 'sch-left')).length, 3)
    const end = Date.now() + 60_000
    while ((await aliasesOf(server.admin, 'sch-left')).length > 1 && Date.now() < end) await sleep(20)
    assert.deepEqual(await aliasesOf(server.admin, 'sch-left'), ['title'])
  })

  it(
    'whatever others write meanwhile, ends with records that fit, of which each can be found',
    { timeout: 600_000 },
    async () => {
      const { admin } = server
      await fill(admin, 'sch-busy')
      const answers = new Map<string, number>()
      let isOver = false
      const write = async (writer: number): Promise<void> => {
        for (let count = 0; !isOver; count += 1) {
          const id = `sch-busy-${(writer * 373 + count * 97) % RECORDS}`
          const language = ['en', 'de', 'fr'][count % 3]!
          const some = [
            { sku: [{ scope: { language }, value: `S-${(count * 31) % 2000}` }] },
            { note: everywhere('other') },
            { title: everywhere(`Other ${count}`), note: [] },
            { sku: [], title: [] },
          ][count % 4]
          const isNew = count % 5 === 0
          const answer = isNew
            ? await send(admin, 'POST', '/api/v1/records', { schemaId: 'sch-busy', values: some })
            : await send(admin, count % 17 === 0 ? 'DELETE' : 'PUT', `/api/v1/records/${id}`, { values: some })
          answers.set(String(answer.status), (answers.get(String(answer.status)) ?? 0) + 1)
        }
      }
      const writers = [1, 2, 3, 4].map((writer) => write(writer))
      const statuses: number[] = []
      statuses.push((await put(admin, 'sch-busy', scoped('sku', true), text('title'))).status)
      statuses.push((await send(admin, 'PUT', '/api/v1/dimensions/language', segments('en', 'de'))).status)
      statuses.push((await put(admin, 'sch-busy', text('sku', { unique: true }), text('title'))).status)
      isOver = true
      await Promise.all(writers)
      // What the writers wrote may stand in the way of a change, and then it has not happened.
      for (const status of statuses) assert.ok([200, 202, 409].includes(status), String(status))
      for (const status of answers.keys())
        assert.ok(['200', '201', '204', '400', '404', '409'].includes(status), `a writer got ${status}`)
      const left = await aliasesOf(admin, 'sch-busy')
      assert.equal((await put(admin, 'sch-busy', text('title'))).status, 200, left.join())
      await assertSound(server.dataDir)
    },
  )

  it('is answered 503 when the server stops, and undone at the next start', async () => {
    const first = await startServer({ maxRecords: 0 })
    await make(first.admin, '/api/v1/dimensions', { id: 'language', ...segments('en') })
    await fill(first.admin, 'sch-stopped')
    const answer = put(first.admin, 'sch-stopped', text('title'))
    await untilStanding(first.dataDir, ({ stage }) => stage === 'drop', answer)
    await first.stop()
    assertRefused(await answer, 'UNAVAILABLE', 'shutting down')
    assert.deepEqual(
      first.logged.filter(({ status }) => status === 503).map(({ level }) => level),
      [30],
    )
    await assertSound(first.dataDir)
    const again = await startServer({ maxRecords: 0, dataDir: first.dataDir })
    try {
      assert.deepEqual(await aliasesOf(again.admin, 'sch-stopped'), ['sku', 'note', 'title'])
      assert.equal((await put(again.admin, 'sch-stopped', text('title'))).status, 200)
      await assertSound(first.dataDir)
    } finally {
      await again.stop()
    }
  })
})
