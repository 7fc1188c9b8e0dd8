// The server's counters and gauges, for callers with the permission.
import type { Metrics } from '../kernel/observing/metrics.ts'

interface MetricsText {
  readonly text: string
  readonly mediaType: string
}

export function createMetricsService({ metrics }: { metrics: Metrics }) {
  return {
    read: async (): Promise<MetricsText> => ({ text: await metrics.text(), mediaType: metrics.mediaType }),
  }
}

export type MetricsService = ReturnType<typeof createMetricsService>
