// Comments, assignments and notices.
import type { Module } from '../http/route.ts'
import { assignmentRoutes } from './routes/assignment-routes.ts'
import { commentRoutes } from './routes/comment-routes.ts'
import { noticeRoutes } from './routes/notice-routes.ts'

export const collaborationModule: Module = {
  routes: [...commentRoutes, ...assignmentRoutes, ...noticeRoutes],
  loadExamples: async () => (await import('./routes/collaboration-examples.ts')).collaborationComponents,
}
