// Imports: files that become records.
import { importRoutes } from './routes/record-import-routes.ts'
import { importProfilesRoutes } from './routes/import-profile-routes.ts'
import { demoRoutes, importsRoutes } from './routes/import-routes.ts'
import type { Module } from '../http/route.ts'

export const importsModule: Module = {
  routes: [...importRoutes, ...importProfilesRoutes, ...importsRoutes, ...demoRoutes],
  loadExamples: async () => (await import('./routes/import-examples.ts')).importComponents,
}
