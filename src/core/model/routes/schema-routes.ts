// Endpoints of schemas. Contract 2 §3.
import { toShownJob, BulkJobShape } from '../../jobs/rules/bulk-job.ts'
import * as v from 'valibot'
import { SchemaInput } from '../rules/schema.ts'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { Alias, Name, NewId } from '../../../kernel/input/validation.ts'
import { ModelEffectsShape, SchemaShape } from './model-shapes.ts'
import { answering, reply } from '../../../http/answers/replies.ts'
import { listReplyAtOnce } from '../../../http/answers/list-replies.ts'
import { route } from '../../../http/route.ts'

const ReplaceQuery = v.object({
  dropValues: v.optional(
    v.pipe(
      v.boolean('must be true or false'),
      v.description('Remove stored values that no longer fit, each with an audit entry.'),
    ),
    false,
  ),
})

export const PictureSchemaBody = exactObject({
  id: v.optional(v.pipe(NewId, v.description('Default: sch-picture.'))),
  name: v.optional(Name),
})

export const RenameAttributeBody = v.object({ from: v.string('must be a string'), to: Alias })

export const schemasRoutes = [
  route({
    id: 'schemas.list',
    endpoint: 'GET /api/v1/schemas',
    summary: 'List all schemas, oldest first',
    access: 'model.read',
    responses: { 200: v.array(SchemaShape) },
    handler: async ({ caller, services }) => listReplyAtOnce(await services.schemas.list(caller)),
  }),
  route({
    id: 'schemas.create',
    endpoint: 'POST /api/v1/schemas',
    summary: 'Create a schema',
    access: 'model.write',
    body: SchemaInput,
    responses: { 201: SchemaShape },
    errors: ['CONFLICT'],
    handler: ({ caller, body, services }) => services.schemas.create(caller, body),
  }),
  route({
    id: 'schemas.createPicture',
    endpoint: 'POST /api/v1/schemas/picture',
    summary: 'Create a ready schema for pictures',
    description:
      'The schema has the attributes `content` (the file), `alt`, `focus` (`{ x, y }`), `copyright` and `expires`. `alt` is by the dimension `language`, if there is one. Change it like any other schema.',
    access: 'model.write',
    body: v.optional(PictureSchemaBody),
    responses: { 201: SchemaShape },
    errors: ['CONFLICT'],
    handler: ({ caller, body = {}, services }) => services.schemas.createForPictures(caller, body),
  }),
  route({
    id: 'schemas.get',
    endpoint: 'GET /api/v1/schemas/:id',
    summary: 'Read a schema',
    access: 'model.read',
    responses: { 200: SchemaShape },
    handler: ({ caller, params, services }) => services.schemas.get(caller, params.id),
  }),
  route({
    id: 'schemas.replace',
    endpoint: 'PUT /api/v1/schemas/:id',
    summary: 'Replace a schema; stored values that no longer fit prevent it, unless dropValues=true removes them',
    description:
      'A value no longer fits if its attribute is removed, gets another data type or loses a dimension. The same holds if the attribute loses the option, unit or currency of the value. An empty list of units or currencies allows all. Of a multiSelect value, only removed options are dropped. A value that breaks a new validation rule stays, and can be sent back unchanged. Values may be dropped, or an attribute becomes unique: with more than 1,000 records the answer is then 202 with a bulk job of kind `schema`. The errors of the job list the values that prevent the change. With fewer records the request may take a moment; the change completes even if the client disconnects. Until then the old definition applies, and writes that the new definition would refuse get 409.',
    access: 'model.write',
    query: ReplaceQuery,
    body: SchemaInput,
    responses: { 200: SchemaShape, 202: BulkJobShape },
    errors: ['CONFLICT', 'RATE_LIMITED'],
    handler: async ({ caller, params, query, body, services }) => {
      const replaced = await services.schemas.replace(caller, params.id, body, query.dropValues)
      return 'job' in replaced
        ? reply(toShownJob(replaced.job), { status: 202 })
        : reply(replaced.schema, { status: 200 })
    },
  }),
  route({
    id: 'schemas.renameAttribute',
    endpoint: 'POST /api/v1/schemas/:id/rename-attribute',
    summary: 'Rename an attribute: in values, guards, saved queries and roles',
    description:
      'The answer is a bulk job of kind `schema`. Up to 1,000 records are renamed in one transaction. With more records, the job renames them one by one while other requests read and write. Until the job ends, writes of the attribute get 409. A running job cannot be cancelled. Old audit entries keep the old alias.',
    access: 'model.write',
    body: RenameAttributeBody,
    responses: { 202: BulkJobShape },
    errors: ['CONFLICT', 'RATE_LIMITED'],
    handler: async ({ caller, params, body, services }) =>
      toShownJob(
        await services.bulkJobs.renameAttribute(answering(caller, toShownJob), { schemaId: params.id, ...body }),
      ),
  }),
  route({
    id: 'schemas.preview',
    endpoint: 'POST /api/v1/schemas/:id/preview',
    summary: 'Preview the effects of a new definition of the schema on stored records; nothing is changed',
    description: 'The body is the body of PUT. The preview reads all affected records, within `--query-timeout`.',
    access: 'model.write',
    body: SchemaInput,
    responses: { 200: ModelEffectsShape },
    errors: ['PERMISSION_DENIED'],
    handler: ({ caller, params, body, services, request: { signal } }) =>
      services.schemas.preview(caller, params.id, body, signal),
  }),
  route({
    id: 'schemas.delete',
    endpoint: 'DELETE /api/v1/schemas/:id',
    summary: 'Delete a schema that has no records',
    access: 'model.write',
    responses: { 204: null },
    errors: ['CONFLICT'],
    handler: ({ caller, params, services }) => services.schemas.delete(caller, params.id),
  }),
]
