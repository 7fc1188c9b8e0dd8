// Whether the server can do its work. Contract 1 §4.5, 2 §8.
import type { Store } from '../store/port.ts'
import type { System } from '../kernel/machine/system.ts'

interface Health {
  readonly status: 'ok' | 'unavailable'
  readonly version: string
  readonly uptimeSeconds: number
}

/** `isStopping`: whether the server is shutting down, or has not started yet. */
export function createHealthService(deps: {
  store: Pick<Store, 'ping'>
  system: System
  version: string
  isStopping: () => boolean
}) {
  const startedAt = deps.system.now().getTime()
  return {
    async check(): Promise<Health> {
      const answers =
        !deps.isStopping() &&
        (await deps.store.ping().then(
          () => true,
          () => false,
        ))
      const uptimeSeconds = Math.max(0, Math.floor((deps.system.now().getTime() - startedAt) / 1000))
      return { status: answers ? 'ok' : 'unavailable', version: deps.version, uptimeSeconds }
    },
  }
}

export type HealthService = ReturnType<typeof createHealthService>
