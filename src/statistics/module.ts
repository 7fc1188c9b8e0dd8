// Counts of records by day.
import type { Module } from '../http/route.ts'
import { statisticsRoutes } from './routes/statistics-routes.ts'

export const statisticsModule: Module = {
  routes: statisticsRoutes,
  loadExamples: async () => (await import('./routes/statistics-examples.ts')).statisticsComponents,
}
