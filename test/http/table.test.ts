// What holds for every route of the table. Contract 1 §5, 2 §1.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { apiRoutes } from '../../src/app/api.ts'
import type { ObjectSchema, Route } from '../../src/http/route.ts'
import { assertRefused, send } from '../helpers/answers.ts'
import { type Client, keyClient } from '../helpers/client.ts'
import { startServer, type TestServer } from '../helpers/server.ts'

const pathOf = (route: Route) => route.path.replaceAll(/:\w+/g, 'nothing')
const bodyOf = (route: Route) => (route.body === undefined ? undefined : {})

describe('Every route', () => {
  let server: TestServer
  let stranger: Client
  before(async () => {
    server = await startServer()
    const role = { id: 'role-stranger', name: 'Stranger', permissions: [] }
    await send(server.admin, 'POST', '/api/v1/roles', role)
    const made = await send<{ key: string }>(server.admin, 'POST', '/api/v1/api-keys', { name: 'S', roleId: role.id })
    stranger = keyClient(server.url, made.body.key)
  })
  after(() => server.stop())

  it('has an id, and a method and path, of its own', () => {
    assert.equal(new Set(apiRoutes.map((route) => route.id)).size, apiRoutes.length)
    assert.equal(new Set(apiRoutes.map((route) => `${route.method} ${route.path}`)).size, apiRoutes.length)
    for (const { id, path } of apiRoutes) {
      assert.match(id, /^[a-zA-Z]+\.[a-zA-Z]+$/)
      assert.match(
        path,
        /^\/(|healthz|metrics|docs(\/|\/:file|\/guides\/:guide)?|console(\/.*)?|public\/.+|api\/v1\/.+)$/,
      )
    }
  })

  it('is public only where paths are open', () => {
    const open = apiRoutes.filter(({ access }) => access === 'public').map((route) => route.path)
    assert.deepEqual(
      open.filter(
        (path) =>
          !/^\/(|healthz|docs(\/|\/:file|\/guides\/:guide)?|console(\/.*)?|public\/.+|api\/v1\/auth\/.+)$/.test(path),
      ),
      [],
    )
  })

  const answersMany = (route: Route): boolean => {
    const answer = route.responses[200]
    return answer?.type === 'array' || (answer?.type === 'object' && 'items' in (answer as ObjectSchema).entries)
  }
  for (const route of apiRoutes.filter((each) => answersMany(each) && each.method !== 'PUT'))
    it(`${route.id}, a list or a search, refuses a query parameter that it does not know`, async () => {
      const path = `${pathOf(route)}?schemaIdd=1`
      const answer = await send(server.admin, route.method, path, bodyOf(route))
      assertRefused(answer, 'VALIDATION_ERROR', "Unknown query parameter 'schemaIdd'")
      if (route.query?.entries['schemaId'] !== undefined)
        assertRefused(answer, 'VALIDATION_ERROR', "did you mean 'schemaId'?")
    })

  for (const route of apiRoutes) {
    const { access, method } = route
    if (access === 'public') continue
    it(`${route.id} without a credential is 401`, async () => {
      assertRefused(await send(server.anonymous, method, pathOf(route), bodyOf(route)), 'UNAUTHORIZED')
    })
    if (access === 'authenticated') continue
    it(`${route.id} without its permission is 403, naming it`, async () => {
      assertRefused(await send(stranger, method, pathOf(route), bodyOf(route)), 'PERMISSION_DENIED', access)
    })
    it(`${route.id} with a body that is no object or list of the right kind is 400`, async () => {
      if (route.body === undefined) return
      assertRefused(await send(server.admin, method, pathOf(route), 'text'), 'VALIDATION_ERROR')
    })
  }
})
