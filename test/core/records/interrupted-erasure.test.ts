// A history that is being erased when the server stops or dies: nobody reads it any more, and the next start goes on.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PimletError } from '../../../src/kernel/errors.ts'
import type { Store } from '../../../src/store/port.ts'
import { assertRefused, send } from '../../helpers/answers.ts'
import { postJob, runJob, untilEnded } from '../../helpers/bulk-jobs.ts'
import { sizeOf } from '../../helpers/in-full.ts'
import { over } from '../../helpers/over.ts'
import { startServer } from '../../helpers/server.ts'
import { startServerProcess } from '../../helpers/server-process.ts'
import { everywhere, make, makeShirt, readAudit, startWorkspace } from '../../helpers/shirts.ts'
import { assertSound } from '../../helpers/soundness.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { storedIn } from '../../helpers/tested-database.ts'

const MARKER = 'interruptedmarkerqzxvkjwq'
const isStored = async (dataDir: string): Promise<boolean> =>
  (await storedIn(dataDir)).some((part) => part.toLowerCase().includes(MARKER))

async function untilGone(dataDir: string): Promise<void> {
  for (let tries = 0; await isStored(dataDir); tries += 1) {
    assert.ok(tries < 600, 'the marker is still there')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Once it is told to, only so many transactions more are made. */
function stopAfter(store: Store, left: { transactions: number }): Store {
  return over(store, {
    transaction: (work) => {
      left.transactions -= 1
      if (left.transactions >= 0) return store.transaction(work)
      return Promise.reject(new PimletError('UNAVAILABLE', 'The test stops it here'))
    },
  })
}

for (const transactions of sizeOf({ full: [1, 2, 3, 5], short: [1, 3] }))
  it(`stopped after ${transactions} transactions, it cannot be read, and goes on with the next start`, async () => {
    const left = { transactions: Infinity }
    const shop = await startWorkspace({ allowFaults: true, testing: { wrapStore: (store) => stopAfter(store, left) } })
    const { id } = await makeShirt(shop.admin, { toString: everywhere(MARKER) })
    const actions = [{ setValues: { toString: everywhere(`${MARKER} again`) } }]
    const job = await runJob(shop.admin, { selection: { ids: [id] }, actions })
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { toString: everywhere('now') } })
    const first = (await readAudit(shop.admin, id)).at(-1)!
    left.transactions = transactions
    assertRefused(await send(shop.admin, 'DELETE', `/api/v1/records/${id}/history`), 'UNAVAILABLE')
    const past = `/api/v1/records/${id}?version=${first.version}`
    assertRefused(await send(shop.admin, 'GET', past), 'NOT_FOUND', 'erased')
    assert.equal(await isStored(shop.dataDir), true)
    left.transactions = Infinity
    await shop.stop()

    const server = await startServer({ dataDir: shop.dataDir })
    await untilGone(shop.dataDir)
    const undo = await send<{ id: string }>(server.admin, 'POST', `/api/v1/bulk-jobs/${job.id}/undo`)
    assert.deepEqual((await untilEnded(server.admin, undo.body.id)).failed, 1)
    assertRefused(await send(server.admin, 'GET', past), 'NOT_FOUND', 'erased')
    await server.stop()
    await assertSound(shop.dataDir)
    assert.equal(await isStored(shop.dataDir), false, 'after the end, too')
  })

it('killed at any moment, it ends with the next start', async () => {
  const dataDir = makeTempDirectory()
  let server = await startServerProcess(dataDir)
  const attributes = [{ alias: 'title', dataType: 'text' }]
  await make(server.admin, '/api/v1/schemas', { id: 'sch-a', name: 'A', attributes })
  for (const [round, patience] of sizeOf({ full: [5, 15, 40], short: [15] }).entries()) {
    const id = `rec-${round}`
    const values = (text: string) => ({ title: everywhere(text) })
    await make(server.admin, '/api/v1/records', { id, schemaId: 'sch-a', values: values(MARKER) })
    for (let change = 0; change < 60; change += 1) {
      const text = `${MARKER} ${change} ${'x'.repeat(9000)}`
      await send(server.admin, 'PUT', `/api/v1/records/${id}`, { values: values(text) })
    }
    await send(server.admin, 'PUT', `/api/v1/records/${id}`, { values: values('now') })
    const answer = send(server.admin, 'DELETE', `/api/v1/records/${id}/history`).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, patience))
    await server.kill('SIGKILL')
    const isDone = (await answer)?.status === 204
    server = await startServerProcess(dataDir)
    const [newest] = await readAudit(server.admin, id)
    // Killed before it was asked for: it is asked for again.
    if (newest!.action !== 'erase') await send(server.admin, 'DELETE', `/api/v1/records/${id}/history`)
    assert.ok(!isDone || newest!.action === 'erase')
    await untilGone(dataDir)
    const entries = await readAudit(server.admin, id)
    assert.ok(entries.every(({ changes }) => changes.length === 0))
  }
  await server.kill('SIGTERM')
  await assertSound(dataDir)
})

it('is refused while a bulk job or an import is under way, which may hold values of the record', async () => {
  const shop = await startWorkspace({ maxRecords: 0 })
  try {
    const { id } = await makeShirt(shop.admin, {})
    const ids = await Promise.all(
      Array.from({ length: 400 }, async () => (await makeShirt(shop.admin, { weight: everywhere(1) })).id),
    )
    const actions = [{ setValues: { weight: everywhere(2) } }]
    const job = await postJob(shop.admin, { selection: { ids }, actions })
    assertRefused(await send(shop.admin, 'DELETE', `/api/v1/records/${id}/history`), 'CONFLICT', job.body.id)
    await untilEnded(shop.admin, job.body.id)
    assert.equal((await send(shop.admin, 'DELETE', `/api/v1/records/${id}/history`)).status, 204)
  } finally {
    await shop.stop()
  }
})
