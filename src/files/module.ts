// Files and pictures.
import { fileRoutes } from './routes/file-routes.ts'
import { renditionPresetsRoutes } from './routes/rendition-preset-routes.ts'
import type { Module } from '../http/route.ts'

export const filesModule: Module = {
  routes: [...fileRoutes, ...renditionPresetsRoutes],
  loadExamples: async () => (await import('./routes/file-examples.ts')).fileComponents,
}
