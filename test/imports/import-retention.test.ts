// How long files that were uploaded are kept, and what counts as theirs under `--max-import`. Contract 3 §4, 3 §10.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefused, send } from '../helpers/answers.ts'
import { HOUR, makeClock } from '../helpers/clock.ts'
import { startServer } from '../helpers/server.ts'

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
    const statusOf = async (id: string, of = ''): Promise<number> => {
      const response = await fetch(`${server.url}${PATH}/${id}${of}`, { headers: server.admin.headers })
      await response.text()
      return response.status
    }
    const first = await upload()
    assert.equal(first.status, 201, first.text)
    assertRefused(await upload(), 'PAYLOAD_TOO_LARGE', '--max-import')
    const { id } = first.body
    const isThere = async () => (await statusOf(id, '/failed.csv')) === 200
    const later = async (days: number, isSo: () => Promise<boolean>): Promise<void> => {
      clock.advance(days * DAY)
      server = await server.restart()
      for (let tries = 0; tries < 2000 && !(await isSo()); tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await later(6, async () => true)
    assert.ok(await isThere())
    await later(2, async () => !(await isThere()))
    assert.deepEqual([await statusOf(id), await statusOf(id, '/failed.csv')], [200, 404])
    assert.equal((await upload()).status, 201)
    await later(25, async () => (await statusOf(id)) === 404)
    assert.equal(await statusOf(id), 404)
  } finally {
    await server.stop()
  }
})
