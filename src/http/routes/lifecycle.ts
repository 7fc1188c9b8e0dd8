// Endpoints of the lifecycle: completeness, transitions, and taking one. Interface §3.1 and §4.1.
import * as v from 'valibot'
import { movedRecordReply } from '../record-json.ts'
import { AvailableTransitionShape, CompletenessShape, MovedRecordShape, TransitionBody } from '../record-schemas.ts'
import { route } from '../route.ts'

const StateQuery = v.object({
  stateId: v.optional(v.pipe(v.string(), v.description("Another state of the workflow than the record's own."))),
})

export const lifecycleRoutes = [
  route({
    id: 'records.completeness',
    method: 'GET',
    path: '/api/v1/records/:id/completeness',
    summary: 'Score how complete a record is for its state, or for another',
    access: 'records.read',
    query: StateQuery,
    responses: { 200: CompletenessShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, query, services }) =>
      services.lifecycle.scoreCompleteness(caller, params.id, query.stateId),
  }),
  route({
    id: 'records.transitions',
    method: 'GET',
    path: '/api/v1/records/:id/transitions',
    summary: "List the transitions that leave the record's state, and whether the caller may take them",
    access: 'records.read',
    responses: { 200: v.array(AvailableTransitionShape) },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services }) => services.lifecycle.listTransitions(caller, params.id),
  }),
  route({
    id: 'records.transition',
    method: 'POST',
    path: '/api/v1/records/:id/transition',
    summary: 'Move a record to another lifecycle state',
    description:
      'No permission is needed: `allowedRoleIds` of the transition decides. Where it requires completeness, the record must be complete for the target state.',
    access: 'authenticated',
    body: TransitionBody,
    responses: { 200: MovedRecordShape },
    headers: ['ETag'],
    errors: ['NOT_FOUND', 'TRANSITION_ERROR', 'PRECONDITION_FAILED'],
    handler: async ({ caller, params, body, ifMatch, services }) =>
      movedRecordReply(await services.lifecycle.transition(caller, params.id, body.transitionId, ifMatch)),
  }),
]
