// Endpoints of categories and of their records. Contract 1 §2.6, 1 §4.1, 2 §3.
import * as v from 'valibot'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { type ItemView, ITEM_MEMBERS, parseInclude, parseSelect } from '../../search/rules/item-view.ts'
import {
  AssignmentsInput,
  CategoryInput,
  CategoryMove,
  RecordMove,
  RecordOrder,
  AssignmentShape,
} from '../rules/catalog.ts'
import { CategoryShape, CountedCategoryShape } from './model-shapes.ts'
import { answering, reply } from '../../../http/answers/replies.ts'
import { recordPageReply } from '../../../http/answers/item-replies.ts'
import { FoundRecordPageShape, includeParameter, selectParameter } from '../../records/routes/item-shapes.ts'
import { route } from '../../../http/route.ts'
import { Cursor, PageQuery } from '../../../kernel/input/common-shapes.ts'
import type { CountedCategory } from '../category-service.ts'
import type { RecordAssignments } from '../../records/category-assignments.ts'
import type { MovedRecord } from '../../records/category-order.ts'

const COUNTS = ['direct', 'total', 'direct,total', 'total,direct'] as const
const CategoriesQuery = exactObject({
  counts: v.optional(
    v.pipe(
      v.picklist(COUNTS, "must be 'direct', 'total' or 'direct,total'"),
      v.description('Record counts to add to each category.'),
    ),
  ),
})
const CategoryRecordsQuery = exactObject({
  ...PageQuery.entries,
  after: v.optional(Cursor),
  include: includeParameter(ITEM_MEMBERS),
  select: selectParameter,
  includeChildren: v.optional(
    v.pipe(v.boolean('must be true or false'), v.description('Include the records of subcategories.')),
    false,
  ),
})

export const categoriesRoutes = [
  route({
    id: 'categories.list',
    endpoint: 'GET /api/v1/catalogs/:id/categories',
    summary: 'List all categories of a catalog, by sortOrder; `parentId` makes them a tree',
    access: 'model.read',
    query: CategoriesQuery,
    responses: { 200: v.array(CountedCategoryShape) },
    handler: async ({ caller, params, query: { counts }, services, request: { signal } }) =>
      counts === undefined
        ? services.categories.listOf(caller, params.id)
        : (await services.categories.listCounted(caller, params.id, signal)).map((one) => withCounts(one, counts)),
  }),
  route({
    id: 'categories.create',
    endpoint: 'POST /api/v1/catalogs/:id/categories',
    summary: 'Create a category in a catalog',
    access: 'categories.write',
    body: CategoryInput,
    responses: { 201: CategoryShape },
    errors: ['CONFLICT'],
    handler: ({ caller, params, body, services }) => services.categories.create(caller, params.id, body),
  }),
  route({
    id: 'categories.get',
    endpoint: 'GET /api/v1/categories/:id',
    summary: 'Read a category',
    access: 'model.read',
    responses: { 200: CategoryShape },
    handler: ({ caller, params, services }) => services.categories.get(caller, params.id),
  }),
  route({
    id: 'categories.replace',
    endpoint: 'PUT /api/v1/categories/:id',
    summary: 'Rename, sort or move a category within its catalog',
    access: 'categories.write',
    body: CategoryInput,
    responses: { 200: CategoryShape },
    handler: ({ caller, params, body, services }) => services.categories.replace(caller, params.id, body),
  }),
  route({
    id: 'categories.move',
    endpoint: 'POST /api/v1/categories/:id/move',
    summary: 'Move a category below another category of its catalog, or to the top level: before a sibling, or last',
    description: 'If there is no number between the neighbours, the sortOrder of siblings changes too.',
    access: 'categories.write',
    body: CategoryMove,
    responses: { 200: CategoryShape },
    handler: ({ caller, params, body, services }) => services.categories.move(caller, params.id, body),
  }),
  route({
    id: 'categories.delete',
    endpoint: 'DELETE /api/v1/categories/:id',
    summary: 'Delete a category that has no subcategories; its assignments are removed',
    description: 'Each removed assignment is a change of its record. The server handles other requests meanwhile.',
    access: 'categories.write',
    responses: { 204: null },
    errors: ['CONFLICT'],
    handler: ({ caller, params, services }) => services.categories.delete(caller, params.id),
  }),
  route({
    id: 'categories.records',
    endpoint: 'GET /api/v1/categories/:id/records',
    summary: 'List the records assigned to a category, by sortOrder',
    access: 'records.read',
    description:
      'With subcategories, records are listed in the order of creation, each once. The cursor of a full page leads to the next page, even if records are added or removed.',
    query: CategoryRecordsQuery,
    responses: { 200: FoundRecordPageShape },
    headers: ['X-Next-Cursor'],
    handler: async ({ caller, params, query, services, request: { signal } }) => {
      const asked = { page: query, view: viewOf(query), includeChildren: query.includeChildren, after: query.after }
      const { found, next } = await services.recordItems.inCategory(caller, params.id, asked, signal)
      return recordPageReply(found, query, next)
    },
  }),
  route({
    id: 'categories.orderRecords',
    endpoint: 'PUT /api/v1/categories/:id/records/order',
    summary: 'Set the order of all records of a category',
    description:
      'The list must contain exactly the records assigned to the category itself. They get the sortOrders 1, 2, … Each changed number is a change of the record.',
    access: 'categories.write',
    body: RecordOrder,
    responses: { 200: v.array(AssignmentShape) },
    handler: ({ caller, params, body, services }) => services.categoryOrder.order(caller, params.id, body.recordIds),
  }),
  route({
    id: 'categories.moveRecord',
    endpoint: 'POST /api/v1/categories/:id/records/move',
    summary: 'Move a record of a category before another record, or to the end',
    description:
      'The new sortOrder is a change of the record. If there is no number between the neighbours, the numbers of following records change too.',
    access: 'categories.write',
    body: RecordMove,
    responses: { 200: AssignmentShape },
    headers: ['ETag'],
    errors: ['CONFLICT'],
    handler: async ({ caller, params, body, services }) =>
      movedReply(await services.categoryOrder.move(answering(caller, movedReply), params.id, body)),
  }),
  route({
    id: 'records.categories',
    endpoint: 'GET /api/v1/records/:id/categories',
    summary: 'List the categories of a record',
    description: 'The ETag is the ETag of the record.',
    access: 'records.read',
    responses: { 200: v.array(AssignmentShape) },
    headers: ['ETag'],
    handler: async ({ caller, params, services }) =>
      assignmentsReply(await services.assignments.listOf(caller, params.id)),
  }),
  route({
    id: 'records.assign',
    endpoint: 'PUT /api/v1/records/:id/categories',
    summary: 'Replace the category assignments of a record',
    description:
      'This changes the record: it gets a new version and an audit entry with `field: "categories"`. Sending the same assignments again changes nothing.',
    access: 'categories.write',
    body: AssignmentsInput,
    responses: { 200: v.array(AssignmentShape) },
    headers: ['ETag'],
    errors: ['PRECONDITION_FAILED'],
    handler: async ({ caller, params, body, ifMatch, services }) =>
      assignmentsReply(await services.assignments.replace(caller, params.id, body, ifMatch)),
  }),
]

function viewOf({ include, select }: v.InferOutput<typeof CategoryRecordsQuery>): ItemView {
  return { include: parseInclude(include, ITEM_MEMBERS), select: parseSelect(select) }
}

function withCounts({ counts: { direct, total }, ...category }: CountedCategory, asked: (typeof COUNTS)[number]) {
  const [isDirect, isTotal] = [asked.includes('direct'), asked.includes('total')]
  return { ...category, counts: { ...(isDirect && { direct }), ...(isTotal && { total }) } }
}

/** With the ETag of the record. */
function assignmentsReply({ assignments, version }: RecordAssignments) {
  return reply(assignments, { etag: version })
}

/** The reply for one moved record. */
function movedReply({ assignment, version }: MovedRecord) {
  return reply(assignment, { etag: version })
}
