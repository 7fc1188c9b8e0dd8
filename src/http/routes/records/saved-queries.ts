// Endpoints of saved queries. Contract 1 §2.8, 1 §4.3.
import * as v from 'valibot'
import { exactObject } from '../../../domain/input/exact-object.ts'
import { SavedQueryInput } from '../../../domain/search/saved-queries.ts'
import { CRITERIA_OPERATORS, Criterion } from '../../../domain/search/criterion.ts'
import { HiddenRule } from '../../../domain/model/hidden-rule.ts'
import { RecordShape } from '../../shapes/record-schemas.ts'
import { route } from '../../route.ts'
import { Limit, Offset } from '../../shapes/schemas.ts'
import { foundRecordsReply } from '../../answers/search-reply.ts'

export const SavedQueryShape = v.object({
  id: v.string(),
  name: v.string(),
  schemaId: v.pipe(v.nullable(v.string()), v.description('null: records of every schema.')),
  criteria: v.array(v.union([Criterion, HiddenRule])),
  criteriaOperator: v.picklist(CRITERIA_OPERATORS),
  createdBy: v.string(),
})

export const savedQueriesRoutes = [
  route({
    id: 'savedQueries.list',
    method: 'GET',
    path: '/api/v1/saved-queries',
    summary: 'List saved queries, oldest first',
    access: 'records.read',
    responses: { 200: v.array(SavedQueryShape) },
    handler: ({ caller, services }) => services.savedQueries.list(caller),
  }),
  route({
    id: 'savedQueries.create',
    method: 'POST',
    path: '/api/v1/saved-queries',
    summary: 'Save a query; its criteria are checked against the model',
    access: 'savedQueries.write',
    body: SavedQueryInput,
    responses: { 201: SavedQueryShape },
    errors: ['CONFLICT'],
    handler: ({ caller, body, services }) => services.savedQueries.create(caller, body),
  }),
  route({
    id: 'savedQueries.get',
    method: 'GET',
    path: '/api/v1/saved-queries/:id',
    summary: 'Read a saved query',
    access: 'records.read',
    responses: { 200: SavedQueryShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services }) => services.savedQueries.get(caller, params.id),
  }),
  route({
    id: 'savedQueries.delete',
    method: 'DELETE',
    path: '/api/v1/saved-queries/:id',
    summary: 'Delete a saved query',
    access: 'savedQueries.write',
    responses: { 204: null },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services }) => services.savedQueries.delete(caller, params.id),
  }),
  route({
    id: 'savedQueries.execute',
    method: 'POST',
    path: '/api/v1/saved-queries/:id/execute',
    summary: 'Find the records of a saved query; 400 where the model has changed so that it does not fit any more',
    access: 'records.read',
    query: exactObject({ limit: v.optional(Limit), offset: v.optional(Offset) }),
    responses: { 200: v.array(RecordShape) },
    headers: ['X-Total-Count'],
    errors: ['NOT_FOUND'],
    handler: async ({ caller, params, query, services, request: { signal } }) =>
      foundRecordsReply(await services.savedQueries.execute(caller, params.id, query, signal)),
  }),
]
