// The server and its workspace: health and metrics.
import type { Module } from '../http/module.ts'
import { component } from '../http/openapi/component.ts'
import { Healthy, healthRoutes, Unhealthy } from './routes/health-routes.ts'
import { metricsRoutes } from './routes/metrics-routes.ts'

const ABOUT = { version: '1.0.0', uptimeSeconds: 86_400 }

export const workspaceModule: Module = {
  routes: [...healthRoutes, ...metricsRoutes],
  loadExamples: async () => ({
    Healthy: component(Healthy, { status: 'ok', ...ABOUT }),
    Unhealthy: component(Unhealthy, { status: 'unavailable', ...ABOUT }),
  }),
}
