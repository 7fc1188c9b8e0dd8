// Endpoints of records: list, create, read, replace, patch one attribute, delete. Contract 1 §4.1.
import * as v from 'valibot'
import { exactObject } from '../../../domain/input/exact-object.ts'
import { answering } from '../../answers/answering.ts'
import { recordPageText, recordReply, updatedRecordReply, updatedValuesReply } from '../../answers/record-json.ts'
import {
  NewRecordBody,
  RecordPageShape,
  RecordShape,
  ScopedPatchBody,
  ScopedValuesBody,
  UpdatedRecordShape,
  UpdatedValuesShape,
  ValuesBody,
} from '../../shapes/record-schemas.ts'
import { route } from '../../route.ts'
import { PageQuery, Version } from '../../shapes/schemas.ts'

const RecordListQuery = exactObject({
  ...PageQuery.entries,
  schemaId: v.optional(v.string()),
  lifecycleStateId: v.optional(v.string()),
  parentId: v.optional(
    v.pipe(v.string(), v.description('A record ID: its variants; `none`: records that are no variants.')),
  ),
})

const RecordQuery = v.object({
  version: v.optional(
    v.pipe(Version, v.description("The number in the record's ETag, and in its audit entries, as `version`.")),
  ),
})

export const recordsRoutes = [
  route({
    id: 'records.list',
    method: 'GET',
    path: '/api/v1/records',
    summary: 'List records, oldest first',
    description: 'A filter that names something unknown finds nothing. `total` counts all matches.',
    access: 'records.read',
    query: RecordListQuery,
    responses: { 200: RecordPageShape },
    handler: async ({ caller, query: { parentId, ...query }, services }) =>
      recordPageText(
        await services.records.list(caller, { ...query, parentId: parentId === 'none' ? null : parentId }, query),
        query,
      ),
  }),
  route({
    id: 'records.create',
    method: 'POST',
    path: '/api/v1/records',
    summary: 'Create a record, or with parentId a variant of a record',
    description:
      'The record begins in the initial state of its workflow. A variant has the schema of its parent, and inherits the values that it does not have itself.',
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
    method: 'GET',
    path: '/api/v1/records/:id',
    summary: 'Read a record',
    description:
      'Attributes that the role may not read are left out. `values` are its own, without what a variant inherits. With `version` the record as it was then, also one that was deleted since; 404 where there was no such version or its history is not kept any more.',
    access: 'records.read',
    query: RecordQuery,
    responses: { 200: RecordShape },
    headers: ['ETag'],
    errors: ['NOT_FOUND'],
    handler: async ({ caller, params, query: { version }, services, request }) =>
      recordReply(
        version === undefined
          ? await services.records.get(caller, params.id)
          : await services.history.getVersion(caller, params.id, version, request.signal),
      ),
  }),
  route({
    id: 'records.update',
    method: 'PUT',
    path: '/api/v1/records/:id',
    summary: 'Replace the values of the named attributes and leave the others',
    description:
      'All scoped values of each attribute in the body are replaced by those given; an empty array removes them.',
    access: 'records.update',
    body: ValuesBody,
    responses: { 200: UpdatedRecordShape },
    headers: ['ETag'],
    errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    handler: async ({ caller, params, body, ifMatch, services }) =>
      updatedRecordReply(await services.records.update(caller, params.id, body.values, ifMatch)),
  }),
  route({
    id: 'records.patch',
    method: 'PATCH',
    path: '/api/v1/records/:id',
    summary: 'Change values scope by scope, and leave all others',
    description:
      'Each scoped value in the body replaces the one of the same scope; `null` as its value removes it. Two clients that change different scopes do not overwrite each other. Where what is stored is no longer what `expect` says, nothing is changed: 412 names the attribute and the scope.',
    access: 'records.update',
    body: ScopedPatchBody,
    responses: { 200: UpdatedRecordShape },
    headers: ['ETag'],
    errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    handler: async ({ caller, params, body, ifMatch, services }) =>
      updatedRecordReply(await services.recordValues.patch(caller, params.id, body, ifMatch)),
  }),
  route({
    id: 'records.delete',
    method: 'DELETE',
    path: '/api/v1/records/:id',
    summary: 'Delete a record and all its variants for good',
    access: 'records.delete',
    responses: { 204: null },
    errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
    handler: ({ caller, params, ifMatch, services }) => services.records.delete(caller, params.id, ifMatch),
  }),
  route({
    id: 'records.patchValues',
    method: 'PATCH',
    path: '/api/v1/records/:id/values/:attr',
    summary: 'Replace the scoped values of one attribute',
    access: 'records.update',
    body: ScopedValuesBody,
    responses: { 200: UpdatedValuesShape },
    headers: ['ETag'],
    errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    handler: async ({ caller, params, body, ifMatch, services }) =>
      updatedValuesReply(
        await services.recordValues.replace(caller, params.id, params.attr, body.scopedValues, ifMatch),
      ),
  }),
]
