// The table of all routes: what is served, documented and tested.
import type { Route } from './route.ts'
import { apiKeysRoutes } from './routes/api-keys.ts'
import { authRoutes } from './routes/auth.ts'
import { documentationRoutes } from './routes/documentation.ts'
import { healthRoutes } from './routes/health.ts'
import { meRoutes } from './routes/me.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { rolesRoutes } from './routes/roles.ts'
import { auditRoutes } from './routes/audit.ts'
import { catalogsRoutes } from './routes/catalogs.ts'
import { categoriesRoutes } from './routes/categories.ts'
import { dimensionsRoutes } from './routes/dimensions.ts'
import { exportJobsRoutes } from './routes/export-jobs.ts'
import { exportRunsRoutes } from './routes/export-runs.ts'
import { importRoutes } from './routes/import.ts'
import { lifecycleRoutes } from './routes/lifecycle.ts'
import { recordsRoutes } from './routes/records.ts'
import { savedQueriesRoutes } from './routes/saved-queries.ts'
import { schemasRoutes } from './routes/schemas.ts'
import { searchRoutes } from './routes/search.ts'
import { startRoutes } from './routes/start.ts'
import { workflowsRoutes } from './routes/workflows.ts'
import { usersRoutes } from './routes/users.ts'

/** These answer without the prefix too: see `withoutPrefix`. */
export const exportRoutes: readonly Route[] = [...exportJobsRoutes, ...exportRunsRoutes]

export const apiRoutes: readonly Route[] = [
  ...startRoutes,
  ...healthRoutes,
  ...metricsRoutes,
  ...documentationRoutes,
  ...authRoutes,
  ...meRoutes,
  ...usersRoutes,
  ...apiKeysRoutes,
  ...rolesRoutes,
  ...dimensionsRoutes,
  ...workflowsRoutes,
  ...schemasRoutes,
  ...recordsRoutes,
  ...importRoutes,
  ...lifecycleRoutes,
  ...auditRoutes,
  ...catalogsRoutes,
  ...categoriesRoutes,
  ...searchRoutes,
  ...savedQueriesRoutes,
  ...exportRoutes,
]

/** `/api/v1/export-jobs` → `/export-jobs`: as the interface publishes the paths of export jobs. Contract 2 §1. */
export function withoutPrefix(path: string): string {
  return path.replace('/api/v1', '')
}
