// Comments, assignments, notices, daily summaries and presence.
import type { Module } from '../http/route.ts'
import { assignmentRoutes } from './routes/assignment-routes.ts'
import { commentRoutes } from './routes/comment-routes.ts'
import { messengerRoutes } from './routes/messenger-routes.ts'
import { noticeRoutes } from './routes/notice-routes.ts'
import { presenceRoutes } from './routes/presence-routes.ts'

export const collaborationModule: Module = {
  routes: [...commentRoutes, ...assignmentRoutes, ...noticeRoutes, ...messengerRoutes, ...presenceRoutes],
  loadExamples: async () => (await import('./routes/collaboration-examples.ts')).collaborationComponents,
}
