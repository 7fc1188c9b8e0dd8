// Endpoints of dimensions, workflows, catalogs, and of the visible model of a caller. Contract 1 §2.4, 1 §3.1, 2 §3,
// 3 §11.
import { DimensionInput } from '../rules/dimension.ts'
import { CatalogShape, DimensionShape, ModelEffectsShape, SchemaShape, WorkflowShape } from './model-shapes.ts'
import { documentRoutes } from '../../../http/document-routes.ts'
import { listReplyAtOnce } from '../../../http/answers/list-replies.ts'
import { route } from '../../../http/route.ts'
import { WorkflowInput } from '../rules/workflow.ts'
import { CatalogInput } from '../rules/catalog.ts'
import * as v from 'valibot'

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
    endpoint: 'POST /api/v1/dimensions/:id/preview',
    summary: 'Preview the effects of a new definition of the dimension on stored records; nothing is changed',
    description: 'The body is the body of PUT. The preview reads all affected records, within `--query-timeout`.',
    access: 'model.write',
    body: DimensionInput,
    responses: { 200: ModelEffectsShape },
    handler: ({ caller, params, body, services, request: { signal } }) =>
      services.dimensions.preview(caller, params.id, body, signal),
  }),
]

export const workflowsRoutes = [
  ...documentRoutes({
    id: 'workflows',
    path: '/api/v1/workflows',
    shape: WorkflowShape,
    input: WorkflowInput,
    read: 'model.read',
    write: 'model.write',
    list: { summary: 'List all workflows, oldest first' },
    create: { summary: 'Create a workflow of states and transitions' },
    get: { summary: 'Read a workflow' },
    replace: {
      summary: 'Replace a workflow; a state that holds records, or that an attribute requires, cannot be removed',
      errors: ['CONFLICT'],
    },
    delete: { summary: 'Delete a workflow that no schema has', errors: ['CONFLICT'] },
    service: ({ workflows }) => workflows,
  }),
  route({
    id: 'workflows.preview',
    endpoint: 'POST /api/v1/workflows/:id/preview',
    summary: 'Preview the effects of a new definition of the workflow on stored records; nothing is changed',
    description: 'The body is the body of PUT. The preview reads all affected records, within `--query-timeout`.',
    access: 'model.write',
    body: WorkflowInput,
    responses: { 200: ModelEffectsShape },
    handler: ({ caller, params, body, services, request: { signal } }) =>
      services.workflows.preview(caller, params.id, body, signal),
  }),
]

export const catalogsRoutes = documentRoutes({
  id: 'catalogs',
  path: '/api/v1/catalogs',
  shape: CatalogShape,
  input: CatalogInput,
  read: 'model.read',
  write: 'categories.write',
  list: { summary: 'List all catalogs, oldest first' },
  create: { summary: 'Create a catalog' },
  get: { summary: 'Read a catalog' },
  replace: { summary: 'Rename a catalog' },
  delete: { summary: 'Delete a catalog that has no categories', errors: ['CONFLICT'] },
  service: ({ catalogs }) => catalogs,
})

export const VisibleModelShape = v.object({
  dimensions: v.array(DimensionShape),
  schemas: v.array(SchemaShape),
  workflows: v.array(WorkflowShape),
  catalogs: v.array(CatalogShape),
})

export const visibleModelRoutes = [
  route({
    id: 'me.model',
    endpoint: 'GET /api/v1/me/model',
    summary: 'Read the dimensions, schemas, workflows and catalogs that the caller may see',
    description:
      'This needs no `model.read`. Attributes that the role may not read are left out everywhere. Guards that use them are shown as placeholders.',
    access: 'records.read',
    responses: { 200: VisibleModelShape },
    handler: async ({ caller, services }) => {
      const { dimensions, schemas, workflows, catalogs } = await services.visibleModel.describeModel(caller)
      const end = JSON.stringify({ workflows, catalogs }).slice(1)
      return listReplyAtOnce(schemas, [`{"dimensions":${JSON.stringify(dimensions)},"schemas":[`, `],${end}`])
    },
  }),
]
