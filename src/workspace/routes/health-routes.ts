// Contract 1 §4.5, 2 §8.
import * as v from 'valibot'
import { reply } from '../../http/answers/json.ts'
import { route } from '../../http/route.ts'

const facts = { version: v.string(), uptimeSeconds: v.number() }
export const Healthy = v.object({ status: v.literal('ok'), ...facts })
export const Unhealthy = v.object({ status: v.literal('unavailable'), ...facts })

export const healthRoutes = [
  route({
    id: 'health.check',
    method: 'GET',
    path: '/healthz',
    summary: 'Report whether the server is running and its storage answers',
    access: 'public',
    responses: { 200: Healthy, 503: Unhealthy },
    handler: async ({ services }) => {
      const health = await services.health.check()
      return reply(health, { status: health.status === 'ok' ? 200 : 503 })
    },
  }),
]
