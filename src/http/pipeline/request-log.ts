// Counts each answered request and writes one line about it to the log, under the ID that its X-Request-Id
// carries. Contract 2 §1.
import { PimletError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/observing/log.ts'
import type { Metrics } from '../../kernel/observing/metrics.ts'
import type { Readiness } from '../readiness.ts'
import type { Exchange } from './exchange.ts'

export interface RecordingParts {
  readonly log: Log
  readonly metrics: Pick<Metrics, 'requestEnded'>
  readonly readiness: Readiness
}

/**
 * Counts the request and logs it. `status` 0: the client went away. `thrown` is logged in full if the client got no details.
 */
export function recordExchange(
  { log, metrics, readiness }: RecordingParts,
  exchange: Exchange,
  status: number,
  thrown?: unknown,
): void {
  const milliseconds = performance.now() - exchange.startedAt
  metrics.requestEnded(exchange.method, exchange.route?.path ?? 'unknown', status, milliseconds)
  const level = status >= 500 && (readiness.isServing || !isUnavailable(thrown)) ? 'error' : 'info'
  if (!log.isLevelEnabled(level)) return
  const { method, route, caller } = exchange
  const line = {
    requestId: exchange.id,
    method,
    route: route?.path ?? null,
    status,
    ms: Math.round(milliseconds * 1000) / 1000,
    callerId: caller?.id ?? null,
  }
  if (level === 'error') log.error(thrown === undefined ? line : { ...line, err: describe(thrown) }, 'request failed')
  else log.plainInfo(thrown instanceof PimletError ? { ...line, code: thrown.code } : line, 'request')
}

/** UNAVAILABLE of a stopping server is no fault, also in its health. */
function isUnavailable(thrown: unknown): boolean {
  return thrown === undefined || (thrown instanceof PimletError && thrown.code === 'UNAVAILABLE')
}

function describe(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return String(thrown)
  const { name, message, stack, cause } = thrown
  return { name, message, stack, ...(cause === undefined ? {} : { cause: describe(cause) }) }
}
