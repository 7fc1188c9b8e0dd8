// Endpoints of history: bringing a version of a record back. Contract 3 §3, 3 §10.
import { recordReply } from '../../answers/record-json.ts'
import { route } from '../../route.ts'
import { RecordShape, RestoreBody } from '../../shapes/record-schemas.ts'

export const historyRoutes = [
  route({
    id: 'records.restore',
    method: 'POST',
    path: '/api/v1/records/:id/restore',
    summary: 'Bring values of an earlier version back, or a deleted record',
    description:
      'Writes the values that the record had in `version`, checked as any write is; attributes that the role may not read stay as they are. A deleted record comes back under its ID, with its state, parent and categories of then where they still exist. It takes `records.update`, for a deleted record `records.create`, and `categories.write` where categories come back. Where the history is not kept any more: 409.',
    access: 'authenticated',
    body: RestoreBody,
    responses: { 200: RecordShape },
    headers: ['ETag'],
    errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED', 'PERMISSION_DENIED', 'LIMIT_EXCEEDED'],
    handler: async ({ caller, params, body, ifMatch, services, request }) =>
      recordReply(await services.history.restore(caller, params.id, body, ifMatch, request.signal)),
  }),
]
