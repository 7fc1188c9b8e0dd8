// Endpoints of history: restoring a version of a record, and listing deleted records. Contract 3 §3, 3 §10.
import * as v from 'valibot'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { answering, reply } from '../../../http/answers/replies.ts'
import { recordReply } from '../../../http/answers/record-replies.ts'
import { LimitQuery } from '../../../kernel/input/common-shapes.ts'
import { route } from '../../../http/route.ts'
import { DeletedRecordPageShape } from '../rules/past-record.ts'
import { RecordShape } from '../rules/record.ts'
import { RestoreBody } from '../rules/restored-values.ts'

const DeletedQuery = exactObject({
  ...LimitQuery.entries,
  after: v.optional(v.pipe(v.string(), v.description('The cursor of the previous page. Default: the first page.'))),
})

export const historyRoutes = [
  route({
    id: 'records.listDeleted',
    endpoint: 'GET /api/v1/records/deleted',
    summary: 'List the deleted records that can be restored, newest first',
    description:
      'An empty page is the end. A record is listed as long as the audit trail keeps its deletion. Records deleted by pimlet 0.2.0 cannot be restored. The list needs `audit.read` too.',
    access: 'records.read',
    query: DeletedQuery,
    responses: { 200: DeletedRecordPageShape },
    handler: ({ caller, query, services, request }) =>
      services.history.listDeleted(caller, query.after, query.limit, request.signal),
  }),
  route({
    id: 'records.eraseHistory',
    endpoint: 'DELETE /api/v1/records/:id/history',
    summary: 'Erase the earlier values of a record for good',
    description:
      'The record stays and gets a new version. An entry with the action `erase` records who erased the history. Older entries stay without their changes. Earlier versions can no longer be read (404), restored (409) or brought back by undoing a bulk job (CONFLICT). Earlier values in bulk jobs, imports, kept answers and files of failed export runs are erased too. The answer comes when everything is erased. A deleted record can be erased too; it can then no longer be restored. 409 while a bulk job or an import is running. Backups and data that was already sent elsewhere are not erased.',
    access: 'audit.erase',
    responses: { 204: null },
    headers: ['ETag'],
    errors: ['CONFLICT', 'PRECONDITION_FAILED'],
    handler: async ({ caller, params, ifMatch, services }) =>
      reply(undefined, { etag: await services.historyErasure.erase(caller, { id: params.id, ifMatch }) }),
  }),
  route({
    id: 'records.restore',
    endpoint: 'POST /api/v1/records/:id/restore',
    summary: 'Restore values of an earlier version, or a deleted record',
    description:
      'The server writes the values that the record had in `version`, with the checks of any write. Attributes that the role may not read stay as they are. A deleted record gets back its ID, its state, its parent and its categories, as far as they still exist. This needs `records.update`; for a deleted record, `records.create`; and `categories.write` if categories are restored. 409 if the history has been deleted.',
    access: 'authenticated',
    body: RestoreBody,
    responses: { 200: RecordShape },
    headers: ['ETag'],
    errors: ['CONFLICT', 'PRECONDITION_FAILED', 'PERMISSION_DENIED', 'LIMIT_EXCEEDED'],
    handler: async ({ caller, params, body, ifMatch, services, request }) =>
      recordReply(
        await services.history.restore(answering(caller, recordReply), params.id, body, ifMatch, request.signal),
      ),
  }),
]
