// The use cases that routes can call, by resource. `src/app/app.ts` makes them.
import type { ApiKeyService } from '../core/accounts/api-keys.ts'
import type { AssignmentService } from '../core/records/category-assignments.ts'
import type { AuditService } from '../core/records/audit.ts'
import type { AuthenticationService } from '../core/accounts/authentication.ts'
import type { BulkJobService } from '../bulk/bulk-jobs.ts'
import type { CatalogService } from '../core/model/catalogs.ts'
import type { CategoryOrderService } from '../core/records/category-order.ts'
import type { CategoryService } from '../core/model/category-service.ts'
import type { ChangeFeed } from '../core/feed/change-feed.ts'
import type { WorkAssignmentService } from '../collaboration/assignments.ts'
import type { CommentService } from '../collaboration/comments.ts'
import type { MessengerService } from '../collaboration/messenger-service.ts'
import type { NoticeService } from '../collaboration/notices.ts'
import type { PresenceService } from '../collaboration/presence.ts'
import type { ConsoleFileService } from '../console-host/console-files.ts'
import type { DimensionService } from '../core/model/dimensions.ts'
import type { DocumentationService } from '../docs-host/documentation-service.ts'
import type { ExportDestinationService } from '../exports/jobs/export-destinations.ts'
import type { ExportJobService } from '../exports/jobs/export-jobs.ts'
import type { ExportDraftService } from '../exports/jobs/export-drafts.ts'
import type { ExportRunService } from '../exports/jobs/export-run-list.ts'
import type { FileService } from '../files/files.ts'
import type { HealthService } from '../workspace/health.ts'
import type { HistoryErasureService } from '../workspace/erasure/history-eraser.ts'
import type { HistoryService } from '../core/records/history.ts'
import type { InclusionService } from '../exports/jobs/inclusions.ts'
import type { Idempotency } from '../core/requests/idempotent-requests.ts'
import type { ImportProfileService } from '../imports/import-profiles.ts'
import type { ImportService } from '../imports/import-service.ts'
import type { DemoService } from '../imports/demo/demo-import.ts'
import type { TemplateService } from '../core/model/templates.ts'
import type { ProposalService } from '../imports/proposing.ts'
import type { UploadService } from '../imports/uploads.ts'
import type { LifecycleService } from '../core/records/transitions.ts'
import type { Metrics } from '../kernel/observing/metrics.ts'
import type { PeopleService } from '../core/accounts/people.ts'
import type { RenditionService } from '../files/rendition-service.ts'
import type { RenditionPresetService } from '../files/rendition-presets.ts'
import type { PublicAddressService } from '../files/public-addresses.ts'
import type { RecordBatchService } from '../core/records/record-batch.ts'
import type { RecordCheckService } from '../core/records/record-validation.ts'
import type { RecordExportService } from '../exports/jobs/record-export.ts'
import type { RecordItemService } from '../core/records/record-items.ts'
import type { RecordValuesService } from '../core/records/record-values.ts'
import type { RecordService } from '../core/records/records.ts'
import type { ReferrerService } from '../core/records/referrers.ts'
import type { RoleService } from '../core/accounts/roles.ts'
import type { SavedQueryService } from '../core/search/saved-queries.ts'
import type { SchemaService } from '../core/model/schemas.ts'
import type { SheetService } from '../product-sheets/sheet-links.ts'
import type { SheetTemplateService } from '../product-sheets/sheet-templates.ts'
import type { SearchService } from '../core/search/search.ts'
import type { StatisticsService } from '../statistics/statistics.ts'
import type { SubscriptionService } from '../events/subscription-service.ts'
import type { UserService } from '../core/accounts/users.ts'
import type { VisibleModelService } from '../core/model/visible-model.ts'
import type { WorkflowService } from '../core/model/workflows.ts'

export interface Services {
  readonly apiKeys: ApiKeyService
  readonly assignments: AssignmentService
  readonly audit: AuditService
  readonly authentication: AuthenticationService
  readonly bulkJobs: BulkJobService
  readonly catalogs: CatalogService
  readonly categoryOrder: CategoryOrderService
  readonly categories: CategoryService
  readonly comments: CommentService
  readonly consoleFiles: ConsoleFileService
  readonly dimensions: DimensionService
  readonly changes: ChangeFeed
  readonly documentation: DocumentationService
  readonly exportDestinations: ExportDestinationService
  readonly exportJobs: ExportJobService
  readonly exportRuns: ExportRunService
  readonly exportDrafts: ExportDraftService
  readonly files: FileService
  readonly health: HealthService
  readonly history: HistoryService
  readonly historyErasure: HistoryErasureService
  readonly idempotency: Idempotency
  readonly imports: ImportService
  readonly importProfiles: ImportProfileService
  readonly inclusions: InclusionService
  readonly lifecycle: LifecycleService
  readonly messenger: MessengerService
  readonly metrics: Pick<Metrics, 'text' | 'mediaType'>
  readonly notices: NoticeService
  readonly people: PeopleService
  readonly presence: PresenceService
  readonly recordBatch: RecordBatchService
  readonly recordCheck: RecordCheckService
  readonly recordExport: RecordExportService
  readonly recordItems: RecordItemService
  readonly recordValues: RecordValuesService
  readonly records: RecordService
  readonly referrers: ReferrerService
  readonly publicAddresses: PublicAddressService
  readonly renditions: RenditionService
  readonly renditionPresets: RenditionPresetService
  readonly roles: RoleService
  readonly savedQueries: SavedQueryService
  readonly schemas: SchemaService
  readonly search: SearchService
  readonly demo: DemoService
  readonly proposals: ProposalService
  readonly templates: TemplateService
  readonly sheets: SheetService
  readonly sheetTemplates: SheetTemplateService
  readonly statistics: StatisticsService
  readonly uploads: UploadService
  readonly subscriptions: SubscriptionService
  readonly users: UserService
  readonly visibleModel: VisibleModelService
  readonly workAssignments: WorkAssignmentService
  readonly workflows: WorkflowService
}
