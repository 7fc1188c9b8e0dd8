// The use cases that routes can call, by resource. `src/app.ts` makes them.
import type { ApiKeyService } from './api-keys.ts'
import type { AssignmentService } from './assignments.ts'
import type { AuditService } from './audit.ts'
import type { AuthenticationService } from './authentication.ts'
import type { CatalogService } from './catalogs.ts'
import type { CategoryService } from './categories.ts'
import type { DimensionService } from './dimensions.ts'
import type { DocumentationService } from './documentation.ts'
import type { ExportJobService } from './export-jobs.ts'
import type { ExportRunService } from './export-runs.ts'
import type { HealthService } from './health.ts'
import type { ImportService } from './imports.ts'
import type { LifecycleService } from './lifecycle.ts'
import type { MetricsService } from './metrics.ts'
import type { RecordValuesService } from './record-values.ts'
import type { RecordService } from './records.ts'
import type { RoleService } from './roles.ts'
import type { SavedQueryService } from './saved-queries.ts'
import type { SchemaService } from './schemas.ts'
import type { SearchService } from './search.ts'
import type { UserService } from './users.ts'
import type { WorkflowService } from './workflows.ts'

export interface Services {
  readonly apiKeys: ApiKeyService
  readonly assignments: AssignmentService
  readonly audit: AuditService
  readonly authentication: AuthenticationService
  readonly catalogs: CatalogService
  readonly categories: CategoryService
  readonly dimensions: DimensionService
  readonly documentation: DocumentationService
  readonly exportJobs: ExportJobService
  readonly exportRuns: ExportRunService
  readonly health: HealthService
  readonly imports: ImportService
  readonly lifecycle: LifecycleService
  readonly metrics: MetricsService
  readonly recordValues: RecordValuesService
  readonly records: RecordService
  readonly roles: RoleService
  readonly savedQueries: SavedQueryService
  readonly schemas: SchemaService
  readonly search: SearchService
  readonly users: UserService
  readonly workflows: WorkflowService
}
