// The server and its workspace: health and metrics.
import type { Module } from '../http/route.ts'
import { component } from '../http/openapi/component.ts'
import { Healthy, healthRoutes, Unhealthy, metricsRoutes } from './routes/server-routes.ts'

const ABOUT = { version: '1.0.0', uptimeSeconds: 86_400 }

export const workspaceModule: Module = {
  routes: [...healthRoutes, ...metricsRoutes],
  loadExamples: async () => ({
    Healthy: component(Healthy, { status: 'ok', ...ABOUT }),
    Unhealthy: component(Unhealthy, { status: 'unavailable', ...ABOUT }),
  }),
}
