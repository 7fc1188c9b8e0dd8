// Endpoints of the audit trail: of one record, and the change feed of the workspace. Contract 1 §2.5, 1 §4.1, 2 §4.
import * as v from 'valibot'
import { exactObject } from '../../../domain/input/exact-object.ts'
import { AuditEntryShape, ChangePageShape } from '../../shapes/record-schemas.ts'
import { route } from '../../route.ts'
import { LimitQuery } from '../../shapes/schemas.ts'

const ChangesQuery = exactObject({
  ...LimitQuery.entries,
  after: v.optional(
    v.pipe(v.string(), v.description('The cursor of the page before; without it, from the beginning.')),
  ),
})

export const auditRoutes = [
  route({
    id: 'records.audit',
    method: 'GET',
    path: '/api/v1/records/:id/audit',
    summary: 'List what was done to a record, newest first; also after its deletion',
    access: 'audit.read',
    query: LimitQuery,
    responses: { 200: v.array(AuditEntryShape) },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, query, services }) => services.audit.listOf(caller, params.id, query.limit),
  }),
  route({
    id: 'changes.list',
    method: 'GET',
    path: '/api/v1/changes',
    summary: 'List the changes of all records in the order in which they were committed, from a cursor on',
    description:
      'For keeping another system in step: ask with the `cursor` of the answer before. Nothing is left out, and nothing comes twice.',
    access: 'audit.read',
    query: ChangesQuery,
    responses: { 200: ChangePageShape },
    handler: ({ caller, query, services }) => services.audit.listChanges(caller, query.after, query.limit),
  }),
]
