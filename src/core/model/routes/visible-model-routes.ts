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
    summary: 'Read the model as far as the caller may see it: dimensions, schemas, workflows and catalogs',
    description:
      'Without `model.read`. Attributes that are hidden from the role are left out, also where schemas name them; guards that look at such are placeholders.',
    access: 'records.read',
    responses: { 200: VisibleModelShape },
    handler: ({ caller, services }) => services.visibleModel.describeModel(caller),
  }),
]
