// Endpoints of export runs, and of what can be done with a job besides waiting for its schedule. Contract 1 §2.10,
// 1 §4.4, 2 §6. Mounted with the prefix /api/v1 and without it.
import * as v from 'valibot'
import { contentTypeOf, TEXT_FORMATS } from '../rules/export-format.ts'
import { RunEntryInput } from '../rules/export-run.ts'
import type { RecordedRun } from '../jobs/export-run-list.ts'
import { CheckShape, ExportedRecordShape, ExportRunShape } from './export-shapes.ts'
import { PREVIEW_EXAMPLES, PreviewInput } from './preview-routes.ts'
import { answering } from '../../http/answers/answering.ts'
import { PlainText, reply } from '../../http/answers/json.ts'
import { route } from '../../http/route.ts'
import { LimitQuery, Wait } from '../../http/common-shapes.ts'

const recordedReply = ({ run, isNew }: RecordedRun) => reply(run, { status: isNew ? 201 : 200 })

export const exportRunsRoutes = [
  route({
    id: 'exportRuns.list',
    method: 'GET',
    path: '/api/v1/export-jobs/:id/runs',
    summary: 'List the runs of an export job, the latest first',
    access: 'exportJobs.read',
    query: LimitQuery,
    responses: { 200: v.array(ExportRunShape) },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, query, services }) => services.exportRuns.list(caller, params.id, query.limit),
  }),
  route({
    id: 'exportRuns.record',
    method: 'POST',
    path: '/api/v1/export-jobs/:id/runs',
    summary: 'Record a run that another export runner makes; nothing is run',
    description:
      'With the ID of an entry that is `running`, that entry takes what is given (200); what is left out stays. While there is one, the job does not run here. An entry without news for 24 hours ends as `failed`.',
    access: 'exportRuns.write',
    body: RunEntryInput,
    responses: { 200: ExportRunShape, 201: ExportRunShape },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: async ({ caller, params, body, services }) =>
      recordedReply(await services.exportRuns.record(answering(caller, recordedReply), params.id, body)),
  }),
  route({
    id: 'exportRuns.get',
    method: 'GET',
    path: '/api/v1/export-jobs/:id/runs/:runId',
    summary: 'Read a run, or wait until something of it has changed',
    description:
      'With `wait` the answer comes when the run is not as it was any more, when it has ended, or when the time is over; 429 where 20 requests of the caller wait already.',
    access: 'exportJobs.read',
    query: v.object({ wait: v.optional(Wait) }),
    responses: { 200: ExportRunShape },
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    handler: ({ caller, params: { id: jobId, runId }, query, services, request: { signal } }) =>
      services.exportRuns.get(caller, { jobId, runId }, query.wait ?? 0, signal),
  }),
  route({
    id: 'exportRuns.cancel',
    method: 'POST',
    path: '/api/v1/export-jobs/:id/runs/:runId/cancel',
    summary: 'End a run; it becomes failed in a moment',
    access: 'exportJobs.write',
    responses: { 202: ExportRunShape },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: ({ caller, params, services }) => services.exportRuns.cancel(caller, params.id, params.runId),
  }),
  route({
    id: 'exportRuns.redeliver',
    method: 'POST',
    path: '/api/v1/export-jobs/:id/runs/:runId/redeliver',
    summary: 'Deliver the file of a failed run again, in a run of its own',
    description:
      'The file of a delivery that failed is kept for 24 hours, of each job the last three. It goes where the job goes now. 409 where it is not kept any more, or is at one of several servers that is not running, and while the job runs.',
    access: 'exportJobs.write',
    responses: { 202: ExportRunShape },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: ({ caller, params, services }) => services.exportRuns.redeliver(caller, params.id, params.runId),
  }),
  route({
    id: 'exportRuns.trigger',
    method: 'POST',
    path: '/api/v1/export-jobs/:id/trigger',
    summary: 'Begin a run now, whether the job is paused or not',
    access: 'exportJobs.write',
    responses: { 202: ExportRunShape },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: ({ caller, params, services }) => services.exportRuns.trigger(caller, params.id),
  }),
  route({
    id: 'exportRuns.check',
    method: 'POST',
    path: '/api/v1/export-jobs/:id/check',
    summary: 'Find out whether the destination can be written; nothing is left there',
    access: 'exportJobs.write',
    responses: { 200: CheckShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services, request: { signal } }) =>
      services.exportRuns.check(caller, params.id, signal),
  }),
  route({
    id: 'exportRuns.preview',
    method: 'POST',
    path: '/api/v1/export-jobs/:id/preview',
    summary: 'Render the first records, of what the caller may read, as text; nothing is delivered',
    description: 'In the format of the job; an xlsx is shown as csv.',
    access: 'exportJobs.read',
    body: v.optional(PreviewInput, {}),
    responses: { 200: v.string() },
    mediaTypes: TEXT_FORMATS.map((format) => contentTypeOf(format, false)),
    jsonShape: v.array(ExportedRecordShape),
    examples: PREVIEW_EXAMPLES,
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    handler: async ({ caller, params, body, services, request: { signal } }) => {
      const { format, text } = await services.exportRuns.preview(caller, params.id, body.limit, signal)
      return new PlainText(text, contentTypeOf(format, false))
    },
  }),
]
