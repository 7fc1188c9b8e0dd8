// Runs only the HTTP frame, with a test's own routes. Three keys are known: `admin`, `viewer` and `nobody`.
import { Pipeline, type PipelineOptions } from '../../src/http/pipeline/pipeline.ts'
import type { Route } from '../../src/http/route.ts'
import { HttpServer, SERVER_LIMITS, type ServerLimits } from '../../src/http/sockets/server.ts'
import { HeldMemory } from '../../src/kernel/held-memory.ts'
import { createLog } from '../../src/kernel/observing/log.ts'
import { system } from '../../src/kernel/machine/system.ts'
import { unauthorized } from '../../src/kernel/errors.ts'
import { BUILT_IN_ROLES, type Role } from '../../src/core/accounts/rules/permissions.ts'
import { parseNetworks } from '../../src/kernel/settings/networks.ts'
import type { PresentedCredentials } from '../../src/core/accounts/authentication.ts'
import type { Services } from '../../src/app/app-services.ts'
import type { LogLine } from './server.ts'

const NO_PERMISSIONS: Role = { ...BUILT_IN_ROLES[2]!, id: 'role-nobody', permissions: [] }
const ROLES = new Map([
  ['admin', BUILT_IN_ROLES[0]!],
  ['viewer', BUILT_IN_ROLES[2]!],
  ['nobody', NO_PERMISSIONS],
])

export interface FrameOptions extends Partial<Pick<PipelineOptions, 'corsOrigins' | 'checkResponses'>> {
  readonly maxBody?: number
  readonly maxValues?: number
  readonly bodyTimeout?: number
  readonly held?: HeldMemory
  readonly limits?: Partial<ServerLimits>
  readonly basePath?: string
  readonly trustedProxies?: readonly string[]
  /** Mounts the routes a second time, at other paths. */
  readonly secondMount?: (path: string) => string
}

export interface Frame {
  readonly url: string
  readonly port: number
  readonly logged: LogLine[]
  /** Stops like the server at SIGTERM. */
  stop(grace?: number): Promise<void>
}

export async function startFrame(routes: readonly Route[], options: FrameOptions = {}): Promise<Frame> {
  const logged: LogLine[] = []
  const log = createLog({
    level: 'info',
    format: 'json',
    system,
    write: (line) => logged.push(JSON.parse(line) as LogLine),
  })
  const readiness = { isServing: true }
  const pipeline = new Pipeline({
    services: { authentication: { authenticate } } as unknown as Services,
    log,
    metrics: { requestEnded: () => undefined },
    limits: {
      maxBody: options.maxBody ?? 100_000,
      maxValues: options.maxValues ?? 20_000,
      bodyTimeout: options.bodyTimeout ?? 5000,
    },
    held: options.held ?? new HeldMemory(1024 ** 2),
    corsOrigins: options.corsOrigins ?? [],
    checkResponses: options.checkResponses ?? true,
    readiness,
  })
  pipeline.mount(routes)
  if (options.secondMount !== undefined) pipeline.mount(routes, options.secondMount)
  const server = new HttpServer(pipeline, log, {
    limits: { ...SERVER_LIMITS, ...options.limits },
    basePath: options.basePath ?? '',
    trustedProxies: options.trustedProxies === undefined ? undefined : parseNetworks(options.trustedProxies),
    system,
  })
  const port = await server.listen('127.0.0.1', 0)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    logged,
    async stop(grace = 1000) {
      readiness.isServing = false
      await server.stop(grace)
    },
  }
}

async function authenticate({ bearerToken, apiKey }: PresentedCredentials) {
  const name = bearerToken ?? apiKey ?? ''
  const role = ROLES.get(name)
  if (role === undefined) throw unauthorized()
  return { id: `key-${name}`, kind: 'apiKey' as const, name, role }
}
