// The table of all routes that are served, documented and tested, with names and examples of their shapes.
import * as definitions from '../core/model/routes/definition-routes.ts'
import { bulkJobsRoutes } from '../bulk/routes/bulk-job-routes.ts'
import { assignmentRoutes } from '../collaboration/routes/assignment-routes.ts'
import { commentRoutes } from '../collaboration/routes/comment-routes.ts'
import { messengerRoutes } from '../collaboration/routes/messenger-routes.ts'
import { noticeRoutes } from '../collaboration/routes/notice-routes.ts'
import { presenceRoutes } from '../collaboration/routes/presence-routes.ts'
import { consoleRoutes, Hint, startRoutes } from '../console-host/console-routes.ts'
import { apiKeysRoutes } from '../core/accounts/routes/api-key-routes.ts'
import { authRoutes } from '../core/accounts/routes/auth-routes.ts'
import { meRoutes } from '../core/accounts/routes/me-routes.ts'
import { rolesRoutes } from '../core/accounts/routes/role-routes.ts'
import { usersRoutes } from '../core/accounts/routes/user-routes.ts'
import { auditRoutes } from '../core/feed/routes/audit-routes.ts'
import { categoriesRoutes } from '../core/model/routes/category-routes.ts'
import { schemasRoutes } from '../core/model/routes/schema-routes.ts'
import { templateRoutes } from '../core/model/routes/template-routes.ts'
import { recordBatchRoutes, recordCheckRoutes } from '../core/records/routes/batch-routes.ts'
import { historyRoutes } from '../core/records/routes/history-routes.ts'
import { lifecycleRoutes } from '../core/records/routes/lifecycle-routes.ts'
import { recordsRoutes } from '../core/records/routes/record-routes.ts'
import { placeRoutes } from '../core/search/routes/place-routes.ts'
import { savedQueriesRoutes } from '../core/search/routes/saved-query-routes.ts'
import { searchRoutes } from '../core/search/routes/search-routes.ts'
import { suggestRoutes } from '../core/search/routes/suggest-routes.ts'
import { documentationRoutes, OpenApi } from '../docs-host/documentation-routes.ts'
import { subscriptionsRoutes } from '../events/routes/subscription-routes.ts'
import { exportDraftRoutes, exportJobsRoutes } from '../exports/routes/export-job-routes.ts'
import { exportOverviewRoutes } from '../exports/routes/export-overview-routes.ts'
import { exportRunsRoutes } from '../exports/routes/export-run-routes.ts'
import { jobInclusionRoutes, recordInclusionRoutes } from '../exports/routes/inclusion-routes.ts'
import { recordExportRoutes } from '../exports/routes/record-export-routes.ts'
import { fileRoutes } from '../files/routes/file-routes.ts'
import { renditionPresetsRoutes } from '../files/routes/rendition-preset-routes.ts'
import { component, type Components } from '../http/openapi/component.ts'
import type { Route } from '../http/route.ts'
import { demoRoutes, importProfilesRoutes, importRoutes, importsRoutes } from '../imports/routes/import-routes.ts'
import { sheetRoutes } from '../product-sheets/routes/sheet-routes.ts'
import { statisticsRoutes } from '../statistics/routes/statistics-routes.ts'
import { healthRoutes, Healthy, metricsRoutes, Unhealthy } from '../workspace/routes/server-routes.ts'

/** Export jobs and their runs. They answer without the prefix, too: see `withoutPrefix`. */
export const jobRoutes: readonly Route[] = [
  ...exportDraftRoutes,
  ...exportJobsRoutes,
  ...exportRunsRoutes,
  ...jobInclusionRoutes,
]

/** `/api/v1/export-jobs` → `/export-jobs`: as the interface publishes the paths of export jobs. Contract 2 §1. */
export function withoutPrefix(path: string): string {
  return path.replace('/api/v1', '')
}

export const apiRoutes: readonly Route[] = [
  [healthRoutes, metricsRoutes, documentationRoutes, startRoutes, consoleRoutes],
  [authRoutes, meRoutes, definitions.visibleModelRoutes, usersRoutes, apiKeysRoutes, rolesRoutes],
  [definitions.dimensionsRoutes, definitions.workflowsRoutes, schemasRoutes],
  [recordsRoutes, recordBatchRoutes, recordCheckRoutes, lifecycleRoutes, auditRoutes, historyRoutes],
  [definitions.catalogsRoutes, categoriesRoutes, templateRoutes],
  [searchRoutes, placeRoutes, suggestRoutes, savedQueriesRoutes],
  [commentRoutes, assignmentRoutes, noticeRoutes, messengerRoutes, presenceRoutes],
  [fileRoutes, renditionPresetsRoutes, bulkJobsRoutes],
  [importRoutes, importProfilesRoutes, importsRoutes, demoRoutes, sheetRoutes],
  [recordExportRoutes, recordInclusionRoutes, jobRoutes, exportOverviewRoutes, subscriptionsRoutes, statisticsRoutes],
].flat(2)

const ABOUT = { version: '1.0.0', uptimeSeconds: 86_400 }
const ADDRESSES = { console: '/console/', docs: '/docs', openapi: '/api/v1/openapi.json', health: '/healthz' }
const ownExamples = {
  Healthy: component(Healthy, { status: 'ok', ...ABOUT }),
  Unhealthy: component(Unhealthy, { status: 'unavailable', ...ABOUT }),
  OpenApi: component(OpenApi, { openapi: '3.1.1', info: { title: 'pimlet', version: '1.0.0' }, paths: {} }),
  Hint: component(Hint, { name: 'pimlet', version: '1.0.0', ...ADDRESSES }),
}

/** Names and examples of the shapes of all routes: loaded when the OpenAPI document is first asked for. */
export async function loadExamples(): Promise<Components> {
  const { recordComponents, itemComponents } = await import('../core/records/routes/record-examples.ts')
  const { searchComponents, facetComponents } = await import('../core/search/routes/search-examples.ts')
  return {
    ...ownExamples,
    ...recordComponents,
    ...searchComponents,
    ...itemComponents,
    ...facetComponents,
    ...(await import('../core/model/routes/model-examples.ts')).modelComponents,
    ...(await import('../core/accounts/routes/account-examples.ts')).accountComponents,
    ...(await import('../collaboration/routes/collaboration-examples.ts')).collaborationComponents,
    ...(await import('../files/routes/file-examples.ts')).fileComponents,
    ...(await import('../bulk/routes/bulk-examples.ts')).bulkComponents,
    ...(await import('../imports/routes/import-examples.ts')).importComponents,
    ...(await import('../product-sheets/routes/sheet-examples.ts')).sheetComponents,
    ...(await import('../exports/routes/export-examples.ts')).exportComponents,
    ...(await import('../events/routes/event-examples.ts')).eventComponents,
    ...(await import('../statistics/routes/statistics-examples.ts')).statisticsComponents,
  }
}
