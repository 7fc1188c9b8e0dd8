// Endpoints of export runs, and of a job's operations besides its schedule. Contract 1 §2.10, 1 §4.4, 2 §6. Mounted with the
// prefix /api/v1 and without it.
import * as v from 'valibot'
import { contentTypeOf, TEXT_FORMATS } from '../rules/export-format.ts'
import { ExportRunShape, RunEntryInput } from '../rules/export-run.ts'
import type { RecordedRun } from '../jobs/export-run-list.ts'
import { CheckShape, ExportedRecordShape } from './export-shapes.ts'
import { PREVIEW_EXAMPLES, PreviewInput } from './preview-routes.ts'
import { answering, PlainText, reply } from '../../http/answers/replies.ts'
import { route } from '../../http/route.ts'
import { LimitQuery, Wait } from '../../kernel/input/common-shapes.ts'

const recordedReply = ({ run, isNew }: RecordedRun) => reply(run, { status: isNew ? 201 : 200 })

export const exportRunsRoutes = [
  route({
    id: 'exportRuns.list',
    endpoint: 'GET /api/v1/export-jobs/:id/runs',
    summary: 'List the runs of an export job, newest first',
    access: 'exportJobs.read',
    query: LimitQuery,
    responses: { 200: v.array(ExportRunShape) },
    handler: ({ caller, params, query, services }) => services.exportRuns.list(caller, params.id, query.limit),
  }),
  route({
    id: 'exportRuns.record',
    endpoint: 'POST /api/v1/export-jobs/:id/runs',
    summary: 'Record a run of an external export runner; nothing is run',
    description:
      'With the ID of a `running` entry, that entry is updated (200); omitted members stay. While such an entry is running, the server does not run the job. An entry without an update for 24 hours ends as `failed`.',
    access: 'exportRuns.write',
    body: RunEntryInput,
    responses: { 200: ExportRunShape, 201: ExportRunShape },
    errors: ['CONFLICT'],
    handler: async ({ caller, params, body, services }) =>
      recordedReply(await services.exportRuns.record(answering(caller, recordedReply), params.id, body)),
  }),
  route({
    id: 'exportRuns.get',
    endpoint: 'GET /api/v1/export-jobs/:id/runs/:runId',
    summary: 'Read a run, or wait until it changes',
    description:
      'With `wait`, the server answers when the run changes, when the run ends, or when the time is over. 429 if 20 requests of the caller already wait.',
    access: 'exportJobs.read',
    query: v.object({ wait: v.optional(Wait) }),
    responses: { 200: ExportRunShape },
    errors: ['RATE_LIMITED'],
    handler: ({ caller, params: { id: jobId, runId }, query, services, request: { signal } }) =>
      services.exportRuns.get(caller, { jobId, runId }, query.wait ?? 0, signal),
  }),
  route({
    id: 'exportRuns.cancel',
    endpoint: 'POST /api/v1/export-jobs/:id/runs/:runId/cancel',
    summary: 'Cancel a run; it becomes failed shortly',
    access: 'exportJobs.write',
    responses: { 202: ExportRunShape },
    errors: ['CONFLICT'],
    handler: ({ caller, params, services }) => services.exportRuns.cancel(caller, params.id, params.runId),
  }),
  route({
    id: 'exportRuns.redeliver',
    endpoint: 'POST /api/v1/export-jobs/:id/runs/:runId/redeliver',
    summary: 'Deliver the file of a failed run again, as a new run',
    description:
      'The file of a failed delivery is kept for 24 hours; each job keeps the last three. It goes to the address that it was made for. 409 if the file is no longer kept, or if the server that has the file is not running. 409, too, while the job runs.',
    access: 'exportJobs.write',
    responses: { 202: ExportRunShape },
    errors: ['CONFLICT'],
    handler: ({ caller, params, services }) => services.exportRuns.redeliver(caller, params.id, params.runId),
  }),
  route({
    id: 'exportRuns.trigger',
    endpoint: 'POST /api/v1/export-jobs/:id/trigger',
    summary: 'Start a run now, even if the job is paused',
    access: 'exportJobs.write',
    responses: { 202: ExportRunShape },
    errors: ['CONFLICT'],
    handler: ({ caller, params, services }) => services.exportRuns.trigger(caller, params.id),
  }),
  route({
    id: 'exportRuns.check',
    endpoint: 'POST /api/v1/export-jobs/:id/check',
    summary: 'Check that the destination can be written; nothing is left there',
    access: 'exportJobs.write',
    responses: { 200: CheckShape },
    handler: ({ caller, params, services, request: { signal } }) =>
      services.exportRuns.check(caller, params.id, signal),
  }),
  route({
    id: 'exportRuns.preview',
    endpoint: 'POST /api/v1/export-jobs/:id/preview',
    summary: 'Render the first records that the caller may read as text; nothing is delivered',
    description: 'The preview has the format of the job; an xlsx is shown as csv.',
    access: 'exportJobs.read',
    body: v.optional(PreviewInput, {}),
    responses: { 200: v.string() },
    mediaTypes: TEXT_FORMATS.map((format) => contentTypeOf(format, false)),
    jsonShape: v.array(ExportedRecordShape),
    examples: PREVIEW_EXAMPLES,
    errors: ['PERMISSION_DENIED'],
    handler: async ({ caller, params, body, services, request: { signal } }) => {
      const { format, text } = await services.exportRuns.preview(caller, params.id, body.limit, signal)
      return new PlainText(text, contentTypeOf(format, false))
    },
  }),
]
