// Metrics as Prometheus text: requests by route, and the load of writers, readers and exports. Home of prom-client.
// Contract 2 §8; docs/operate.md lists the names.
import { Counter, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import eventLoopLag from 'prom-client/lib/metrics/eventLoopLag.js'
import heapSizeAndUsed from 'prom-client/lib/metrics/heapSizeAndUsed.js'
import heapSpacesSizeAndUsed from 'prom-client/lib/metrics/heapSpacesSizeAndUsed.js'
import osMemoryHeap from 'prom-client/lib/metrics/osMemoryHeap.js'
import processCpuTotal from 'prom-client/lib/metrics/processCpuTotal.js'
import processHandles from 'prom-client/lib/metrics/processHandles.js'
import processMaxFileDescriptors from 'prom-client/lib/metrics/processMaxFileDescriptors.js'
import processOpenFileDescriptors from 'prom-client/lib/metrics/processOpenFileDescriptors.js'
import processRequests from 'prom-client/lib/metrics/processRequests.js'
import processResources from 'prom-client/lib/metrics/processResources.js'
import processStartTime from 'prom-client/lib/metrics/processStartTime.js'
import nodeVersion from 'prom-client/lib/metrics/version.js'

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30]

interface Series {
  readonly labels: { readonly method: string; readonly route: string; readonly status: number }
  /** By bucket, not cumulated; the last bucket is for all longer requests. */
  readonly counts: number[]
  /** Seconds. */
  sum: number
}

/**
 * How long requests took, by route. prom-client's own histogram spends a noticeable part of a short request on finding the series
 * for three labels.
 */
class RequestDurations {
  readonly name = 'pimlet_http_request_duration_seconds'
  readonly help =
    'Requests that were answered, from their headers to the end of the answer; status 0: the client went away'
  readonly type = 'histogram'
  readonly aggregator = 'sum'
  readonly #series = new Map<string, Map<string, Map<number, Series>>>()

  /** `route`: its path as it is declared, so that there are few. */
  observe(method: string, route: string, status: number, milliseconds: number): void {
    const series = this.#find(method, route, status)
    const seconds = milliseconds / 1000
    let bucket = 0
    while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket += 1
    series.counts[bucket]! += 1
    series.sum += seconds
  }

  get() {
    const series = [...this.#series.values()].flatMap((byMethod) =>
      [...byMethod.values()].flatMap((byStatus) => [...byStatus.values()]),
    )
    const { name, help, type, aggregator } = this
    return { name, help, type, aggregator, values: series.flatMap((one) => this.#valuesOf(one)) }
  }

  reset(): void {
    this.#series.clear()
  }

  #find(method: string, route: string, status: number): Series {
    let byMethod = this.#series.get(route)
    if (byMethod === undefined) this.#series.set(route, (byMethod = new Map()))
    let byStatus = byMethod.get(method)
    if (byStatus === undefined) byMethod.set(method, (byStatus = new Map()))
    let series = byStatus.get(status)
    if (series === undefined) {
      series = { labels: { method, route, status }, counts: BUCKETS.map(() => 0).concat(0), sum: 0 }
      byStatus.set(status, series)
    }
    return series
  }

  #valuesOf({ labels, counts, sum }: Series) {
    let total = 0
    const buckets = counts.map((count, index) => {
      total += count
      return { metricName: `${this.name}_bucket`, labels: { ...labels, le: BUCKETS[index] ?? '+Inf' }, value: total }
    })
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: total },
    ]
  }
}

/**
 * Metrics of the process and of Node, like prom-client's `collectDefaultMetrics` without `gc`: Node reports each garbage
 * collection, which costs a twentieth of a GET's time under load.
 */
const PROCESS_COLLECTORS = [
  processCpuTotal,
  processStartTime,
  osMemoryHeap,
  processOpenFileDescriptors,
  processMaxFileDescriptors,
  eventLoopLag,
  processResources,
  processHandles,
  processRequests,
  heapSizeAndUsed,
  heapSpacesSizeAndUsed,
  nodeVersion,
]

/** Milliseconds. */
const EVENT_LOOP_PRECISION = 10

const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]

/** A number that operators watch. */
export interface GaugeValue {
  /** The name in Prometheus. */
  readonly name: string
  readonly help: string
  readonly value: number
}

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics(version: string) {
  const registry = new Registry()
  const registers = [registry]
  for (const collect of PROCESS_COLLECTORS) collect(registry, { eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION })
  new Gauge({ name: 'pimlet_build_info', help: 'The version that runs', labelNames: ['version'], registers }).set(
    { version },
    1,
  )
  const requests = new RequestDurations()
  registry.registerMetric(requests as unknown as Metric)
  const groups = new Histogram({
    name: 'pimlet_commit_transactions',
    help: 'Transactions that one commit made durable',
    buckets: GROUP_SIZES,
    registers,
  })
  const exports = new Counter({
    name: 'pimlet_export_runs_total',
    help: 'Export runs that have ended',
    labelNames: ['status'],
    registers,
  })
  const gauges = new Map<string, Gauge>()
  let read: () => readonly GaugeValue[] = () => []
  const readGauges = (): void => {
    for (const { name, help, value } of read()) {
      const gauge = gauges.get(name) ?? new Gauge({ name, help, registers })
      gauges.set(name, gauge)
      gauge.set(value)
    }
  }

  return {
    mediaType: registry.contentType,
    text(): Promise<string> {
      readGauges()
      return registry.metrics()
    },
    /** For numbers without a counter: `values` is called at each `text`. */
    watch(values: () => readonly GaugeValue[]): void {
      read = values
    },
    requestEnded: (method: string, route: string, status: number, milliseconds: number): void =>
      requests.observe(method, route, status, milliseconds),
    committed: (transactions: number): void => groups.observe(transactions),
    exportEnded: (status: 'success' | 'failed'): void => exports.inc({ status }),
  }
}
