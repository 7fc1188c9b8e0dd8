// `--keep-audit-days`: what is too old goes, and nothing else changes.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { HOUR, makeClock } from '../../helpers/clock.ts'
import { startServer, type TestServer } from '../../helpers/server.ts'
import { type AuditEntryBody, everywhere, makeShirt, readAudit, startWorkspace } from '../../helpers/shirts.ts'

const DAY = 24 * HOUR

interface Feed {
  items: AuditEntryBody[]
  cursor: string
}

async function readFeed({ admin }: Pick<TestServer, 'admin'>, after = ''): Promise<Feed> {
  const query = after === '' ? '' : `?after=${after}`
  return (await send<Feed>(admin, 'GET', `/api/v1/changes${query}`)).body
}

it('entries older than --keep-audit-days are deleted, in the background; records stay, and cursors go on rising', async () => {
  const clock = makeClock()
  const shop = await startWorkspace({ testing: { system: clock } })
  const old = await makeShirt(shop.admin, { weight: everywhere(1) })
  clock.advance(20 * DAY)
  const young = await makeShirt(shop.admin, { weight: everywhere(2) })
  const { cursor } = await readFeed(shop)
  clock.advance(11 * DAY)
  await shop.stop()

  const server = await startServer({ dataDir: shop.dataDir, keepAuditDays: 30, testing: { system: clock } })
  try {
    for (let tries = 0; tries < 400 && (await readAudit(server.admin, old.id)).length > 0; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 5))
    assert.deepEqual(await readAudit(server.admin, old.id), [])
    assert.equal((await readAudit(server.admin, young.id)).length, 1)
    assert.equal((await send(server.admin, 'GET', `/api/v1/records/${old.id}`)).status, 200)
    await send(server.admin, 'PUT', `/api/v1/records/${old.id}`, { values: { weight: everywhere(3) } })
    const { items } = await readFeed(server, cursor)
    assert.deepEqual(
      items.map(({ action, entityId }) => [action, entityId]),
      [['update', old.id]],
    )
  } finally {
    await server.stop()
  }
})

it('without --keep-audit-days entries are kept for ever', async () => {
  const clock = makeClock()
  const shop = await startWorkspace({ testing: { system: clock } })
  const { id } = await makeShirt(shop.admin, {})
  await shop.stop()
  clock.advance(10_000 * DAY)
  const server = await startServer({ dataDir: shop.dataDir, testing: { system: clock } })
  assert.equal((await readAudit(server.admin, id)).length, 1)
  await server.stop()
})
