// Endpoints of jobs that change many records in the background. Contract 3 §2, 3 §10.
import { BulkJobShape, BulkSampleShape, toShownJob, BulkErrorShape } from '../../core/jobs/rules/bulk-job.ts'
import { answering } from '../../http/answers/replies.ts'
import * as v from 'valibot'
import { route } from '../../http/route.ts'
import { BulkJobBody, BulkJobQuery, BulkSamplesQuery } from './bulk-shapes.ts'
import { PageQuery } from '../../kernel/input/common-shapes.ts'

export const bulkJobsRoutes = [
  route({
    id: 'bulkJobs.create',
    endpoint: 'POST /api/v1/bulk-jobs',
    summary: 'Change many records in the background: those of a list of IDs, or all that match a query',
    description:
      'The owner needs the permissions of the actions when the job is posted, and as long as the job runs: without one, the job is paused. The job fixes its records in one snapshot when it begins. Each record is judged alone: all actions are applied to it, or none. No action is applied twice, even if the server stops or is killed. Two jobs run at a time. 429 if 50 jobs of the caller are already queued.',
    access: 'authenticated',
    body: BulkJobBody,
    responses: { 202: BulkJobShape },
    errors: ['PERMISSION_DENIED', 'CONFLICT', 'RATE_LIMITED'],
    handler: async ({ caller, body, services }) =>
      toShownJob(await services.bulkJobs.create(answering(caller, toShownJob), body)),
  }),
  route({
    id: 'bulkJobs.list',
    endpoint: 'GET /api/v1/bulk-jobs',
    summary: 'List the bulk jobs of the caller, newest first',
    description: 'With the permission `users.manage`, the list has the jobs of all callers.',
    access: 'authenticated',
    query: PageQuery,
    responses: { 200: v.array(BulkJobShape) },
    handler: async ({ caller, query, services }) => (await services.bulkJobs.list(caller, query)).map(toShownJob),
  }),
  route({
    id: 'bulkJobs.get',
    endpoint: 'GET /api/v1/bulk-jobs/:id',
    summary: 'Read a bulk job, or wait until it changes',
    description:
      'With `wait`, the server answers when the job changes, when the job ends, or when the time is over. Progress alone is answered ten times a second at most. 429 if 20 requests of the caller already wait.',
    access: 'authenticated',
    query: BulkJobQuery,
    responses: { 200: BulkJobShape },
    errors: ['RATE_LIMITED'],
    handler: async ({ caller, params, query, services, request }) =>
      toShownJob(await services.bulkJobs.get(caller, params.id, query.wait ?? 0, request.signal)),
  }),
  route({
    id: 'bulkJobs.errors',
    endpoint: 'GET /api/v1/bulk-jobs/:id/errors',
    summary: 'List the records that a bulk job could not change, with the reason: the first 10,000',
    access: 'authenticated',
    query: PageQuery,
    responses: { 200: v.array(BulkErrorShape) },
    handler: ({ caller, params, query, services }) => services.bulkJobs.errors(caller, params.id, query),
  }),
  route({
    id: 'bulkJobs.samples',
    endpoint: 'GET /api/v1/bulk-jobs/:id/samples',
    summary: 'List the first 1,000 records of an outcome, with the changes that the role may read',
    description:
      'In a dry run, these are the changes that would be made. A page can be shorter than its limit if changes are large. Unchanged and failed records have no changes. The errors of the job list the failures.',
    access: 'authenticated',
    query: BulkSamplesQuery,
    responses: { 200: v.array(BulkSampleShape) },
    handler: ({ caller, params, query: { outcome, ...page }, services }) =>
      services.bulkJobs.samples(caller, params.id, outcome, page),
  }),
  route({
    id: 'bulkJobs.cancel',
    endpoint: 'POST /api/v1/bulk-jobs/:id/cancel',
    summary: 'Cancel a bulk job: it changes nothing more, and its changes so far stay',
    access: 'authenticated',
    responses: { 202: BulkJobShape },
    errors: ['CONFLICT'],
    handler: async ({ caller, params, services }) =>
      toShownJob(await services.bulkJobs.cancel(answering(caller, toShownJob), params.id)),
  }),
  route({
    id: 'bulkJobs.takeOver',
    endpoint: 'POST /api/v1/bulk-jobs/:id/take-over',
    summary: 'Become the owner of a bulk job, which goes on with your rights',
    description:
      'For administrators, and those who may do all that the job does; of an import, for those who manage users besides. A job that was paused for its owner goes on where it was. 409 where it has ended, or changes a schema.',
    access: 'authenticated',
    responses: { 200: BulkJobShape },
    errors: ['CONFLICT', 'PERMISSION_DENIED'],
    handler: async ({ caller, params, services }) =>
      toShownJob(await services.bulkJobs.takeOver(answering(caller, toShownJob), params.id)),
  }),
  route({
    id: 'bulkJobs.undo',
    endpoint: 'POST /api/v1/bulk-jobs/:id/undo',
    summary: 'Undo a bulk job: restore values, states, categories and deleted records',
    description:
      'A new job restores the old values from the audit trail, value by value. Values that another user changed since then stay, and their records are listed as errors with CONFLICT. 409 if the job has not ended, was a dry run, is already undone, or its history has been deleted.',
    access: 'authenticated',
    responses: { 202: BulkJobShape },
    errors: ['CONFLICT', 'PERMISSION_DENIED', 'RATE_LIMITED'],
    handler: async ({ caller, params, services }) =>
      toShownJob(await services.bulkJobs.undo(answering(caller, toShownJob), params.id)),
  }),
]
