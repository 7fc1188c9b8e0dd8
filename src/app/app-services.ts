// The services and what each of them is made of: a part of the composition root (`app.ts`).
import type { Config } from '../settings/config.ts'
import type { DataDirectory } from '../machine/data-directory.ts'
import { createConsoleFiles } from '../documentation/console-files.ts'
import { createDocumentation } from '../documentation/documentation.ts'
import type { RunningEngine } from '../exports/engine.ts'
import type { Metrics } from '../observing/metrics.ts'
import { createApiKeyService } from '../services/accounts/api-keys.ts'
import { createAssignmentService } from '../services/records/assignments.ts'
import { createAuditService } from '../services/records/audit.ts'
import { createAuthenticationService } from '../services/accounts/authentication.ts'
import { createBulkJobService } from '../services/bulk/bulk-jobs.ts'
import type { BulkRunner } from '../services/bulk/bulk-runner.ts'
import { createCatalogService } from '../services/model/catalogs.ts'
import { createCategoryOrderService } from '../services/records/category-order.ts'
import { createCategoryService } from '../services/model/categories.ts'
import type { ChangeBell } from '../services/records/change-bell.ts'
import { createChangeFeed } from '../services/records/change-feed.ts'
import { createCredentials } from '../services/accounts/credentials.ts'
import { createDimensionService } from '../services/model/dimensions.ts'
import { createExportDestinationService } from '../services/exports/export-destinations.ts'
import { createExportJobService } from '../services/exports/export-jobs.ts'
import { createExportDraftService } from '../services/exports/export-drafts.ts'
import { createExportRunService } from '../services/exports/export-runs.ts'
import { createHealthService } from '../services/server/health.ts'
import { createHistoryErasureService } from '../services/records/history-erasure.ts'
import type { HistoryEraser } from '../services/records/history-eraser.ts'
import { createHistoryService } from '../services/records/history.ts'
import { createInclusionService } from '../services/exports/inclusions.ts'
import { createIdempotency } from '../services/requests/idempotency.ts'
import type { ImportFiles } from '../services/imports/import-files.ts'
import { createImportProfileService } from '../services/imports/import-profiles.ts'
import { createImportService } from '../services/imports/imports.ts'
import { createLifecycleService } from '../services/records/lifecycle.ts'
import { createLoginThrottle } from '../services/accounts/login-throttle.ts'
import { createMetricsService } from '../services/server/metrics.ts'
import { createPeopleService } from '../services/accounts/people.ts'
import { createRecordService } from '../services/records/records.ts'
import { createRecordBatchService } from '../services/records/record-batch.ts'
import { createRecordCheckService } from '../services/records/record-check.ts'
import { createRecordExportService, type FoundExporter } from '../services/records/record-export.ts'
import { createRecordItemService } from '../services/records/record-items.ts'
import { createRecordValuesService } from '../services/records/record-values.ts'
import { createRoleService } from '../services/accounts/roles.ts'
import { createSavedQueryService } from '../services/search/saved-queries.ts'
import { createSchemaService } from '../services/model/schemas.ts'
import { createSearchService } from '../services/search/search.ts'
import { createTokens } from '../services/accounts/tokens.ts'
import { createUploadService } from '../services/imports/uploads.ts'
import { createUserService } from '../services/accounts/users.ts'
import { createVisibleModelService } from '../services/model/visible-model.ts'
import { createWorkflowService } from '../services/model/workflows.ts'
import type { ModelChanges } from '../services/model-changes/model-changes.ts'
import type { KeyUsage } from '../services/accounts/key-usage.ts'
import type { SignIns } from '../services/accounts/sign-ins.ts'
import type { PasswordHasher } from '../services/accounts/passwords.ts'
import type { Deliverer } from '../services/subscriptions/deliverer.ts'
import type { EventSender, SecretKeeper } from '../services/subscriptions/event-sender.ts'
import { createSubscriptionService } from '../services/subscriptions/subscriptions.ts'
import type { Services } from '../services/services.ts'
import type { Store } from '../storage/port.ts'
import type { System } from '../machine/system.ts'

export interface ServiceParts {
  readonly store: Store
  readonly system: System
  readonly passwords: PasswordHasher
  readonly keyUsage: KeyUsage
  readonly signIns: SignIns
  readonly metrics: Metrics
  readonly directory: DataDirectory
  readonly engine: RunningEngine
  readonly modelChanges: ModelChanges
  readonly bell: ChangeBell
  readonly exporter: FoundExporter
  readonly importFiles: ImportFiles
  readonly bulkRunner: BulkRunner
  readonly eraser: HistoryEraser
  readonly deliverer: Deliverer
  readonly sender: EventSender
  readonly secrets: SecretKeeper
}

/** `isStopping`: whether the server is shutting down, or has not started yet. */
export function createServices(
  parts: ServiceParts,
  { config, version }: { config: Config; version: string },
  isStopping: () => boolean,
): Services {
  const deps = { ...parts, maxRecords: config.maxRecords, keepRuns: config.keepRuns }
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
    consoleFiles: createConsoleFiles({ isServed: config.servesConsole }),
    dimensions: createDimensionService(deps),
    documentation,
    exportDestinations: createExportDestinationService({ ...deps, documentation }),
    exportJobs,
    exportDrafts: createExportDraftService({ engine: deps.engine, jobs: exportJobs }),
    exportRuns: createExportRunService(deps),
    health: createHealthService({ store, system, version, isStopping }),
    history: createHistoryService(deps),
    historyErasure: createHistoryErasureService(deps),
    idempotency: createIdempotency({ ...deps, secret: directory.encryptionKey }),
    imports: createImportService(deps),
    importProfiles: createImportProfileService(deps),
    inclusions: createInclusionService(deps),
    lifecycle: createLifecycleService(deps),
    metrics: createMetricsService(deps),
    people: createPeopleService({ ...deps, workspaceName: config.workspaceName }),
    recordBatch: createRecordBatchService(deps),
    recordCheck: createRecordCheckService(deps),
    recordValues: createRecordValuesService(deps),
    recordExport: createRecordExportService({ ...deps, search }),
    recordItems: createRecordItemService({ store, records, assignments, search }),
    records,
    roles: createRoleService(deps),
    savedQueries: createSavedQueryService({ ...deps, search }),
    schemas: createSchemaService(deps),
    search,
    uploads: createUploadService(deps),
    subscriptions: createSubscriptionService(deps),
    users: createUserService({ ...deps, credentials, authentication }),
    visibleModel: createVisibleModelService(deps),
    workflows: createWorkflowService(deps),
  }
}
