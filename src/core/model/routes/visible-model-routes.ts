// The endpoint of the model for those who work with records. Contract 3 §11.
import * as v from 'valibot'
import { route } from '../../../http/route.ts'
import { CatalogShape, DimensionShape, SchemaShape, WorkflowShape } from './model-shapes.ts'

export const VisibleModelShape = v.object({
  dimensions: v.array(DimensionShape),
  schemas: v.array(SchemaShape),
  workflows: v.array(WorkflowShape),
  catalogs: v.array(CatalogShape),
})

export const visibleModelRoutes = [
  route({
    id: 'me.model',
    method: 'GET',
    path: '/api/v1/me/model',
    summary: 'Read the dimensions, schemas, workflows and catalogs that the caller may see',
    description:
      'This needs no `model.read`. Attributes that the role may not read are left out everywhere. Guards that use them are shown as placeholders.',
    access: 'records.read',
    responses: { 200: VisibleModelShape },
    handler: ({ caller, services }) => services.visibleModel.describeModel(caller),
  }),
]
