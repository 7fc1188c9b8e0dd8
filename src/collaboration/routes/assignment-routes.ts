// Endpoints of assignments. Contract 5 §3.
import { route } from '../../http/route.ts'
import { AssignmentShape, AssignmentsQuery, AssignmentUpdate, AssignmentInput } from '../rules/assignment.ts'
import { AssignedShape, AssignmentPageShape } from './collaboration-shapes.ts'
import { pageReply } from './comment-routes.ts'

export const assignmentRoutes = [
  route({
    id: 'assignments.list',
    endpoint: 'GET /api/v1/assignments',
    summary: 'List assignments of a record, of a person, or given by a person: the earliest day first',
    description:
      'Send at least one of `recordId`, `assigneeId` and `assignedBy`. `me` stands for the caller. Assignments of deleted records are left out.',
    access: 'records.read',
    query: AssignmentsQuery,
    responses: { 200: AssignmentPageShape },
    headers: ['X-Next-Cursor'],
    handler: async ({ caller, query, services }) => pageReply(await services.workAssignments.list(caller, query)),
  }),
  route({
    id: 'assignments.create',
    endpoint: 'POST /api/v1/assignments',
    summary: 'Assign up to 500 records to a person',
    description:
      'All records are assigned, or none. The person gets one notice. A record has at most 20 open assignments, a person 5,000.',
    access: 'assignments.write',
    body: AssignmentInput,
    responses: { 201: AssignedShape },
    errors: ['LIMIT_EXCEEDED'],
    handler: ({ caller, body, services }) => services.workAssignments.create(caller, body),
  }),
  route({
    id: 'assignments.get',
    endpoint: 'GET /api/v1/assignments/:id',
    summary: 'Read an assignment',
    access: 'records.read',
    responses: { 200: AssignmentShape },
    handler: ({ caller, params, services }) => services.workAssignments.get(caller, params.id),
  }),
  route({
    id: 'assignments.update',
    endpoint: 'PATCH /api/v1/assignments/:id',
    summary: 'Finish an assignment, reopen it, take it back, or change its day and note',
    description:
      'The assigned person may finish and reopen it. The person who gave it may do everything, and so may callers with `comments.moderate`.',
    access: 'records.read',
    body: AssignmentUpdate,
    responses: { 200: AssignmentShape },
    errors: ['LIMIT_EXCEEDED'],
    handler: ({ caller, params, body, services }) => services.workAssignments.change(caller, params.id, body),
  }),
]
