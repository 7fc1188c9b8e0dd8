// How long requests took, by route: a histogram of Prometheus that costs a request next to nothing. (prom-client's own
// spends a noticeable part of a short request on finding the series for three labels.)

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30]

interface Series {
  readonly labels: { readonly method: string; readonly route: string; readonly status: number }
  /** By bucket, not yet added up; the last is for what is longer than all. */
  readonly counts: number[]
  /** Seconds. */
  sum: number
}

/** In the form that a registry of prom-client asks metrics for. */
export class RequestDurations {
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
