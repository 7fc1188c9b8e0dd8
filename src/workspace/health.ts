// Whether the server can do its work. Contract 1 §4.5, 2 §8.
import type { Readiness } from '../http/readiness.ts'
import type { Store } from '../store/port.ts'
import type { System } from '../kernel/machine/system.ts'

export function createHealthService(deps: {
  store: Pick<Store, 'ping'>
  system: System
  version: string
  readiness: Readiness
}) {
  const startedAt = deps.system.now().getTime()
  return {
    async check() {
      const answers =
        deps.readiness.isServing &&
        (await deps.store.ping().then(
          () => true,
          () => false,
        ))
      const uptimeSeconds = Math.max(0, Math.floor((deps.system.now().getTime() - startedAt) / 1000))
      return { status: answers ? ('ok' as const) : ('unavailable' as const), version: deps.version, uptimeSeconds }
    },
  }
}
