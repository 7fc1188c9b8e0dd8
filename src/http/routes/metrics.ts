// What operators watch. Decisions §8.
import * as v from 'valibot'
import { PlainText } from '../json.ts'
import { route } from '../route.ts'

export const metricsRoutes = [
  route({
    id: 'metrics.read',
    method: 'GET',
    path: '/metrics',
    summary: 'Counters and gauges of the server, as Prometheus text',
    access: 'metrics.read',
    responses: { 200: v.string() },
    handler: async ({ services }) => {
      const { text, mediaType } = await services.metrics.read()
      return new PlainText(text, mediaType)
    },
  }),
]
