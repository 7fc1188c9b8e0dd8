// Builds the services, the use cases that routes can call, by resource: a part of the composition root (`app.ts`).
import type { Config } from '../kernel/settings/config.ts'
import { fileSourceOf, type Foundation, type Parts } from './app-parts.ts'
import { createWorkAssignmentService } from '../collaboration/assignments.ts'
import { createCommentService } from '../collaboration/comments.ts'
import { createMessengerService } from '../collaboration/messenger-service.ts'
import { createNoticeService } from '../collaboration/notices.ts'
import { createPresenceService } from '../collaboration/presence.ts'
import { createConsoleFiles } from '../console-host/console-files.ts'
import type { DocumentationService } from '../docs-host/documentation-service.ts'
import type { RunningEngine } from '../exports/engine/engine.ts'
import type { Messengers } from '../kernel/messengers.ts'
import type { HeldMemory } from '../kernel/held-memory.ts'
import { createApiKeyService } from '../core/accounts/api-keys.ts'
import { createAssignmentService } from '../core/records/category-assignments.ts'
import { createAuditService } from '../core/records/audit.ts'
import { createAuthenticationService } from '../core/accounts/authentication.ts'
import { createBulkJobService } from '../bulk/bulk-jobs.ts'
import { createCatalogService } from '../core/model/catalogs.ts'
import { createCategoryOrderService } from '../core/records/category-order.ts'
import { createCategoryService } from '../core/model/category-service.ts'
import { createChangeFeed } from '../core/feed/change-feed.ts'
import { createCredentials } from '../core/accounts/credentials.ts'
import { createDimensionService } from '../core/model/dimensions.ts'
import { createExportDestinationService } from '../exports/jobs/export-destinations.ts'
import { createExportJobService } from '../exports/jobs/export-jobs.ts'
import { createExportDraftService } from '../exports/jobs/export-drafts.ts'
import { createExportRunService } from '../exports/jobs/export-run-list.ts'
import { createHealthService } from '../workspace/health.ts'
import { createHistoryErasureService } from '../workspace/erasure/history-eraser.ts'
import { createHistoryService } from '../core/records/history.ts'
import { createInclusionService } from '../exports/jobs/inclusions.ts'
import { createIdempotency } from '../core/requests/idempotent-requests.ts'
import { createRenditionService } from '../files/rendition-service.ts'
import type { Readiness } from '../http/readiness.ts'
import { createImportProfileService } from '../imports/import-profiles.ts'
import { createImportService } from '../imports/import-service.ts'
import { createLifecycleService } from '../core/records/transitions.ts'
import { createLoginThrottle } from '../core/accounts/login-throttle.ts'
import { createPeopleService } from '../core/accounts/people.ts'
import { createRenditionPresetService } from '../files/rendition-presets.ts'
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
import type { Deliverer } from '../events/deliverer.ts'
import type { EventSender } from '../events/sender.ts'
import type { SecretBox } from '../kernel/secrets/secret-box.ts'
import { createStatisticsService } from '../statistics/statistics.ts'
import { createSubscriptionService } from '../events/subscription-service.ts'

interface ServiceParts extends Foundation, Parts {
  readonly held: HeldMemory
  readonly engine: RunningEngine
  readonly exporter: FoundExporter
  readonly messengers: Messengers
  readonly deliverer: Deliverer
  readonly sender: EventSender
  readonly secrets: SecretBox
  /** It lists the routes, which know the services: it is made before them. */
  readonly documentation: DocumentationService
}

export type Services = ReturnType<typeof createServices>

export function createServices(
  parts: ServiceParts,
  { config, version }: { config: Config; version: string },
  readiness: Readiness,
) {
  const deps = { ...parts, maxRecords: config.maxRecords, keepRuns: config.keepRuns, maxFile: config.maxFile }
  const { store, system, directory } = deps
  const credentials = createCredentials(store)
  const tokens = createTokens(system, directory.signingKey)
  const throttle = createLoginThrottle(system, undefined, store.loginFailures)
  const search = createSearchService(deps)
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
    documentation: deps.documentation,
    exportDestinations: createExportDestinationService(deps),
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
