// Endpoints of categories, and of which records are in them. Contract 1 §2.6, 1 §4.1, 2 §3.
import * as v from 'valibot'
import { exactObject } from '../../../domain/input/exact-object.ts'
import { type ItemView, ITEM_MEMBERS, parseInclude, parseSelect } from '../../../domain/search/item-view.ts'
import { AssignmentsInput, CategoryInput } from '../../../domain/model/catalogs.ts'
import { AssignmentShape, CategoryShape } from '../../shapes/model-schemas.ts'
import { reply } from '../../answers/json.ts'
import { recordPageReply } from '../../answers/item-replies.ts'
import { FoundRecordPageShape, includeParameter, selectParameter } from '../../shapes/item-shapes.ts'
import { route } from '../../route.ts'
import { PageQuery } from '../../shapes/schemas.ts'
import type { RecordAssignments } from '../../../services/records/assignments.ts'

const CategoryRecordsQuery = exactObject({
  ...PageQuery.entries,
  include: includeParameter(ITEM_MEMBERS),
  select: selectParameter,
})

export const categoriesRoutes = [
  route({
    id: 'categories.list',
    method: 'GET',
    path: '/api/v1/catalogs/:id/categories',
    summary: 'List all categories of a catalog, by sortOrder; parentId makes them a tree',
    access: 'model.read',
    responses: { 200: v.array(CategoryShape) },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services }) => services.categories.listOf(caller, params.id),
  }),
  route({
    id: 'categories.create',
    method: 'POST',
    path: '/api/v1/catalogs/:id/categories',
    summary: 'Create a category in a catalog',
    access: 'categories.write',
    body: CategoryInput,
    responses: { 201: CategoryShape },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: ({ caller, params, body, services }) => services.categories.create(caller, params.id, body),
  }),
  route({
    id: 'categories.get',
    method: 'GET',
    path: '/api/v1/categories/:id',
    summary: 'Read a category',
    access: 'model.read',
    responses: { 200: CategoryShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services }) => services.categories.get(caller, params.id),
  }),
  route({
    id: 'categories.replace',
    method: 'PUT',
    path: '/api/v1/categories/:id',
    summary: 'Rename, sort or move a category within its catalog',
    access: 'categories.write',
    body: CategoryInput,
    responses: { 200: CategoryShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, body, services }) => services.categories.replace(caller, params.id, body),
  }),
  route({
    id: 'categories.delete',
    method: 'DELETE',
    path: '/api/v1/categories/:id',
    summary: 'Delete a category that has no children; its assignments go with it',
    description: 'Each is a change of its record. Where there are many, others are served meanwhile.',
    access: 'categories.write',
    responses: { 204: null },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: ({ caller, params, services }) => services.categories.delete(caller, params.id),
  }),
  route({
    id: 'categories.records',
    method: 'GET',
    path: '/api/v1/categories/:id/records',
    summary: 'List the records assigned to a category, by sortOrder',
    access: 'records.read',
    query: CategoryRecordsQuery,
    responses: { 200: FoundRecordPageShape },
    errors: ['NOT_FOUND'],
    handler: async ({ caller, params, query, services, request: { signal } }) =>
      recordPageReply(
        await services.recordItems.inCategory(caller, params.id, { page: query, view: viewOf(query) }, signal),
        query,
      ),
  }),
  route({
    id: 'records.categories',
    method: 'GET',
    path: '/api/v1/records/:id/categories',
    summary: 'List the categories that a record is assigned to',
    description: 'The ETag is that of the record.',
    access: 'records.read',
    responses: { 200: v.array(AssignmentShape) },
    headers: ['ETag'],
    errors: ['NOT_FOUND'],
    handler: async ({ caller, params, services }) =>
      assignmentsReply(await services.assignments.listOf(caller, params.id)),
  }),
  route({
    id: 'records.assign',
    method: 'PUT',
    path: '/api/v1/records/:id/categories',
    summary: 'Replace the category assignments of a record',
    description:
      'A change of the record: it has an audit entry with `field: "categories"`, and the record gets a new version. Assigning the same again is none.',
    access: 'categories.write',
    body: AssignmentsInput,
    responses: { 200: v.array(AssignmentShape) },
    headers: ['ETag'],
    errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
    handler: async ({ caller, params, body, ifMatch, services }) =>
      assignmentsReply(await services.assignments.replace(caller, params.id, body, ifMatch)),
  }),
]

function viewOf({ include, select }: v.InferOutput<typeof CategoryRecordsQuery>): ItemView {
  return { include: parseInclude(include, ITEM_MEMBERS), select: parseSelect(select) }
}

/** With the ETag of the record. */
function assignmentsReply({ assignments, version }: RecordAssignments) {
  return reply(assignments, { etag: version })
}
