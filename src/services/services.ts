// The use cases that routes can call, by resource. `src/app.ts` makes them.
import type { ApiKeyService } from './api-keys.ts'
import type { AuditService } from './audit.ts'
import type { AuthenticationService } from './authentication.ts'
import type { HealthService } from './health.ts'
import type { LifecycleService } from './lifecycle.ts'
import type { RecordValuesService } from './record-values.ts'
import type { RecordService } from './records.ts'
import type { RoleService } from './roles.ts'
import type { UserService } from './users.ts'

export interface Services {
  readonly apiKeys: ApiKeyService
  readonly audit: AuditService
  readonly authentication: AuthenticationService
  readonly health: HealthService
  readonly lifecycle: LifecycleService
  readonly recordValues: RecordValuesService
  readonly records: RecordService
  readonly roles: RoleService
  readonly users: UserService
}
