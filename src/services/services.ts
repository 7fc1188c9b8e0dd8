// The use cases that routes can call, by resource. `src/app.ts` makes them.
import type { ApiKeyService } from './api-keys.ts'
import type { AuthenticationService } from './authentication.ts'
import type { HealthService } from './health.ts'
import type { RoleService } from './roles.ts'
import type { UserService } from './users.ts'

export interface Services {
  readonly apiKeys: ApiKeyService
  readonly authentication: AuthenticationService
  readonly health: HealthService
  readonly roles: RoleService
  readonly users: UserService
}
