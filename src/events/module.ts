// Subscriptions: events that the server sends.
import { subscriptionsRoutes } from './routes/subscription-routes.ts'
import type { Module } from '../http/route.ts'

export const eventsModule: Module = {
  routes: [...subscriptionsRoutes],
  loadExamples: async () => (await import('./routes/event-examples.ts')).eventComponents,
}
