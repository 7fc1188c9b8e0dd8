// prom-client gives no types for its collectors one by one.
declare module 'prom-client/lib/metrics/*.js' {
  import type { Registry } from 'prom-client'

  /** Adds the collector's metrics to the registry. */
  const collector: (registry: Registry, config?: { readonly eventLoopMonitoringPrecision?: number }) => void
  export default collector
}
