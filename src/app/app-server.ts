// The server of the API, from its parts to the port that it listens on. Contract 2 §8.
import { Pipeline } from '../http/pipeline/pipeline.ts'
import { apiRoutes, jobRoutes, withoutPrefix } from './api.ts'
import type { Readiness } from '../http/readiness.ts'
import { HttpServer, SERVER_LIMITS, type ServerLimits } from '../http/sockets/server.ts'
import { StartError } from '../kernel/machine/start-error.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Log } from '../kernel/observing/log.ts'
import type { Metrics } from '../kernel/observing/metrics.ts'
import type { HeldMemory } from '../kernel/held-memory.ts'
import type { Services } from './app-services.ts'
import type { Config } from '../kernel/settings/config.ts'
import { parseNetworks } from '../kernel/settings/networks.ts'

/** Milliseconds from the headers of a request to the last byte of its body. */
const BODY_TIMEOUT = 30_000

interface ServerOptions {
  readonly config: Config
  readonly log: Log
  readonly testing?: {
    readonly checkResponses?: boolean
    readonly serverLimits?: Partial<ServerLimits>
    readonly bodyTimeout?: number
  }
}

export function createServer(
  { services, metrics, system, held }: { services: Services; metrics: Metrics; system: System; held: HeldMemory },
  { config, log, testing = {} }: ServerOptions,
  readiness: Readiness,
): HttpServer {
  const pipeline = new Pipeline({
    services,
    log,
    metrics,
    held,
    limits: {
      maxBody: config.maxBody,
      maxValues: config.maxBodyValues,
      bodyTimeout: testing.bodyTimeout ?? BODY_TIMEOUT,
    },
    corsOrigins: config.corsOrigins,
    checkResponses: testing.checkResponses ?? false,
    readiness,
  })
  pipeline.mount(apiRoutes)
  pipeline.mount(jobRoutes, withoutPrefix)
  return new HttpServer(pipeline, log, {
    limits: { ...SERVER_LIMITS, ...testing.serverLimits },
    basePath: config.basePath,
    trustedProxies: config.trustedProxies.length === 0 ? undefined : parseNetworks(config.trustedProxies),
    system,
  })
}

/** Resolves to the server's URL. @throws StartError if the server cannot listen there */
export async function listen(server: HttpServer, { host, port }: Config): Promise<string> {
  try {
    const listening = await server.listen(host, port)
    return `http://${host.includes(':') ? `[${host}]` : host}:${listening}`
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reasons = new Map(
      Object.entries({
        EADDRINUSE: 'the port is taken',
        EACCES: 'the port needs more rights',
        EADDRNOTAVAIL: 'this machine does not have the address',
        ENOTFOUND: 'the host name is unknown',
      }),
    )
    throw new StartError(`Cannot listen on ${host}:${port}: ${reasons.get(code ?? '') ?? message}`, { cause: error })
  }
}
