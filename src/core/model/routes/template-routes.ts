// Endpoints of templates. Contract 5 §1.
import * as v from 'valibot'
import { route } from '../../../http/route.ts'
import { NamesInput } from '../rules/names.ts'
import { TemplateChoice } from '../rules/schema-template.ts'

export const TemplateShape = v.object({
  id: v.string(),
  name: v.string(),
  names: NamesInput,
  description: v.string(),
  descriptions: v.pipe(NamesInput, v.description('Descriptions by language, besides `description`.')),
  schemaId: v.pipe(v.string(), v.description('The schema that the template makes.')),
  attributes: v.number(),
  categories: v.number(),
})
export const AppliedShape = v.object({ schemaId: v.string(), workflowId: v.string(), catalogId: v.string() })

export const templateRoutes = [
  route({
    id: 'templates.list',
    endpoint: 'GET /api/v1/templates',
    summary: 'List the templates: ready schemas of a trade',
    access: 'model.read',
    responses: { 200: v.array(TemplateShape) },
    handler: async ({ caller, services }) => services.templates.list(caller),
  }),
  route({
    id: 'templates.apply',
    endpoint: 'POST /api/v1/templates/:id/apply',
    summary: 'Make the schema, the languages, the workflow and the categories of a template, all or none',
    description: 'This also needs the permission `categories.write`. 409 if the schema or the catalog already exists.',
    access: 'model.write',
    body: TemplateChoice,
    responses: { 201: AppliedShape },
    errors: ['CONFLICT'],
    handler: ({ caller, params, body, services }) => services.templates.apply(caller, params.id, body),
  }),
]
