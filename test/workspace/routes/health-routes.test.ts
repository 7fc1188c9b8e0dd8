import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createHealthService } from '../../../src/workspace/health.ts'
import { healthRoutes } from '../../../src/workspace/routes/server-routes.ts'
import { send } from '../../helpers/answers.ts'
import { startServer } from '../../helpers/server.ts'
import { system } from '../../../src/kernel/machine/system.ts'

describe('health.check: GET /healthz', () => {
  it('needs no credential and says that the server runs, which version, and for how long', async (t) => {
    const server = await startServer()
    t.after(() => server.stop())
    const { status, body } = await send<Record<string, unknown>>(server.anonymous, 'GET', '/healthz')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).sort(), ['status', 'uptimeSeconds', 'version'])
    assert.equal(body['status'], 'ok')
    assert.equal(body['version'], '0.0.0-test')
    assert.ok(Number.isInteger(body['uptimeSeconds']))
  })

  it('is 503 unavailable when storage does not answer, and during a stop', async () => {
    const answerOf = async (ping: () => Promise<void>, isStopping: boolean) => {
      const health = createHealthService({
        store: { ping },
        system,
        version: '1',
        readiness: { isServing: !isStopping },
      })
      const handler = healthRoutes[0]!.handler as unknown as (
        context: object,
      ) => Promise<{ status: number; body: object }>
      const { status, body } = await handler({ services: { health } })
      return [status, (body as { status: string }).status]
    }
    assert.deepEqual(await answerOf(() => Promise.reject(new Error('gone')), false), [503, 'unavailable'])
    assert.deepEqual(await answerOf(() => Promise.resolve(), true), [503, 'unavailable'])
    assert.deepEqual(await answerOf(() => Promise.resolve(), false), [200, 'ok'])
  })
})
