// Endpoints of the audit trail: of one record, and the change feed of the workspace. Contract 1 §2.5, 1 §4.1, 2 §4.
import * as v from 'valibot'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { AuditEntryShape } from '../../records/rules/changes.ts'
import { ChangePageShape } from '../../records/routes/history-shapes.ts'
import { jsonOf, listReply } from '../../../http/answers/list-replies.ts'
import { route } from '../../../http/route.ts'
import { CHANGED_TYPES, type ChangedType } from '../change-feed.ts'
import { LimitQuery, Offset, Wait } from '../../../kernel/input/common-shapes.ts'
import { TrailQuery } from '../../records/rules/audit-trail.ts'

/** All entity types, alone and combined, in any order. */
const ENTITY_TYPES = CHANGED_TYPES.flatMap((one) => {
  const others = CHANGED_TYPES.filter((type) => type !== one)
  return [
    one,
    ...others.flatMap((other) => [
      `${one},${other}`,
      ...others.filter((type) => type !== other).map((third) => `${one},${other},${third}`),
    ]),
  ]
})

const ChangesQuery = exactObject({
  ...LimitQuery.entries,
  after: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'The cursor of the previous page, or `latest` for changes from now on. Default: from the beginning.',
      ),
    ),
  ),
  before: v.optional(
    v.pipe(v.string(), v.description('A cursor, or `latest`: the changes committed before it, newest first.')),
  ),
  entityType: v.optional(
    v.pipe(
      v.picklist(ENTITY_TYPES, 'must be record, model or account, or several of them: record,model'),
      v.description(
        'The kinds of changes, one or several: `record` (default), `model` or `account`. `model`: schemas, dimensions, workflows, roles, catalogs, categories and export jobs. `account`: users, API keys, roles and sign-ins. Entries of several kinds come in one order.',
      ),
    ),
    'record',
  ),
  wait: v.optional(v.pipe(Wait, v.description('Seconds to wait for a change if there is none after the cursor.'))),
  unread: v.optional(
    v.pipe(
      Offset,
      v.description(
        'The number of unread notices that you know of. The answer has the present number, and another number ends `wait`.',
      ),
    ),
  ),
})

export const auditRoutes = [
  route({
    id: 'records.audit',
    endpoint: 'GET /api/v1/records/:id/audit',
    summary: 'List the audit entries of a record, newest first; a deleted record keeps its entries',
    description:
      'For the next page, send the ID of the last entry as `before`. A page can be shorter than its limit if entries are very large. `attributeAlias=lifecycleState` finds transitions. An attribute that the role may not read is 403.',
    access: 'audit.read',
    query: TrailQuery,
    responses: { 200: v.array(AuditEntryShape) },
    handler: ({ caller, params, query, services, request }) =>
      services.audit.listOf(caller, params.id, query, {
        signal: request.signal,
        answer: (entries) => listReply(jsonOf(entries)),
      }),
  }),
  route({
    id: 'changes.list',
    endpoint: 'GET /api/v1/changes',
    summary: 'List changes of records, the model or accounts in the order of their commits, after a cursor',
    description:
      'Use this list to keep another system in sync: send the `cursor` of the previous answer. No change is missing, and none comes twice. With `wait`, an empty answer is held back until there is a change or the time is over. 429 if 20 requests of the caller already wait. With `before`, the newest change comes first. The list needs `audit.read`; with `records.read` alone, items are `{ entityId, action, timestamp }`. An entry about the model has `changes` if the role may read them. Changes of accounts need `users.manage` only, and never contain a secret. Failed sign-ins are counted by username and address, and recorded once a minute.',
    access: 'authenticated',
    query: ChangesQuery,
    responses: { 200: ChangePageShape },
    errors: ['PERMISSION_DENIED', 'RATE_LIMITED'],
    handler: ({ caller, query, services, request }) => {
      const asked = { ...query, types: new Set(query.entityType.split(',') as ChangedType[]) }
      return services.changes.list(caller, asked, request.signal, ({ items, ...page }) =>
        listReply(jsonOf(items), ['{"items":[', `],${JSON.stringify(page).slice(1)}`]),
      )
    },
  }),
]
