// The services and what each of them is made of: a part of the composition root (`app.ts`).
import type { Config } from './config.ts'
import type { DataDirectory } from './data-directory.ts'
import { createDocumentation } from './documentation.ts'
import type { RunningEngine } from './exports/engine.ts'
import type { Metrics } from './metrics.ts'
import { createApiKeyService } from './services/api-keys.ts'
import { createAssignmentService } from './services/assignments.ts'
import { createAuditService } from './services/audit.ts'
import { createAuthenticationService } from './services/authentication.ts'
import { createCatalogService } from './services/catalogs.ts'
import { createCategoryService } from './services/categories.ts'
import { createCredentials } from './services/credentials.ts'
import { createDimensionService } from './services/dimensions.ts'
import { createExportJobService } from './services/export-jobs.ts'
import { createExportRunService } from './services/export-runs.ts'
import { createHealthService } from './services/health.ts'
import { createImportService } from './services/imports.ts'
import { createLifecycleService } from './services/lifecycle.ts'
import { createLoginThrottle } from './services/login-throttle.ts'
import { createMetricsService } from './services/metrics.ts'
import { createRecordService } from './services/records.ts'
import { createRecordValuesService } from './services/record-values.ts'
import { createRoleService } from './services/roles.ts'
import { createSavedQueryService } from './services/saved-queries.ts'
import { createSchemaService } from './services/schemas.ts'
import { createSearchService } from './services/search.ts'
import { createTokens } from './services/tokens.ts'
import { createUserService } from './services/users.ts'
import { createWorkflowService } from './services/workflows.ts'
import type { ModelChanges } from './services/model-changes/model-changes.ts'
import type { KeyUsage } from './services/key-usage.ts'
import type { PasswordHasher } from './services/passwords.ts'
import type { Services } from './services/services.ts'
import type { Store } from './storage/port.ts'
import type { System } from './system.ts'

export interface ServiceParts {
  readonly store: Store
  readonly system: System
  readonly passwords: PasswordHasher
  readonly keyUsage: KeyUsage
  readonly metrics: Metrics
  readonly directory: DataDirectory
  readonly engine: RunningEngine
  readonly modelChanges: ModelChanges
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
  const throttle = createLoginThrottle(system)
  const search = createSearchService(deps)
  const authentication = createAuthenticationService({ ...deps, credentials, tokens, throttle })
  return {
    apiKeys: createApiKeyService({ ...deps, credentials }),
    assignments: createAssignmentService(deps),
    audit: createAuditService(deps),
    authentication,
    catalogs: createCatalogService(deps),
    categories: createCategoryService(deps),
    dimensions: createDimensionService(deps),
    documentation: createDocumentation(),
    exportJobs: createExportJobService(deps),
    exportRuns: createExportRunService(deps),
    health: createHealthService({ store, system, version, isStopping }),
    imports: createImportService(deps),
    lifecycle: createLifecycleService(deps),
    metrics: createMetricsService(deps),
    recordValues: createRecordValuesService(deps),
    records: createRecordService(deps),
    roles: createRoleService(deps),
    savedQueries: createSavedQueryService({ ...deps, search }),
    schemas: createSchemaService(deps),
    search,
    users: createUserService({ ...deps, credentials, authentication }),
    workflows: createWorkflowService(deps),
  }
}
