// Endpoints of records: list, create, read, replace, patch one attribute, delete. Contract 1 §4.1, 3 §1.
import * as v from 'valibot'
import { invalid } from '../../../kernel/errors.ts'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { parseSort } from '../../search/rules/sorting.ts'
import { ITEM_MEMBERS, parseInclude, RECORD_MEMBERS } from '../../search/rules/item-view.ts'
import { parseMomentOrDay } from '../../values/dates.ts'
import type { Caller } from '../../accounts/caller.ts'
import type { Services } from '../../../app/app-services.ts'
import { answering, reply } from '../../../http/answers/replies.ts'
import { itemReply, recordPageReply } from '../../../http/answers/item-replies.ts'
import { recordReply, updatedRecordReply, updatedValuesReply } from '../../../http/answers/record-replies.ts'
import { FoundRecordPageShape, includeParameter, ReadRecordShape } from './item-shapes.ts'
import {
  NewRecordBody,
  ReferrerPageShape,
  ScopedValuesBody,
  toReferrerBody,
  UpdatedRecordShape,
  UpdatedValuesShape,
  ValuesBody,
} from './record-shapes.ts'
import { RecordShape } from '../rules/record.ts'
import { ScopedPatchBody } from '../rules/scoped-patch.ts'
import { type RequestInfo, route } from '../../../http/route.ts'
import { toShownJob, BulkJobShape } from '../../jobs/rules/bulk-job.ts'
import { Cursor, PageQuery, Version } from '../../../kernel/input/common-shapes.ts'
import { ReferrersQuery } from '../rules/referrer.ts'

const UpdatedSince = v.pipe(
  v.string(),
  v.check((text) => parseMomentOrDay(text) !== undefined, 'must be a date and time, or a date, in ISO 8601'),
  v.description(
    'A date and time, or a date (its first moment in UTC). Only records that were changed at that moment or later.',
  ),
)

const RecordListQuery = exactObject({
  ...PageQuery.entries,
  schemaId: v.optional(v.string()),
  lifecycleStateId: v.optional(v.string()),
  parentId: v.optional(
    v.pipe(
      v.string(),
      v.description('A record ID: the variants of the record. `none`: records that are not variants.'),
    ),
  ),
  updatedSince: v.optional(UpdatedSince),
  sort: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(2000, 'must be at most 2000 characters long'),
      v.description(
        'Up to 3 fields or attributes, separated by commas: `-updatedAt,name[language=de]`. A minus sorts in descending order. Records without a value come last.',
      ),
    ),
  ),
  after: v.optional(Cursor),
  include: includeParameter(ITEM_MEMBERS),
})

const RecordQuery = v.object({
  version: v.optional(
    v.pipe(Version, v.description("The number in the record's ETag, and in its audit entries, as `version`.")),
  ),
  include: includeParameter(RECORD_MEMBERS),
})

const DeleteQuery = v.object({
  detach: v.optional(
    v.pipe(
      v.boolean('must be true or false'),
      v.description('Remove the record from all lists of references first, by a bulk job.'),
    ),
    false,
  ),
})

export const recordsRoutes = [
  route({
    id: 'records.list',
    endpoint: 'GET /api/v1/records',
    summary: 'List records, oldest first by default',
    description:
      'A filter with an unknown name finds nothing. `total` counts all matches. With `include`, completeness is scored for the next state that requires it.',
    access: 'records.read',
    query: RecordListQuery,
    responses: { 200: FoundRecordPageShape },
    headers: ['X-Next-Cursor'],
    handler: async ({ caller, query, services, request }) => {
      const view = { include: parseInclude(query.include, ITEM_MEMBERS) }
      const sort = query.sort === undefined ? [] : parseSort(query.sort)
      const asked = { page: query, view, sort, after: query.after }
      const { found, next } = await services.recordItems.list(caller, filterOf(query), asked, request)
      return recordPageReply(found, query, next)
    },
  }),
  route({
    id: 'records.create',
    endpoint: 'POST /api/v1/records',
    summary: 'Create a record; with `parentId`, a variant of that record',
    description:
      'The record starts in the initial state of its workflow. A variant has the schema of its parent and inherits the values that it does not set.',
    access: 'records.create',
    body: NewRecordBody,
    responses: { 201: RecordShape },
    headers: ['ETag'],
    errors: ['LIMIT_EXCEEDED', 'CONFLICT'],
    handler: async ({ caller, body, services }) =>
      recordReply(await services.records.create(answering(caller, recordReply), body)),
  }),
  route({
    id: 'records.get',
    endpoint: 'GET /api/v1/records/:id',
    summary: 'Read a record',
    description:
      'Attributes that the role may not read are left out. `values` are the own values of the record, without inherited ones. With `version`, the answer is the record as it was, even if it was deleted since. 404 if there was no such version, or its history has been deleted. `include` always describes the current record.',
    access: 'records.read',
    query: RecordQuery,
    responses: { 200: ReadRecordShape },
    headers: ['ETag'],
    handler: ({ caller, params, query, services, request }) => readRecord(query, params.id, caller, services, request),
  }),
  route({
    id: 'records.update',
    endpoint: 'PUT /api/v1/records/:id',
    summary: 'Replace the values of the given attributes; other attributes stay',
    description: 'Each attribute in the body gets exactly the given scoped values. An empty array removes its values.',
    access: 'records.update',
    body: ValuesBody,
    responses: { 200: UpdatedRecordShape },
    headers: ['ETag'],
    errors: ['CONFLICT', 'PRECONDITION_FAILED'],
    handler: async ({ caller, params, body, ifMatch, services }) =>
      updatedRecordReply(await services.records.update(caller, params.id, body.values, ifMatch)),
  }),
  route({
    id: 'records.patch',
    endpoint: 'PATCH /api/v1/records/:id',
    summary: 'Change values by scope; all other values stay',
    description:
      'Each scoped value in the body replaces the value of the same scope; `null` removes it. Two clients that change different scopes do not overwrite each other. If the stored values differ from `expect`, nothing is changed: 412 names the attribute and the scope.',
    access: 'records.update',
    body: ScopedPatchBody,
    responses: { 200: UpdatedRecordShape },
    headers: ['ETag'],
    errors: ['CONFLICT', 'PRECONDITION_FAILED'],
    handler: async ({ caller, params, body, ifMatch, services }) =>
      updatedRecordReply(await services.recordValues.patch(caller, params.id, body, ifMatch)),
  }),
  route({
    id: 'records.delete',
    endpoint: 'DELETE /api/v1/records/:id',
    summary: 'Delete a record and all its variants for good',
    description:
      'A record that a list of references names cannot be deleted: 409 names up to 20 records with such lists, as far as the caller may read them. With `detach=true`, the answer is 202 with a bulk job that removes the record from all these lists, then deletes it. The job needs `records.update` too, and can be undone.',
    access: 'records.delete',
    query: DeleteQuery,
    responses: { 202: BulkJobShape, 204: null },
    errors: ['CONFLICT', 'PRECONDITION_FAILED', 'RATE_LIMITED'],
    handler: async ({ caller, params, query, ifMatch, services }) =>
      query.detach
        ? reply(toShownJob(await services.bulkJobs.detach(caller, params.id, ifMatch)), { status: 202 })
        : reply(await services.records.delete(caller, params.id, ifMatch), { status: 204 }),
  }),
  route({
    id: 'records.referrers',
    endpoint: 'GET /api/v1/records/:id/referrers',
    summary: 'List the values that name a record',
    description:
      'Values of the data types `reference` and `references` that the role may read, by schema, attribute, record and scope. Inherited values are left out.',
    access: 'records.read',
    query: ReferrersQuery,
    responses: { 200: ReferrerPageShape },
    headers: ['X-Next-Cursor'],
    handler: async ({ caller, params, query, services }) => {
      const { items, next } = await services.referrers.list(caller, params.id, query)
      return reply({ items: items.map(toReferrerBody) }, { headers: next === null ? {} : { 'X-Next-Cursor': next } })
    },
  }),
  route({
    id: 'records.patchValues',
    endpoint: 'PATCH /api/v1/records/:id/values/:attr',
    summary: 'Replace the scoped values of one attribute',
    access: 'records.update',
    body: ScopedValuesBody,
    responses: { 200: UpdatedValuesShape },
    headers: ['ETag'],
    errors: ['CONFLICT', 'PRECONDITION_FAILED'],
    handler: async ({ caller, params, body, ifMatch, services }) =>
      updatedValuesReply(
        await services.recordValues.replace(caller, params.id, params.attr, body.scopedValues, ifMatch),
      ),
  }),
]

function filterOf({ parentId, schemaId, lifecycleStateId, updatedSince }: v.InferOutput<typeof RecordListQuery>) {
  return {
    schemaId,
    lifecycleStateId,
    parentId: parentId === 'none' ? null : parentId,
    updatedSince: updatedSince === undefined ? undefined : parseMomentOrDay(updatedSince),
  }
}

async function readRecord(
  { version, include }: v.InferOutput<typeof RecordQuery>,
  id: string,
  caller: Caller,
  services: Services,
  request: RequestInfo,
) {
  const members = include === undefined ? [] : parseInclude(include, RECORD_MEMBERS)
  if (version !== undefined) {
    if (members.length > 0) throw invalid('include cannot be combined with version')
    return recordReply(await services.history.getVersion(caller, id, version, request.signal))
  }
  if (members.length === 0) return recordReply(await services.records.get(caller, id))
  return itemReply(
    await services.recordItems.get(caller, id, { include: members }, request.signal),
    members.includes('variants'),
  )
}
