// Endpoints that watch the server: health and metrics. Contract 1 §4.5, 2 §8.
import * as v from 'valibot'
import { reply, PlainText } from '../../http/answers/replies.ts'
import { route } from '../../http/route.ts'

const facts = { version: v.string(), uptimeSeconds: v.number() }
export const Healthy = v.object({ status: v.literal('ok'), ...facts })
export const Unhealthy = v.object({ status: v.literal('unavailable'), ...facts })

export const healthRoutes = [
  route({
    id: 'health.check',
    endpoint: 'GET /healthz',
    summary: 'Report whether the server is running and its storage answers',
    access: 'public',
    responses: { 200: Healthy, 503: Unhealthy },
    handler: async ({ services }) => {
      const health = await services.health.check()
      return reply(health, { status: health.status === 'ok' ? 200 : 503 })
    },
  }),
]

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8'

export const metricsRoutes = [
  route({
    id: 'metrics.read',
    endpoint: 'GET /metrics',
    summary: 'Counters and gauges of the server, as Prometheus text',
    access: 'metrics.read',
    responses: { 200: v.string() },
    mediaTypes: [PROMETHEUS_TEXT],
    examples: {
      [PROMETHEUS_TEXT]:
        '# HELP pimlet_wal_bytes Size of the write-ahead log\n# TYPE pimlet_wal_bytes gauge\npimlet_wal_bytes 4152\n',
    },
    handler: async ({ services }) => {
      const { metrics } = services
      return new PlainText(await metrics.text(), metrics.mediaType)
    },
  }),
]
