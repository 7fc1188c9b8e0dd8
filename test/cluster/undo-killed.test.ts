// The undo of a bulk job whose server is killed (`kill -9`) or stopped: another server goes on with it where it was.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../helpers/answers.ts'
import { type BulkJobBody, byQuery, runJob, untilEnded } from '../helpers/bulk-jobs.ts'
import { importFile, lines } from '../helpers/importing.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'
import { makeDatabase } from '../helpers/postgres.ts'
import { makeModel, SCHEMA, severalOn } from '../helpers/several-servers.ts'
import { everywhere, readAudit, type RecordBody } from '../helpers/shirts.ts'

const RECORDS = 3000
const PLACES = ['k-0', 'k-1500', 'k-2999']

describe('The undo of a bulk job', { skip: withoutPostgres(), timeout: 300_000 }, () => {
  for (const [what, signal, point] of [
    ['killed at its begin', 'SIGKILL', 0],
    ['killed in its middle', 'SIGKILL', RECORDS / 3],
    ['stopped in its middle', 'SIGTERM', RECORDS / 3],
  ] as const)
    it(`whose server is ${what} is ended by the other one, which restores each record once`, async (t) => {
      const several = severalOn((await makeDatabase()).url, t)
      const [leader, { admin }] = [await several.start('one'), await several.start('two')]
      await makeModel(leader.admin)
      const records = Array.from({ length: RECORDS }, (_, n) => ({
        id: `k-${n}`,
        schemaId: SCHEMA,
        values: { text: everywhere('x') },
      }))
      assert.equal((await importFile(leader.admin, lines(...records))).created, RECORDS)
      const actions = [{ replaceText: { attributeAlias: 'text', find: 'x', replace: 'xy' } }]
      const job = await runJob(admin, { selection: byQuery(), actions })
      assert.equal(job.changed, RECORDS)

      const { body: undo } = await send<BulkJobBody>(admin, 'POST', `/api/v1/bulk-jobs/${job.id}/undo`)
      const read = async () => (await send<BulkJobBody>(admin, 'GET', `/api/v1/bulk-jobs/${undo.id}`)).body
      for (let at = await read(); at.status === 'queued' || at.done < point; at = await read()) await sleep(2)
      await leader.kill(signal)
      const { done } = await read()
      assert.ok(done < RECORDS, `${done} records were restored by then`)
      const began = performance.now()
      const undone = await untilEnded(admin, undo.id)
      t.diagnostic(`it went on from ${done}, and ended after ${Math.round(performance.now() - began)} ms`)
      assert.deepEqual([undone.status, undone.changed, undone.failed], ['succeeded', RECORDS, 0])
      for (const id of PLACES) {
        const { body } = await send<RecordBody>(admin, 'GET', `/api/v1/records/${id}`)
        assert.deepEqual(body.values['text'], everywhere('x'))
        const own = (await readAudit(admin, id)).filter(({ origin }) => origin.id === undo.id)
        assert.equal(own.length, 1)
      }
    })
})
