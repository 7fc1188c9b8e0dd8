// Endpoints of the audit trail: of one record, and the change feed of the workspace. Contract 1 §2.5, 1 §4.1, 2 §4.
import * as v from 'valibot'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { AUDIT_ACTIONS } from '../../records/rules/changes.ts'
import { AuditEntryShape, ChangePageShape } from '../../records/routes/history-shapes.ts'
import { route } from '../../../http/route.ts'
import { CHANGED_TYPES, type ChangedType } from '../change-feed.ts'
import { LimitQuery, Wait } from '../../../http/common-shapes.ts'

/** All of them, alone and together, in any order. */
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
        'The cursor of the page before, or `latest`: what comes from now on. Without it, from the beginning.',
      ),
    ),
  ),
  before: v.optional(
    v.pipe(v.string(), v.description('A cursor, or `latest`: what was committed before it, newest first.')),
  ),
  entityType: v.optional(
    v.pipe(
      v.picklist(ENTITY_TYPES, 'must be record, model or account, or several of them: record,model'),
      v.description(
        'Whose changes: of records (default), of the model (schemas, dimensions, workflows, roles, catalogs, categories, export jobs), of accounts (users, API keys, roles, sign-ins), or of several of them in one order.',
      ),
    ),
    'record',
  ),
  wait: v.optional(v.pipe(Wait, v.description('Seconds to wait for a change, where there is none after the cursor.'))),
})

function typesIn(names: string): ReadonlySet<ChangedType> {
  return new Set(names.split(',') as ChangedType[])
}

const TrailQuery = exactObject({
  ...LimitQuery.entries,
  before: v.optional(v.pipe(v.string(), v.description('ID of an entry of this list: only those that are older.'))),
  attributeAlias: v.optional(v.pipe(v.string(), v.description('Only entries that changed this attribute.'))),
  userId: v.optional(v.pipe(v.string(), v.description('Only what this user or API key did.'))),
  action: v.optional(
    v.pipe(
      v.picklist(AUDIT_ACTIONS, `must be one of ${AUDIT_ACTIONS.join(', ')}`),
      v.description('Only entries with this action.'),
    ),
  ),
})

export const auditRoutes = [
  route({
    id: 'records.audit',
    method: 'GET',
    path: '/api/v1/records/:id/audit',
    summary: 'List what was done to a record, newest first; also after its deletion',
    description:
      'The next page begins `before` the last entry of this one. A page ends before its limit where entries are very large. `attributeAlias=lifecycleState` finds transitions; an attribute that the role may not read is 403.',
    access: 'audit.read',
    query: TrailQuery,
    responses: { 200: v.array(AuditEntryShape) },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, query, services, request }) =>
      services.audit.listOf(caller, params.id, query, request.signal),
  }),
  route({
    id: 'changes.list',
    method: 'GET',
    path: '/api/v1/changes',
    summary: 'List changes of records, of the model or of accounts in the order of their commits, from a cursor on',
    description:
      'For keeping another system in step: ask with the `cursor` of the answer before. Nothing is left out, and nothing comes twice. With `wait` an answer that would be empty comes when something has changed, or when the time is over; 429 where 20 requests of the caller wait already. With `before` newest first. It takes `audit.read`; with `records.read` alone items are `{ entityId, action, timestamp }`. `changes` of the model are there for who may read what was changed. Changes of accounts take `users.manage`, and no other permission; a secret is in none of them. Failed sign-ins of a username from an address are counted, and written together once a minute.',
    access: 'authenticated',
    query: ChangesQuery,
    responses: { 200: ChangePageShape },
    errors: ['PERMISSION_DENIED', 'RATE_LIMITED'],
    handler: ({ caller, query, services, request }) =>
      services.changes.list(caller, { ...query, types: typesIn(query.entityType) }, request.signal),
  }),
]
