// What operators watch. Contract 2 §8.
import * as v from 'valibot'
import { PlainText } from '../../http/answers/json.ts'
import { route } from '../../http/route.ts'

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8'

export const metricsRoutes = [
  route({
    id: 'metrics.read',
    method: 'GET',
    path: '/metrics',
    summary: 'Counters and gauges of the server, as Prometheus text',
    access: 'metrics.read',
    responses: { 200: v.string() },
    mediaTypes: [PROMETHEUS_TEXT],
    examples: {
      [PROMETHEUS_TEXT]:
        '# HELP pimlet_wal_bytes Size of the write-ahead log\n# TYPE pimlet_wal_bytes gauge\npimlet_wal_bytes 4152\n',
    },
    handler: async ({ services }) => {
      const { text, mediaType } = await services.metrics.read()
      return new PlainText(text, mediaType)
    },
  }),
]
