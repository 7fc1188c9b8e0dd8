// What can be told of a record whose oldest audit entries are deleted (`--keep-audit-days`).
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { HOUR, makeClock } from '../../helpers/clock.ts'
import { startServer } from '../../helpers/server.ts'
import { everywhere, makeShirt, readAudit, type RecordBody, startWorkspace } from '../../helpers/shirts.ts'

const DAY = 24 * HOUR

it('every version is known that the entries which are kept lead back to, and the message says so of others', async () => {
  const clock = makeClock()
  const shop = await startWorkspace({ testing: { system: clock } })
  const untouched = await makeShirt(shop.admin, { weight: everywhere(7) })
  const { id } = await makeShirt(shop.admin, { weight: everywhere(1), color: everywhere('red') })
  clock.advance(20 * DAY)
  for (const weight of [2, 3])
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { weight: everywhere(weight) } })
  const [third, second, first] = await readAudit(shop.admin, id)
  const [made] = await readAudit(shop.admin, untouched.id)
  clock.advance(11 * DAY)
  await shop.stop()

  const server = await startServer({ dataDir: shop.dataDir, keepAuditDays: 30, testing: { system: clock } })
  const read = (recordId: string, version: number) =>
    send<RecordBody>(server.admin, 'GET', `/api/v1/records/${recordId}?version=${version}`)
  try {
    for (let tries = 0; tries < 400 && (await readAudit(server.admin, id)).length > 2; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 5))
    assert.deepEqual((await read(id, third!.version)).body.values['weight'], everywhere(3))
    assert.deepEqual((await read(id, second!.version)).body.values, { weight: everywhere(2), color: everywhere('red') })
    const lost = await read(id, first!.version)
    assertRefused(lost, 'NOT_FOUND', id, 'kept', String(second!.version), '--keep-audit-days')
    const path = `/api/v1/records/${id}/restore`
    const refused = await send(server.admin, 'POST', path, { version: first!.version })
    assertRefused(refused, 'CONFLICT', id, 'kept')
    assert.equal((await send(server.admin, 'POST', path, { version: second!.version })).status, 200)
    assert.equal((await read(untouched.id, made!.version)).status, 200, 'the present version needs no entry')
    assertRefused(await read(untouched.id, 1 + made!.version), 'NOT_FOUND', 'never')
  } finally {
    await server.stop()
  }
})
