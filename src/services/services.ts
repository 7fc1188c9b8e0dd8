// The use cases that routes can call, by resource. `src/app.ts` makes them.
import type { AuditService } from './audit.ts'
import type { HealthService } from './health.ts'
import type { LifecycleService } from './lifecycle.ts'
import type { RecordValuesService } from './record-values.ts'
import type { RecordService } from './records.ts'

export interface Services {
  readonly audit: AuditService
  readonly health: HealthService
  readonly lifecycle: LifecycleService
  readonly recordValues: RecordValuesService
  readonly records: RecordService
}
