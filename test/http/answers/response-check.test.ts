// In tests, what is answered is checked against the route: this says that the check bites.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as v from 'valibot'
import { conflict, notFound } from '../../../src/kernel/errors.ts'
import { PlainText, reply } from '../../../src/http/answers/replies.ts'
import { type Route, route } from '../../../src/http/route.ts'
import { assertRefused, send } from '../../helpers/answers.ts'
import { keyClient } from '../../helpers/client.ts'
import { type Frame, startFrame } from '../../helpers/frame.ts'

const Body = v.object({ id: v.string(), map: v.optional(v.record(v.string(), v.number())) })
const answers: Record<string, () => unknown> = {
  right: () => ({ id: 'a', map: { constructor: 1, x: 2 } }),
  secret: () => ({ id: 'a', passwordHash: 'x' }),
  wrong: () => ({ id: 1 }),
  missing: () => undefined,
  status: () => reply({ id: 'a' }, { status: 202 }),
  etag: () => reply({ id: 'a' }, { etag: 1 }),
  media: () => new PlainText('a', 'text/plain'),
  declared: () => {
    throw notFound('Thing', 'x')
  },
  undeclared: () => {
    throw conflict('not declared')
  },
}
const routes = Object.entries(answers).map(([name, handler]): Route => ({
  ...route({
    id: `check.${name}`,
    endpoint: `GET /api/v1/${name}`,
    summary: name,
    access: 'authenticated',
    responses: { 200: Body },
    errors: ['NOT_FOUND'],
    handler: () => ({ id: '' }),
  }),
  handler,
}))

describe('In tests', () => {
  let frame: Frame
  before(async () => {
    frame = await startFrame(routes)
  })
  after(() => frame.stop())
  const get = (name: string) => send(keyClient(frame.url, 'admin'), 'GET', `/api/v1/${name}`)

  it('a response as declared passes, and so does a declared error', async () => {
    assert.deepEqual((await get('right')).body, { id: 'a', map: { constructor: 1, x: 2 } })
    assertRefused(await get('declared'), 'NOT_FOUND', 'Thing', 'x')
  })

  for (const name of ['secret', 'wrong', 'missing', 'status', 'etag', 'media', 'undeclared'])
    it(`a response that is not as declared becomes a 500 that the log explains: ${name}`, async () => {
      const answer = await get(name)
      assertRefused(answer, 'INTERNAL_ERROR')
      assert.match(JSON.stringify(frame.logged.at(-1)), new RegExp(`check\\.${name}`))
    })

  it('outside of tests it is sent, not checked', async (t) => {
    const unchecked = await startFrame(routes, { checkResponses: false })
    t.after(() => unchecked.stop())
    const answer = await send(keyClient(unchecked.url, 'admin'), 'GET', '/api/v1/undeclared')
    assertRefused(answer, 'CONFLICT')
  })
})
