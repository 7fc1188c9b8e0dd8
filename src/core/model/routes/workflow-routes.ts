// Endpoints of workflows. Contract 1 §2.4, 1 §3.1, 2 §3.
import * as v from 'valibot'
import { WorkflowInput } from '../rules/workflow.ts'
import { ModelEffectsShape, WorkflowShape } from './model-shapes.ts'
import { route } from '../../../http/route.ts'

export const workflowsRoutes = [
  route({
    id: 'workflows.list',
    method: 'GET',
    path: '/api/v1/workflows',
    summary: 'List all workflows, oldest first',
    access: 'model.read',
    responses: { 200: v.array(WorkflowShape) },
    handler: ({ caller, services }) => services.workflows.list(caller),
  }),
  route({
    id: 'workflows.create',
    method: 'POST',
    path: '/api/v1/workflows',
    summary: 'Create a workflow of states and transitions',
    access: 'model.write',
    body: WorkflowInput,
    responses: { 201: WorkflowShape },
    errors: ['CONFLICT'],
    handler: ({ caller, body, services }) => services.workflows.create(caller, body),
  }),
  route({
    id: 'workflows.get',
    method: 'GET',
    path: '/api/v1/workflows/:id',
    summary: 'Read a workflow',
    access: 'model.read',
    responses: { 200: WorkflowShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services }) => services.workflows.get(caller, params.id),
  }),
  route({
    id: 'workflows.replace',
    method: 'PUT',
    path: '/api/v1/workflows/:id',
    summary: 'Replace a workflow; a state that holds records or that an attribute is required in cannot be left out',
    access: 'model.write',
    body: WorkflowInput,
    responses: { 200: WorkflowShape },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: ({ caller, params, body, services }) => services.workflows.replace(caller, params.id, body),
  }),
  route({
    id: 'workflows.preview',
    method: 'POST',
    path: '/api/v1/workflows/:id/preview',
    summary: 'Find out what a new definition of the workflow would do to stored records; nothing is changed',
    description: 'The body is that of PUT. Every record concerned is looked at, within `--query-timeout`.',
    access: 'model.write',
    body: WorkflowInput,
    responses: { 200: ModelEffectsShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, body, services, request: { signal } }) =>
      services.workflows.preview(caller, params.id, body, signal),
  }),
  route({
    id: 'workflows.delete',
    method: 'DELETE',
    path: '/api/v1/workflows/:id',
    summary: 'Delete a workflow that no schema has',
    access: 'model.write',
    responses: { 204: null },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: ({ caller, params, services }) => services.workflows.delete(caller, params.id),
  }),
]
