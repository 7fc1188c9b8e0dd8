// `--keep-jobs-days`, and what the end of the audit trail means for an undo. Contract 3 §2, 3 §10.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefused, send } from '../helpers/answers.ts'
import { byIds, postJob, runJob, undoJob, untilEnded } from '../helpers/bulk-jobs.ts'
import { HOUR, makeClock } from '../helpers/clock.ts'
import { startServer } from '../helpers/server.ts'
import { everywhere, makeShirt, readAudit, readRecord, startWorkspace } from '../helpers/shirts.ts'

const DAY = 24 * HOUR
const weigh = (weight: number) => ({
  selection: byIds('one'),
  actions: [{ setValues: { weight: everywhere(weight) } }],
})

it('jobs are deleted --keep-jobs-days after their end', async () => {
  const clock = makeClock()
  const shop = await startWorkspace({ testing: { system: clock } })
  await makeShirt(shop.admin, {}, { id: 'one' })
  const old = await runJob(shop.admin, weigh(1))
  clock.advance(20 * DAY)
  const young = await runJob(shop.admin, weigh(2))
  clock.advance(11 * DAY)
  await shop.stop()

  const server = await startServer({ dataDir: shop.dataDir, keepJobsDays: 30, testing: { system: clock } })
  try {
    const statusOf = async (id: string) => (await send(server.admin, 'GET', `/api/v1/bulk-jobs/${id}`)).status
    for (let tries = 0; tries < 400 && (await statusOf(old.id)) === 200; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 5))
    assert.deepEqual([await statusOf(old.id), await statusOf(young.id)], [404, 200])
    assert.equal((await undoJob(server.admin, young.id)).changed, 1)
    assert.deepEqual((await readRecord(server.admin, 'one')).values['weight'], everywhere(1))
  } finally {
    await server.stop()
  }
})

it('a job whose audit entries are deleted cannot be undone', async () => {
  const clock = makeClock()
  const shop = await startWorkspace({ testing: { system: clock } })
  await makeShirt(shop.admin, {}, { id: 'one' })
  const job = await runJob(shop.admin, weigh(1))
  clock.advance(20 * DAY)
  await makeShirt(shop.admin, {}, { id: 'two' })
  clock.advance(11 * DAY)
  await shop.stop()

  const server = await startServer({
    dataDir: shop.dataDir,
    keepAuditDays: 30,
    keepJobsDays: 0,
    testing: { system: clock },
  })
  try {
    for (let tries = 0; tries < 400 && (await readAudit(server.admin, 'one')).length > 0; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 5))
    const undo = await send(server.admin, 'POST', `/api/v1/bulk-jobs/${job.id}/undo`)
    assertRefused(undo, 'CONFLICT', job.id, '--keep-audit-days')
  } finally {
    await server.stop()
  }
})

it('a job that waits at a stop begins at the next start', async () => {
  const shop = await startWorkspace()
  await makeShirt(shop.admin, {}, { id: 'one' })
  const posted = await postJob(shop.admin, weigh(5))
  const server = await shop.restart()
  try {
    assert.equal((await untilEnded(server.admin, posted.body.id)).changed, 1)
  } finally {
    await server.stop()
  }
})
