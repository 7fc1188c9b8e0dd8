// The use cases that routes can call, by resource. `src/app.ts` makes them.
import type { HealthService } from './health.ts'

export interface Services {
  readonly health: HealthService
}
