// The use cases that routes can call, by resource. `src/app/app.ts` makes them.
import type { ApiKeyService } from './accounts/api-keys.ts'
import type { AssignmentService } from './records/assignments.ts'
import type { AuditService } from './records/audit.ts'
import type { AuthenticationService } from './accounts/authentication.ts'
import type { BulkJobService } from './bulk/bulk-jobs.ts'
import type { CatalogService } from './model/catalogs.ts'
import type { CategoryOrderService } from './records/category-order.ts'
import type { CategoryService } from './model/categories.ts'
import type { ChangeFeed } from './records/change-feed.ts'
import type { ConsoleFileService } from './server/console-files.ts'
import type { DimensionService } from './model/dimensions.ts'
import type { DocumentationService } from './server/documentation.ts'
import type { ExportDestinationService } from './exports/export-destinations.ts'
import type { ExportJobService } from './exports/export-jobs.ts'
import type { ExportDraftService } from './exports/export-drafts.ts'
import type { ExportRunService } from './exports/export-runs.ts'
import type { HealthService } from './server/health.ts'
import type { HistoryErasureService } from './records/history-erasure.ts'
import type { HistoryService } from './records/history.ts'
import type { InclusionService } from './exports/inclusions.ts'
import type { Idempotency } from './requests/idempotency.ts'
import type { ImportProfileService } from './imports/import-profiles.ts'
import type { ImportService } from './imports/imports.ts'
import type { UploadService } from './imports/uploads.ts'
import type { LifecycleService } from './records/lifecycle.ts'
import type { MetricsService } from './server/metrics.ts'
import type { PeopleService } from './accounts/people.ts'
import type { RecordBatchService } from './records/record-batch.ts'
import type { RecordCheckService } from './records/record-check.ts'
import type { RecordExportService } from './records/record-export.ts'
import type { RecordItemService } from './records/record-items.ts'
import type { RecordValuesService } from './records/record-values.ts'
import type { RecordService } from './records/records.ts'
import type { RoleService } from './accounts/roles.ts'
import type { SavedQueryService } from './search/saved-queries.ts'
import type { SchemaService } from './model/schemas.ts'
import type { SearchService } from './search/search.ts'
import type { SubscriptionService } from './subscriptions/subscriptions.ts'
import type { UserService } from './accounts/users.ts'
import type { VisibleModelService } from './model/visible-model.ts'
import type { WorkflowService } from './model/workflows.ts'

export interface Services {
  readonly apiKeys: ApiKeyService
  readonly assignments: AssignmentService
  readonly audit: AuditService
  readonly authentication: AuthenticationService
  readonly bulkJobs: BulkJobService
  readonly catalogs: CatalogService
  readonly categoryOrder: CategoryOrderService
  readonly categories: CategoryService
  readonly consoleFiles: ConsoleFileService
  readonly dimensions: DimensionService
  readonly changes: ChangeFeed
  readonly documentation: DocumentationService
  readonly exportDestinations: ExportDestinationService
  readonly exportJobs: ExportJobService
  readonly exportRuns: ExportRunService
  readonly exportDrafts: ExportDraftService
  readonly health: HealthService
  readonly history: HistoryService
  readonly historyErasure: HistoryErasureService
  readonly idempotency: Idempotency
  readonly imports: ImportService
  readonly importProfiles: ImportProfileService
  readonly inclusions: InclusionService
  readonly lifecycle: LifecycleService
  readonly metrics: MetricsService
  readonly people: PeopleService
  readonly recordBatch: RecordBatchService
  readonly recordCheck: RecordCheckService
  readonly recordExport: RecordExportService
  readonly recordItems: RecordItemService
  readonly recordValues: RecordValuesService
  readonly records: RecordService
  readonly roles: RoleService
  readonly savedQueries: SavedQueryService
  readonly schemas: SchemaService
  readonly search: SearchService
  readonly uploads: UploadService
  readonly subscriptions: SubscriptionService
  readonly users: UserService
  readonly visibleModel: VisibleModelService
  readonly workflows: WorkflowService
}
