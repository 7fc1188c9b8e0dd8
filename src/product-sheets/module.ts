// Product sheets: printed pages of records, and links to them.
import { sheetRoutes } from './routes/sheet-routes.ts'
import type { Module } from '../http/route.ts'

export const productSheetsModule: Module = {
  routes: sheetRoutes,
  loadExamples: async () => (await import('./routes/sheet-examples.ts')).sheetComponents,
}
