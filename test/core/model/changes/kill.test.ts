// A server that is killed (`kill -9`) in the middle of a change of the model, at each of its stages: the workspace it
// leaves is sound, and the same request can be sent again.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, assertRefused, send } from '../../../helpers/answers.ts'
import { importFile, lines } from '../../../helpers/importing.ts'
import { readStanding, untilStanding } from '../../../helpers/model-change-stage.ts'
import { type ServerProcess, startServerProcess } from '../../../helpers/server-process.ts'
import { everywhere, make } from '../../../helpers/shirts.ts'
import { assertSound } from '../../../helpers/soundness.ts'
import { makeTempDirectory } from '../../../helpers/temp-directory.ts'

const RECORDS = 600
const text = (alias: string, unique = false): object => ({ alias, dataType: 'text', unique })
/** `sku` becomes unique, `note` goes with its values, `code` is unique no longer. */
const BEFORE = { name: 'S', attributes: [text('sku'), text('note'), text('code', true)] }
const AFTER = { name: 'S', attributes: [text('sku', true), text('code')] }
const SCHEMA = '/api/v1/schemas/sch-killed'

const records = lines(
  ...Array.from({ length: RECORDS }, (_, index) => ({
    schemaId: 'sch-killed',
    values: { sku: everywhere(`S-${index}`), note: everywhere('note'), code: everywhere(`C-${index}`) },
  })),
)
const change = ({ admin }: ServerProcess): Promise<Answer<unknown>> =>
  send(admin, 'PUT', `${SCHEMA}?dropValues=true`, AFTER)

/** Sends the request, and kills the server as soon as its change is in the middle of the stage. */
async function killAt(stage: string, server: ServerProcess, dataDir: string): Promise<void> {
  const answer = change(server)
  await untilStanding(dataDir, (at) => at.stage === stage && at.cursor > 0, answer)
  await server.kill()
  await assert.rejects(answer)
}

const countNotes = async ({ admin }: ServerProcess): Promise<number> => {
  const criteria = [{ attributeAlias: 'note', operator: 'isNotEmpty' }]
  const search = { criteria, criteriaOperator: 'and', schemaId: 'sch-killed', limit: 1 }
  return Number((await send(admin, 'POST', '/api/v1/search', search)).headers.get('x-total-count'))
}

describe('A server that is killed while it changes a schema', () => {
  it('leaves a sound workspace, in which the same request can be sent again', { timeout: 600_000 }, async (t) => {
    const dataDir = makeTempDirectory()
    let server = await startServerProcess(dataDir)
    t.after(() => server.kill())
    await make(server.admin, '/api/v1/schemas', { id: 'sch-killed', ...BEFORE })
    const { created } = await importFile(server.admin, records)
    assert.equal(created, RECORDS)

    let notes = RECORDS
    for (const stage of ['claim', 'drop']) {
      await killAt(stage, server, dataDir)
      await assertSound(dataDir)
      server = await startServerProcess(dataDir)
      const { body } = await send<typeof BEFORE>(server.admin, 'GET', SCHEMA)
      assert.equal(body.attributes.length, 3, `${stage}: the definition is as it was`)
      const left = await countNotes(server)
      assert.ok(stage === 'drop' ? left > 0 && left < notes : left === notes, `${stage}: ${left} of ${notes} are left`)
      notes = left
    }
    // One more with the SKU of an old one: what was claimed holds nobody up, and the change is refused and undone.
    const { id } = await make<{ id: string }>(server.admin, '/api/v1/records', {
      schemaId: 'sch-killed',
      values: { sku: everywhere('S-7') },
    })
    await killAt('undo', server, dataDir)
    await assertSound(dataDir)
    server = await startServerProcess(dataDir)
    assertRefused(await change(server), 'CONFLICT', 'values.sku')
    assert.equal((await send(server.admin, 'DELETE', `/api/v1/records/${id}`)).status, 204)

    await killAt('clear', server, dataDir)
    await assertSound(dataDir)
    server = await startServerProcess(dataDir)
    assert.equal((await change(server)).status, 200)
    assert.equal(await readStanding(dataDir), undefined)
    await make(server.admin, '/api/v1/records', { schemaId: 'sch-killed', values: { code: everywhere('C-1') } })
    await assertSound(dataDir)
  })
})
