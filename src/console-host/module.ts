// The console's files, and the address of the server itself.
import type { Module } from '../http/route.ts'
import { component } from '../http/openapi/component.ts'
import { consoleRoutes, Hint, startRoutes } from './console-routes.ts'

const HINT = {
  name: 'pimlet',
  version: '1.0.0',
  console: '/console/',
  docs: '/docs',
  openapi: '/api/v1/openapi.json',
  health: '/healthz',
} as const

export const consoleModule: Module = {
  routes: [...startRoutes, ...consoleRoutes],
  loadExamples: async () => ({ Hint: component(Hint, HINT) }),
}
