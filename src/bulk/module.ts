// Jobs that change many records.
import { bulkJobsRoutes } from './routes/bulk-job-routes.ts'
import type { Module } from '../http/route.ts'

export const bulkModule: Module = {
  routes: [...bulkJobsRoutes],
  loadExamples: async () => (await import('./routes/bulk-examples.ts')).bulkComponents,
}
