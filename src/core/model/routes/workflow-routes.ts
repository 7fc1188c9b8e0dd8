// Endpoints of workflows. Contract 1 §2.4, 1 §3.1, 2 §3.
import { WorkflowInput } from '../rules/workflow.ts'
import { ModelEffectsShape, WorkflowShape } from './model-shapes.ts'
import { documentRoutes } from '../../../http/document-routes.ts'
import { route } from '../../../http/route.ts'

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
    method: 'POST',
    path: '/api/v1/workflows/:id/preview',
    summary: 'Preview the effects of a new definition of the workflow on stored records; nothing is changed',
    description: 'The body is the body of PUT. The preview reads all affected records, within `--query-timeout`.',
    access: 'model.write',
    body: WorkflowInput,
    responses: { 200: ModelEffectsShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, body, services, request: { signal } }) =>
      services.workflows.preview(caller, params.id, body, signal),
  }),
]
