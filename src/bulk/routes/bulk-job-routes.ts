// Endpoints of jobs that change many records in the background. Contract 3 §2, 3 §10.
import { BulkJobShape, BulkSampleShape, toJobBody } from '../../core/jobs/routes/job-shapes.ts'
import { answering } from '../../http/answers/answering.ts'
import * as v from 'valibot'
import { route } from '../../http/route.ts'
import { BulkErrorShape, BulkJobBody, BulkJobQuery, BulkSamplesQuery } from './bulk-shapes.ts'
import { PageQuery } from '../../http/common-shapes.ts'

export const bulkJobsRoutes = [
  route({
    id: 'bulkJobs.create',
    method: 'POST',
    path: '/api/v1/bulk-jobs',
    summary: 'Change many records in the background: those of a list of IDs, or all that match a query',
    description:
      'The job needs the permissions of its actions when it is posted, and as long as it goes on: it is paused where its owner lacks one. Which records it is for is fixed in one snapshot when it begins. Each record is judged alone: its actions are all done or none, and it is never done twice, also where the server stops or dies meanwhile. Two jobs run at a time; 429 where 50 jobs of the caller wait already.',
    access: 'authenticated',
    body: BulkJobBody,
    responses: { 202: BulkJobShape },
    errors: ['PERMISSION_DENIED', 'CONFLICT', 'RATE_LIMITED'],
    handler: async ({ caller, body, services }) =>
      toJobBody(await services.bulkJobs.create(answering(caller, toJobBody), body)),
  }),
  route({
    id: 'bulkJobs.list',
    method: 'GET',
    path: '/api/v1/bulk-jobs',
    summary: 'List bulk jobs, the latest first: those of the caller',
    description: 'With the permission `users.manage` those of everybody.',
    access: 'authenticated',
    query: PageQuery,
    responses: { 200: v.array(BulkJobShape) },
    handler: async ({ caller, query, services }) => (await services.bulkJobs.list(caller, query)).map(toJobBody),
  }),
  route({
    id: 'bulkJobs.get',
    method: 'GET',
    path: '/api/v1/bulk-jobs/:id',
    summary: 'Look at a bulk job, or wait until something of it has changed',
    description:
      'With `wait` the answer comes when the job is not as it was any more, when it has ended, or when the time is over; 429 where 20 requests of the caller wait already.',
    access: 'authenticated',
    query: BulkJobQuery,
    responses: { 200: BulkJobShape },
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    handler: async ({ caller, params, query, services, request }) =>
      toJobBody(await services.bulkJobs.get(caller, params.id, query.wait ?? 0, request.signal)),
  }),
  route({
    id: 'bulkJobs.errors',
    method: 'GET',
    path: '/api/v1/bulk-jobs/:id/errors',
    summary: 'List the records that a bulk job could not change, and why: the first 10,000',
    access: 'authenticated',
    query: PageQuery,
    responses: { 200: v.array(BulkErrorShape) },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, query, services }) => services.bulkJobs.errors(caller, params.id, query),
  }),
  route({
    id: 'bulkJobs.samples',
    method: 'GET',
    path: '/api/v1/bulk-jobs/:id/samples',
    summary: 'List the first 1,000 records of an outcome, with what was changed, as far as the role may read it',
    description:
      'Of a dry run: what would be changed. A page ends before its limit where changes are large. `unchanged` and `failed` ones have no changes; what failed, and why, is with the errors.',
    access: 'authenticated',
    query: BulkSamplesQuery,
    responses: { 200: v.array(BulkSampleShape) },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, query: { outcome, ...page }, services }) =>
      services.bulkJobs.samples(caller, params.id, outcome, page),
  }),
  route({
    id: 'bulkJobs.cancel',
    method: 'POST',
    path: '/api/v1/bulk-jobs/:id/cancel',
    summary: 'End a bulk job: it changes nothing more, and what it has changed stays',
    access: 'authenticated',
    responses: { 202: BulkJobShape },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: async ({ caller, params, services }) =>
      toJobBody(await services.bulkJobs.cancel(answering(caller, toJobBody), params.id)),
  }),
  route({
    id: 'bulkJobs.takeOver',
    method: 'POST',
    path: '/api/v1/bulk-jobs/:id/take-over',
    summary: 'Become the owner of a bulk job, which goes on with your rights',
    description:
      'For administrators, and those who may do all that the job does; of an import, for those who manage users besides. A job that was paused for its owner goes on where it was. 409 where it has ended, or changes a schema.',
    access: 'authenticated',
    responses: { 200: BulkJobShape },
    errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    handler: async ({ caller, params, services }) =>
      toJobBody(await services.bulkJobs.takeOver(answering(caller, toJobBody), params.id)),
  }),
  route({
    id: 'bulkJobs.undo',
    method: 'POST',
    path: '/api/v1/bulk-jobs/:id/undo',
    summary: 'Write back what a bulk job has changed: values, states, categories, deleted records',
    description:
      'A job of its own, from the audit trail, value by value. What somebody has changed since stays as it is, and the record is among the errors with CONFLICT. 409 where the job has not ended, was a dry run, is undone already, or its history is not kept any more.',
    access: 'authenticated',
    responses: { 202: BulkJobShape },
    errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED', 'RATE_LIMITED'],
    handler: async ({ caller, params, services }) =>
      toJobBody(await services.bulkJobs.undo(answering(caller, toJobBody), params.id)),
  }),
]
