// `pimlet openapi`. Contract 2 §8.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { runCommand } from '../helpers/command.ts'
import { startServer } from '../helpers/server.ts'

describe('pimlet openapi', () => {
  it('prints the document that the server answers, without a data directory', async (t) => {
    const before = readdirSync('.')
    const { status, stdout, stderr } = await runCommand(['openapi'])
    assert.deepEqual([status, stderr], [0, ''])
    assert.deepEqual(readdirSync('.'), before)
    const server = await startServer()
    t.after(() => server.stop())
    const answered = await send(server.admin, 'GET', '/api/v1/openapi.json')
    assert.equal(stdout, `${JSON.stringify(answered.body, null, 2)}\n`)
  })

  it('takes no flags of other commands', async () => {
    const { status, stderr } = await runCommand(['openapi', '--out', 'file'])
    assert.equal(status, 2)
    assert.match(stderr, /out/)
  })
})
