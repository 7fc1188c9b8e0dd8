// Endpoints of history: bringing a version of a record back, and what can come back. Contract 3 §3, 3 §10.
import * as v from 'valibot'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { answering } from '../../../http/answers/answering.ts'
import { reply } from '../../../http/answers/json.ts'
import { recordReply } from '../../../http/answers/record-json.ts'
import { LimitQuery } from '../../../http/common-shapes.ts'
import { route } from '../../../http/route.ts'
import { DeletedRecordPageShape } from './history-shapes.ts'
import { RecordShape, RestoreBody } from './record-shapes.ts'

const DeletedQuery = exactObject({
  ...LimitQuery.entries,
  after: v.optional(v.pipe(v.string(), v.description('The cursor of the page before; without it, the first page.'))),
})

export const historyRoutes = [
  route({
    id: 'records.listDeleted',
    method: 'GET',
    path: '/api/v1/records/deleted',
    summary: 'List the records that are deleted and can be brought back, the latest first',
    description:
      'An empty page is the end. Records are listed as long as the audit trail has their deletion; those that were deleted by pimlet 0.2.0 cannot come back. It takes `audit.read`, too.',
    access: 'records.read',
    query: DeletedQuery,
    responses: { 200: DeletedRecordPageShape },
    handler: ({ caller, query, services, request }) =>
      services.history.listDeleted(caller, query.after, query.limit, request.signal),
  }),
  route({
    id: 'records.eraseHistory',
    method: 'DELETE',
    path: '/api/v1/records/:id/history',
    summary: 'Erase for good what earlier values a record had',
    description:
      'The record stays as it is and gets a new version; an entry with the action `erase` says who erased its history. Older entries stay without their changes. No earlier version can be read (404), restored (409) or brought back by undoing a bulk job (CONFLICT). What bulk jobs, imports, kept answers and files of failed export runs hold of earlier values goes, too. The answer comes when all of it is gone. It works for a deleted record as well, which cannot come back then. While a bulk job or an import is under way: 409. Backups and what others were sent are not reached.',
    access: 'audit.erase',
    responses: { 204: null },
    headers: ['ETag'],
    errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    handler: async ({ caller, params, ifMatch, services }) =>
      reply(undefined, { etag: await services.historyErasure.erase(caller, { id: params.id, ifMatch }) }),
  }),
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
      recordReply(
        await services.history.restore(answering(caller, recordReply), params.id, body, ifMatch, request.signal),
      ),
  }),
]
