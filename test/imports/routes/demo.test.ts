// POST /api/v1/demo loads the demonstration into an empty workspace. Contract 5 §1.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { PERMISSIONS } from '../../../src/core/accounts/rules/permissions.ts'
import { assertRefused, send } from '../../helpers/answers.ts'
import { type BulkJobBody, undoJob, untilEnded } from '../../helpers/bulk-jobs.ts'
import { makeUser, sessionOf } from '../../helpers/people.ts'
import { startServer, type TestServer } from '../../helpers/server.ts'
import { make } from '../../helpers/shirts.ts'

interface ViewBody {
  readonly id: string
  readonly name: string
}

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

const load = (client = server.admin) => send<BulkJobBody>(client, 'POST', '/api/v1/demo')
const countOf = async (path: string) => (await send<unknown[]>(server.admin, 'GET', path)).body.length

describe('The demonstration', () => {
  it('fills an empty workspace by one job, whose undo empties the workspace again', async () => {
    const answer = await load()
    assert.equal(answer.status, 202, answer.text)
    const job = await untilEnded(server.admin, answer.body.id)
    assert.deepEqual([job.status, job.kind, job.created, job.failed], ['succeeded', 'import', 42, 0])
    assert.deepEqual(
      [await countOf('/api/v1/schemas'), await countOf('/api/v1/dimensions'), await countOf('/api/v1/catalogs')],
      [3, 2, 1],
    )
    const { body: tea } = await send<{ image: { recordId: string } }>(
      server.admin,
      'GET',
      '/api/v1/records/tea-assam?include=image',
    )
    assert.equal(tea.image.recordId, 'pic-assam-tin', 'a tea shows its first picture')
    const { body: schemas } = await send<{ id: string }[]>(server.admin, 'GET', '/api/v1/schemas')
    assert.equal(schemas[0]!.id, 'sch-tea', 'teas come first, though they refer to pictures')
    assertRefused(await load(), 'CONFLICT', 'empty workspace')
    const undone = await undoJob(server.admin, job.id)
    assert.deepEqual([undone.status, undone.failed], ['succeeded', 0])
    for (const path of ['schemas', 'dimensions', 'catalogs', 'saved-queries'])
      assert.equal(await countOf(`/api/v1/${path}`), 0, path)
    const again = await load()
    assert.equal((await untilEnded(server.admin, again.body.id)).created, 42, 'the demonstration can be loaded again')
    await undoJob(server.admin, again.body.id)
  })

  it('has shared views that find teas; the undo leaves a view that somebody changed', async () => {
    const { body: loading } = await load()
    await untilEnded(server.admin, loading.id)
    const { body: views } = await send<ViewBody[]>(server.admin, 'GET', '/api/v1/saved-queries')
    const { username } = await makeUser(server, { roleId: 'role-viewer' })
    const viewer = await sessionOf(server, username)
    const counts: Record<string, number> = {}
    for (const { id, name } of views) {
      const { body: found } = await send<unknown[]>(viewer, 'POST', `/api/v1/saved-queries/${id}/execute`)
      counts[name] = found.length
    }
    assert.deepEqual(counts, { 'Missing German texts': 1, 'Ready for the shop': 5, 'Teas by kind': 8 })
    const changed = { ...views[0], name: 'My view' }
    await send(server.admin, 'PUT', `/api/v1/saved-queries/${views[0]!.id}`, changed)
    assert.equal((await undoJob(server.admin, loading.id)).status, 'succeeded')
    const { body: left } = await send<ViewBody[]>(server.admin, 'GET', '/api/v1/saved-queries')
    assert.deepEqual(
      left.map(({ name }) => name),
      ['My view'],
    )
    const again = await untilEnded(server.admin, (await load()).body.id)
    assert.deepEqual([again.status, await countOf('/api/v1/saved-queries')], ['succeeded', 3])
    await undoJob(server.admin, again.id)
    assert.equal(await countOf('/api/v1/saved-queries'), 1, 'the changed view stays')
    await send(server.admin, 'DELETE', `/api/v1/saved-queries/${views[0]!.id}`)
  })

  it('has no views where its owner may write none', async () => {
    const permissions = PERMISSIONS.filter((one) => one !== 'savedQueries.write')
    const id = 'role-no-views'
    await make(server.admin, '/api/v1/roles', {
      id,
      name: 'No views',
      permissions,
      defaultAttributePermission: 'write',
    })
    const { username } = await makeUser(server, { roleId: id })
    const { body: loading } = await load(await sessionOf(server, username))
    const job = await untilEnded(server.admin, loading.id)
    assert.deepEqual([job.status, job.created, await countOf('/api/v1/saved-queries')], ['succeeded', 42, 0])
    await undoJob(server.admin, job.id)
  })

  it('is loaded once by a repeated request', async () => {
    const headers = { ...server.admin.headers, 'idempotency-key': 'the-demo-once' }
    const ask = async () => (await fetch(`${server.url}/api/v1/demo`, { method: 'POST', headers })).json()
    const first = (await ask()) as BulkJobBody
    assert.deepEqual(await ask(), first)
    await untilEnded(server.admin, first.id)
    await undoJob(server.admin, first.id)
  })

  it('is refused in a workspace with a schema, and to everybody but administrators', async () => {
    await make(server.admin, '/api/v1/schemas', { id: 'sch-mine', name: 'Mine' })
    assertRefused(await load(), 'CONFLICT', 'empty workspace')
    const { username } = await makeUser(server, { roleId: 'role-editor' })
    assertRefused(await load(await sessionOf(server, username)), 'PERMISSION_DENIED')
    assert.equal(await countOf('/api/v1/imports'), 6, 'a refused demonstration keeps no file')
  })
})
