// Endpoints of dimensions. Contract 2 §3.
import * as v from 'valibot'
import { DimensionInput } from '../rules/dimension.ts'
import { DimensionShape, ModelEffectsShape } from './model-shapes.ts'
import { route } from '../../../http/route.ts'

export const dimensionsRoutes = [
  route({
    id: 'dimensions.list',
    method: 'GET',
    path: '/api/v1/dimensions',
    summary: 'List all dimensions, oldest first',
    access: 'model.read',
    responses: { 200: v.array(DimensionShape) },
    handler: ({ caller, services }) => services.dimensions.list(caller),
  }),
  route({
    id: 'dimensions.create',
    method: 'POST',
    path: '/api/v1/dimensions',
    summary: 'Create a dimension with its segments',
    access: 'model.write',
    body: DimensionInput,
    responses: { 201: DimensionShape },
    errors: ['CONFLICT'],
    handler: ({ caller, body, services }) => services.dimensions.create(caller, body),
  }),
  route({
    id: 'dimensions.get',
    method: 'GET',
    path: '/api/v1/dimensions/:id',
    summary: 'Read a dimension',
    access: 'model.read',
    responses: { 200: DimensionShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services }) => services.dimensions.get(caller, params.id),
  }),
  route({
    id: 'dimensions.replace',
    method: 'PUT',
    path: '/api/v1/dimensions/:id',
    summary: 'Replace a dimension; a segment that values or schemas use cannot be left out',
    access: 'model.write',
    body: DimensionInput,
    responses: { 200: DimensionShape },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: ({ caller, params, body, services }) => services.dimensions.replace(caller, params.id, body),
  }),
  route({
    id: 'dimensions.preview',
    method: 'POST',
    path: '/api/v1/dimensions/:id/preview',
    summary: 'Find out what a new definition of the dimension would do to stored records; nothing is changed',
    description: 'The body is that of PUT. Every record concerned is looked at, within `--query-timeout`.',
    access: 'model.write',
    body: DimensionInput,
    responses: { 200: ModelEffectsShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, body, services, request: { signal } }) =>
      services.dimensions.preview(caller, params.id, body, signal),
  }),
  route({
    id: 'dimensions.delete',
    method: 'DELETE',
    path: '/api/v1/dimensions/:id',
    summary: 'Delete a dimension that nothing uses',
    access: 'model.write',
    responses: { 204: null },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: ({ caller, params, services }) => services.dimensions.delete(caller, params.id),
  }),
]
