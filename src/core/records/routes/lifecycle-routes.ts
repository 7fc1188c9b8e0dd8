// Endpoints of the lifecycle: completeness, transitions, and taking a transition. Contract 1 §3.1, 1 §4.1, 3 §1.
import * as v from 'valibot'
import { completenessReply, movedRecordReply } from '../../../http/answers/record-replies.ts'
import { answering } from '../../../http/answers/replies.ts'
import { ScoredCompletenessShape } from './item-shapes.ts'
import { MovedRecordShape, TransitionBody } from './record-shapes.ts'
import { AvailableTransitionShape } from '../rules/transition.ts'
import { route } from '../../../http/route.ts'

const StateQuery = v.object({
  stateId: v.optional(v.pipe(v.string(), v.description("Another state of the workflow than the record's own."))),
  by: v.optional(
    v.pipe(
      v.picklist(['combination'], "must be 'combination'"),
      v.description('Adds `combinations` to the answer: the score of each combination of segments.'),
    ),
  ),
})

export const lifecycleRoutes = [
  route({
    id: 'records.completeness',
    endpoint: 'GET /api/v1/records/:id/completeness',
    summary: 'Score the completeness of a record for its state, or for another state',
    description: 'Attributes that the role may not read do not count, nor attributes whose guard uses one.',
    access: 'records.read',
    query: StateQuery,
    responses: { 200: ScoredCompletenessShape },
    handler: async ({ caller, params, query, services, request: { signal } }) =>
      completenessReply(await services.lifecycle.scoreCompleteness(caller, params.id, query, signal)),
  }),
  route({
    id: 'records.transitions',
    endpoint: 'GET /api/v1/records/:id/transitions',
    summary: "List the transitions that leave the record's state, and whether the caller may take them",
    description:
      '`missing` names required values of the target state that the record lacks, as far as the role may know: up to 1000 fields in all, shared evenly among the transitions that require completeness.',
    access: 'records.read',
    responses: { 200: v.array(AvailableTransitionShape) },
    handler: ({ caller, params, services, request: { signal } }) =>
      services.lifecycle.listTransitions(caller, params.id, signal),
  }),
  route({
    id: 'records.transition',
    endpoint: 'POST /api/v1/records/:id/transition',
    summary: 'Move a record to another lifecycle state',
    description:
      'This needs no permission: the `allowedRoleIds` of the transition decide. If the transition requires completeness, the record must be complete for the target state. A refusal names up to 5 missing fields.',
    access: 'authenticated',
    body: TransitionBody,
    responses: { 200: MovedRecordShape },
    headers: ['ETag'],
    errors: ['TRANSITION_ERROR', 'PRECONDITION_FAILED'],
    handler: async ({ caller, params, body, ifMatch, services, request: { signal } }) =>
      movedRecordReply(
        await services.lifecycle.transition(
          answering(caller, movedRecordReply),
          params.id,
          body.transitionId,
          ifMatch,
          signal,
        ),
      ),
  }),
]
