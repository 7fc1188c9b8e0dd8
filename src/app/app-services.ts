// Builds the services: a part of the composition root (`app.ts`).
import type { Config } from '../kernel/settings/config.ts'
import type { DataDirectory } from '../kernel/machine/data-directory.ts'
import { createWorkAssignmentService } from '../collaboration/assignments.ts'
import { createCommentService } from '../collaboration/comments.ts'
import { createMessengerService } from '../collaboration/messenger-service.ts'
import { createNoticeService } from '../collaboration/notices.ts'
import { createPresenceService } from '../collaboration/presence.ts'
import { createConsoleFiles } from '../console-host/console-files.ts'
import { createDocumentation } from '../docs-host/documentation.ts'
import type { RunningEngine } from '../exports/engine/engine.ts'
import type { Messengers } from '../kernel/messengers.ts'
import type { HeldMemory } from '../kernel/held-memory.ts'
import type { Metrics } from '../kernel/observing/metrics.ts'
import { createApiKeyService } from '../core/accounts/api-keys.ts'
import { createAssignmentService } from '../core/records/category-assignments.ts'
import { createAuditService } from '../core/records/audit.ts'
import { createAuthenticationService } from '../core/accounts/authentication.ts'
import { createBulkJobService } from '../bulk/bulk-jobs.ts'
import type { BulkRunner } from '../bulk/bulk-runner.ts'
import { createCatalogService } from '../core/model/catalogs.ts'
import { createCategoryOrderService } from '../core/records/category-order.ts'
import { createCategoryService } from '../core/model/category-service.ts'
import type { ChangeBell } from '../core/feed/change-bell.ts'
import { createChangeFeed } from '../core/feed/change-feed.ts'
import { createCredentials } from '../core/accounts/credentials.ts'
import { createDimensionService } from '../core/model/dimensions.ts'
import { createExportDestinationService } from '../exports/jobs/export-destinations.ts'
import { createExportJobService } from '../exports/jobs/export-jobs.ts'
import { createExportDraftService } from '../exports/jobs/export-drafts.ts'
import { createExportRunService } from '../exports/jobs/export-run-list.ts'
import { createHealthService } from '../workspace/health.ts'
import { createHistoryErasureService, type HistoryEraser } from '../workspace/erasure/history-eraser.ts'
import { createHistoryService } from '../core/records/history.ts'
import { createInclusionService } from '../exports/jobs/inclusions.ts'
import { createIdempotency } from '../core/requests/idempotent-requests.ts'
import { createRenditionService } from '../files/rendition-service.ts'
import type { Renditions } from '../files/pictures/renditions.ts'
import type { Readiness } from '../http/readiness.ts'
import type { BytesOf, FileService } from '../files/files.ts'
import type { ImportFiles } from '../imports/readers/import-files.ts'
import { createImportProfileService } from '../imports/import-profiles.ts'
import { createImportService } from '../imports/import-service.ts'
import { createLifecycleService } from '../core/records/transitions.ts'
import { createLoginThrottle } from '../core/accounts/login-throttle.ts'
import { createPeopleService } from '../core/accounts/people.ts'
import { createRenditionPresetService } from '../files/rendition-presets.ts'
import type { PublicAddressService } from '../files/public-addresses.ts'
import { createRecordService } from '../core/records/records.ts'
import { createRecordBatchService } from '../core/records/record-batch.ts'
import { createRecordCheckService } from '../core/records/record-validation.ts'
import { createRecordExportService, type FoundExporter } from '../exports/jobs/record-export.ts'
import { createRecordItemService } from '../core/records/record-items.ts'
import { createRecordValuesService } from '../core/records/record-values.ts'
import { createReferrerService } from '../core/records/referrers.ts'
import { createRoleService } from '../core/accounts/roles.ts'
import { createSavedQueryService } from '../core/search/saved-queries.ts'
import { createSchemaService } from '../core/model/schemas.ts'
import { createSheetService } from '../product-sheets/sheet-links.ts'
import { createSheetTemplateService } from '../product-sheets/sheet-templates.ts'
import { createSearchService } from '../core/search/search.ts'
import { createTokens } from '../core/accounts/tokens.ts'
import { createDemoService } from '../imports/demo/demo-import.ts'
import { createTemplateService } from '../core/model/templates.ts'
import { createProposalService } from '../imports/proposing.ts'
import { createUploadService } from '../imports/uploads.ts'
import { createUserService } from '../core/accounts/users.ts'
import { createVisibleModelService } from '../core/model/visible-model.ts'
import { createWorkflowService } from '../core/model/workflows.ts'
import type { ModelChanges } from '../core/model/changes/model-changes.ts'
import type { KeyUsage } from '../core/accounts/key-usage.ts'
import type { SignIns } from '../core/accounts/sign-ins.ts'
import type { PasswordHasher } from '../core/accounts/passwords.ts'
import type { Deliverer } from '../events/deliverer.ts'
import type { EventSender } from '../events/sender.ts'
import type { SecretBox } from '../kernel/secrets/secret-box.ts'
import { createStatisticsService } from '../statistics/statistics.ts'
import { createSubscriptionService } from '../events/subscription-service.ts'
import { fileSourceOf } from './import-file-source.ts'
import type { Services } from './services.ts'
import type { Store } from '../store/port.ts'
import type { System } from '../kernel/machine/system.ts'

interface ServiceParts {
  readonly store: Store
  readonly system: System
  readonly passwords: PasswordHasher
  readonly keyUsage: KeyUsage
  readonly signIns: SignIns
  readonly metrics: Metrics
  readonly held: HeldMemory
  readonly directory: DataDirectory
  readonly engine: RunningEngine
  readonly modelChanges: ModelChanges
  readonly bell: ChangeBell
  readonly exporter: FoundExporter
  readonly messengers: Messengers
  readonly importFiles: ImportFiles
  readonly files: FileService
  readonly originals: BytesOf
  readonly publicAddresses: PublicAddressService
  readonly renditions: Renditions
  readonly bulkRunner: BulkRunner
  readonly eraser: HistoryEraser
  readonly deliverer: Deliverer
  readonly sender: EventSender
  readonly secrets: SecretBox
}

export function createServices(
  parts: ServiceParts,
  { config, version }: { config: Config; version: string },
  readiness: Readiness,
): Services {
  const deps = { ...parts, maxRecords: config.maxRecords, keepRuns: config.keepRuns, maxFile: config.maxFile }
  const { store, system, directory } = deps
  const credentials = createCredentials(store)
  const tokens = createTokens(system, directory.signingKey)
  const throttle = createLoginThrottle(system, undefined, store.loginFailures)
  const search = createSearchService(deps)
  const documentation = createDocumentation()
  const records = createRecordService(deps)
  const assignments = createAssignmentService(deps)
  const authentication = createAuthenticationService({ ...deps, credentials, tokens, throttle })
  const exportJobs = createExportJobService(deps)
  const { publicAddresses } = deps
  const renditions = createRenditionService(deps)
  return {
    apiKeys: createApiKeyService({ ...deps, credentials }),
    assignments,
    audit: createAuditService(deps),
    authentication,
    bulkJobs: createBulkJobService(deps),
    catalogs: createCatalogService(deps),
    categoryOrder: createCategoryOrderService(deps),
    categories: createCategoryService(deps),
    changes: createChangeFeed(deps),
    comments: createCommentService(deps),
    consoleFiles: createConsoleFiles({ isServed: config.servesConsole }),
    dimensions: createDimensionService(deps),
    documentation,
    exportDestinations: createExportDestinationService({ ...deps, documentation }),
    exportJobs,
    exportDrafts: createExportDraftService({ engine: deps.engine, jobs: exportJobs }),
    exportRuns: createExportRunService(deps),
    files: parts.files,
    health: createHealthService({ store, system, version, readiness }),
    history: createHistoryService(deps),
    historyErasure: createHistoryErasureService(deps),
    idempotency: createIdempotency({ ...deps, secret: directory.encryptionKey }),
    imports: createImportService(deps),
    importProfiles: createImportProfileService(deps),
    inclusions: createInclusionService(deps),
    lifecycle: createLifecycleService(deps),
    messenger: createMessengerService({ ...deps, publicUrl: config.publicUrl }),
    metrics: deps.metrics,
    notices: createNoticeService(deps),
    presence: createPresenceService({ store, system }),
    people: createPeopleService({ ...deps, workspaceName: config.workspaceName }),
    recordBatch: createRecordBatchService(deps),
    recordCheck: createRecordCheckService(deps),
    recordValues: createRecordValuesService(deps),
    recordExport: createRecordExportService({ ...deps, search, addresses: publicAddresses }),
    recordItems: createRecordItemService({ store, records, assignments, search }),
    records,
    referrers: createReferrerService(deps),
    publicAddresses,
    renditions,
    renditionPresets: createRenditionPresetService(deps),
    roles: createRoleService(deps),
    savedQueries: createSavedQueryService({ ...deps, search }),
    schemas: createSchemaService(deps),
    search,
    demo: createDemoService({ ...deps, fileKeeper: fileSourceOf(parts.files) }),
    proposals: createProposalService(deps),
    templates: createTemplateService(deps),
    sheets: createSheetService({ ...deps, pictures: renditions, publicUrl: publicAddresses.publicUrl }),
    sheetTemplates: createSheetTemplateService(deps),
    statistics: createStatisticsService(deps),
    uploads: createUploadService(deps),
    subscriptions: createSubscriptionService(deps),
    users: createUserService({ ...deps, credentials, authentication }),
    visibleModel: createVisibleModelService(deps),
    workAssignments: createWorkAssignmentService(deps),
    workflows: createWorkflowService(deps),
  }
}
