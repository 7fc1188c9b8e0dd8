// Comments, assignments, notices and daily summaries.
import type { Module } from '../http/route.ts'
import { assignmentRoutes } from './routes/assignment-routes.ts'
import { commentRoutes } from './routes/comment-routes.ts'
import { messengerRoutes } from './routes/messenger-routes.ts'
import { noticeRoutes } from './routes/notice-routes.ts'

export const collaborationModule: Module = {
  routes: [...commentRoutes, ...assignmentRoutes, ...noticeRoutes, ...messengerRoutes],
  loadExamples: async () => (await import('./routes/collaboration-examples.ts')).collaborationComponents,
}
