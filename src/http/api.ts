// The table of all routes: what is served, documented and tested.
import type { Route } from './route.ts'
import { apiKeysRoutes } from './routes/accounts/api-keys.ts'
import { authRoutes } from './routes/accounts/auth.ts'
import { consoleRoutes } from './routes/server/console.ts'
import { documentationRoutes } from './routes/server/documentation.ts'
import { healthRoutes } from './routes/server/health.ts'
import { meRoutes } from './routes/accounts/me.ts'
import { metricsRoutes } from './routes/server/metrics.ts'
import { rolesRoutes } from './routes/accounts/roles.ts'
import { bulkJobsRoutes } from './routes/records/bulk-jobs.ts'
import { auditRoutes } from './routes/records/audit.ts'
import { catalogsRoutes } from './routes/model/catalogs.ts'
import { categoriesRoutes } from './routes/model/categories.ts'
import { dimensionsRoutes } from './routes/model/dimensions.ts'
import { exportDraftRoutes } from './routes/exports/export-drafts.ts'
import { exportJobsRoutes } from './routes/exports/export-jobs.ts'
import { exportOverviewRoutes } from './routes/exports/export-overview.ts'
import { exportRunsRoutes } from './routes/exports/export-runs.ts'
import { jobInclusionRoutes, recordInclusionRoutes } from './routes/exports/inclusions.ts'
import { historyRoutes } from './routes/records/history.ts'
import { importRoutes } from './routes/records/import.ts'
import { importsRoutes } from './routes/records/imports.ts'
import { importProfilesRoutes } from './routes/records/import-profiles.ts'
import { lifecycleRoutes } from './routes/records/lifecycle.ts'
import { recordBatchRoutes } from './routes/records/record-batch.ts'
import { recordCheckRoutes } from './routes/records/record-check.ts'
import { recordExportRoutes } from './routes/records/record-export.ts'
import { recordsRoutes } from './routes/records/records.ts'
import { savedQueriesRoutes } from './routes/records/saved-queries.ts'
import { schemasRoutes } from './routes/model/schemas.ts'
import { searchRoutes } from './routes/records/search.ts'
import { subscriptionsRoutes } from './routes/events/subscriptions.ts'
import { suggestRoutes } from './routes/records/suggest.ts'
import { startRoutes } from './routes/server/start.ts'
import { visibleModelRoutes } from './routes/model/visible-model.ts'
import { workflowsRoutes } from './routes/model/workflows.ts'
import { usersRoutes } from './routes/accounts/users.ts'

/** These answer without the prefix too: see `withoutPrefix`. */
export const exportRoutes: readonly Route[] = [
  ...exportDraftRoutes,
  ...exportJobsRoutes,
  ...exportRunsRoutes,
  ...jobInclusionRoutes,
]

export const apiRoutes: readonly Route[] = [
  ...startRoutes,
  ...healthRoutes,
  ...metricsRoutes,
  ...documentationRoutes,
  ...consoleRoutes,
  ...authRoutes,
  ...meRoutes,
  ...visibleModelRoutes,
  ...usersRoutes,
  ...apiKeysRoutes,
  ...rolesRoutes,
  ...dimensionsRoutes,
  ...workflowsRoutes,
  ...schemasRoutes,
  ...recordsRoutes,
  ...recordBatchRoutes,
  ...bulkJobsRoutes,
  ...recordCheckRoutes,
  ...recordExportRoutes,
  ...importRoutes,
  ...importProfilesRoutes,
  ...importsRoutes,
  ...lifecycleRoutes,
  ...recordInclusionRoutes,
  ...auditRoutes,
  ...historyRoutes,
  ...catalogsRoutes,
  ...categoriesRoutes,
  ...searchRoutes,
  ...suggestRoutes,
  ...savedQueriesRoutes,
  ...exportRoutes,
  ...exportOverviewRoutes,
  ...subscriptionsRoutes,
]

/** `/api/v1/export-jobs` → `/export-jobs`: as the interface publishes the paths of export jobs. Contract 2 §1. */
export function withoutPrefix(path: string): string {
  return path.replace('/api/v1', '')
}
