// How long files that were uploaded are kept, and what counts as theirs under `--max-import`. Contract 3 §4, 3 §10.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { HOUR, makeClock } from '../../helpers/clock.ts'
import { startServer } from '../../helpers/server.ts'

const DAY = 24 * HOUR
const PATH = '/api/v1/imports'

it('files are removed after 7 days, which makes room under --max-import; what is known of them stays as long as jobs', async () => {
  const clock = makeClock()
  const options = { maxImport: 1000, keepJobsDays: 30, testing: { system: clock } }
  let server = await startServer(options)
  try {
    const upload = () =>
      send<{ id: string }>(server.admin, 'POST', `${PATH}?fileName=a.csv`, 'x'.repeat(600), {
        'content-type': 'text/csv',
      })
    const statusOf = async (id: string, of = '') => (await send(server.admin, 'GET', `${PATH}/${id}${of}`)).status
    const first = await upload()
    assert.equal(first.status, 201, first.text)
    assertRefused(await upload(), 'PAYLOAD_TOO_LARGE', '--max-import')
    const { id } = first.body
    const isThere = () => existsSync(path.join(server.dataDir, 'imports', id))
    const later = async (days: number, isSo: () => Promise<boolean>): Promise<void> => {
      clock.advance(days * DAY)
      server = await server.restart()
      for (let tries = 0; tries < 2000 && !(await isSo()); tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await later(6, async () => true)
    assert.ok(isThere())
    await later(2, async () => !isThere())
    assert.deepEqual([isThere(), await statusOf(id), await statusOf(id, '/failed.csv')], [false, 200, 404])
    assert.equal((await upload()).status, 201)
    await later(25, async () => (await statusOf(id)) === 404)
    assert.equal(await statusOf(id), 404)
  } finally {
    await server.stop()
  }
})
