// Exports: jobs, runs, and files for the caller.
import { exportDraftRoutes, exportJobsRoutes } from './routes/export-job-routes.ts'
import { exportRunsRoutes } from './routes/export-run-routes.ts'
import { exportOverviewRoutes } from './routes/export-overview-routes.ts'
import { jobInclusionRoutes, recordInclusionRoutes } from './routes/inclusion-routes.ts'
import { recordExportRoutes } from './routes/record-export-routes.ts'
import type { Module, Route } from '../http/route.ts'

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

export const exportsModule: Module = {
  routes: [...recordExportRoutes, ...recordInclusionRoutes, ...jobRoutes, ...exportOverviewRoutes],
  loadExamples: async () => (await import('./routes/export-examples.ts')).exportComponents,
}
