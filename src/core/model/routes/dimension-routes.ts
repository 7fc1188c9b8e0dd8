// Endpoints of dimensions. Contract 2 §3.
import { DimensionInput } from '../rules/dimension.ts'
import { DimensionShape, ModelEffectsShape } from './model-shapes.ts'
import { documentRoutes } from '../../../http/document-routes.ts'
import { route } from '../../../http/route.ts'

export const dimensionsRoutes = [
  ...documentRoutes({
    id: 'dimensions',
    path: '/api/v1/dimensions',
    shape: DimensionShape,
    input: DimensionInput,
    read: 'model.read',
    write: 'model.write',
    list: { summary: 'List all dimensions, oldest first' },
    create: { summary: 'Create a dimension with its segments' },
    get: { summary: 'Read a dimension' },
    replace: {
      summary: 'Replace a dimension; a segment that values or schemas use cannot be removed',
      errors: ['CONFLICT'],
    },
    delete: { summary: 'Delete a dimension that nothing uses', errors: ['CONFLICT'] },
    service: ({ dimensions }) => dimensions,
  }),
  route({
    id: 'dimensions.preview',
    method: 'POST',
    path: '/api/v1/dimensions/:id/preview',
    summary: 'Preview the effects of a new definition of the dimension on stored records; nothing is changed',
    description: 'The body is the body of PUT. The preview reads all affected records, within `--query-timeout`.',
    access: 'model.write',
    body: DimensionInput,
    responses: { 200: ModelEffectsShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, body, services, request: { signal } }) =>
      services.dimensions.preview(caller, params.id, body, signal),
  }),
]
