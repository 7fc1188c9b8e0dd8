// Endpoints of export jobs, stored and unsaved. Contract 1 §3.2, 1 §4.4, 2 §6, 3 §5, 3 §9.5. Mounted with the prefix /api/v1 and
// without it.
import { ExportJobInput } from '../rules/export-job.ts'
import { ExportJobShape, CheckShape, ExportedRecordShape } from './export-shapes.ts'
import { documentRoutes } from '../../http/document-routes.ts'
import { route } from '../../http/route.ts'
import * as v from 'valibot'
import { contentTypeOf, TEXT_FORMATS } from '../rules/export-format.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { PlainText } from '../../http/answers/replies.ts'
import { PREVIEW_EXAMPLES, PreviewInput } from './preview-routes.ts'

export const exportJobsRoutes = [
  ...documentRoutes({
    id: 'exportJobs',
    path: '/api/v1/export-jobs',
    shape: ExportJobShape,
    input: ExportJobInput,
    read: 'exportJobs.read',
    write: 'exportJobs.write',
    list: { summary: 'List all export jobs, oldest first' },
    create: {
      summary: 'Create an export job; it exports what its owner may read, and the creator is the first owner',
      description:
        'The schedule, file name and destination settings are checked now, not at the first run. Secrets in `destinationConfig` are stored encrypted.',
    },
    get: { summary: 'Read an export job' },
    replace: {
      summary: 'Replace an export job; members that the server sets are ignored, and a running run is not affected',
      description:
        'A secret that is sent back as `********` keeps its value. A request that changes where or how safely the secret is sent must send the secret again. An example is the host. A caller who changes what is sent, or where, becomes the owner.',
      errors: ['CONFLICT'],
    },
    delete: { summary: 'Delete an export job and its runs; a running run is cancelled first' },
    service: ({ exportJobs }) => exportJobs,
  }),
  route({
    id: 'exportJobs.pause',
    endpoint: 'POST /api/v1/export-jobs/:id/pause',
    summary: 'Pause the schedule of an export job',
    access: 'exportJobs.write',
    responses: { 200: ExportJobShape },
    handler: ({ caller, params, services }) => services.exportJobs.pause(caller, params.id),
  }),
  route({
    id: 'exportJobs.resume',
    endpoint: 'POST /api/v1/export-jobs/:id/resume',
    summary: 'Resume the schedule of an export job at its next match',
    description: '409 if the owner still lacks the rights; take the job over instead.',
    access: 'exportJobs.write',
    responses: { 200: ExportJobShape },
    errors: ['CONFLICT'],
    handler: ({ caller, params, services }) => services.exportJobs.resume(caller, params.id),
  }),
  route({
    id: 'exportJobs.takeOver',
    endpoint: 'POST /api/v1/export-jobs/:id/take-over',
    summary: 'Become the owner of an export job; it then runs with your rights',
    description:
      'For administrators, and for callers who may read every attribute that the job names. A job that was paused because of its owner resumes.',
    access: 'exportJobs.write',
    responses: { 200: ExportJobShape },
    handler: ({ caller, params, services }) => services.exportJobs.takeOver(caller, params.id),
  }),
]

export const DraftPreviewInput = exactObject(
  { ...ExportJobInput.entries, ...PreviewInput.entries },
  ExportJobInput.serverSet,
)

const SECRETS =
  'With the `id` of a stored job, `********` stands for the stored secret. This does not hold if the secret would be sent elsewhere, or less safely.'

export const exportDraftRoutes = [
  route({
    id: 'exportJobs.checkDraft',
    endpoint: 'POST /api/v1/export-jobs/check',
    summary: 'Check the destination of an unsaved job; nothing is left there',
    description: SECRETS,
    access: 'exportJobs.write',
    body: ExportJobInput,
    responses: { 200: CheckShape },
    handler: ({ caller, body, services, request: { signal } }) => services.exportDrafts.check(caller, body, signal),
  }),
  route({
    id: 'exportJobs.previewDraft',
    endpoint: 'POST /api/v1/export-jobs/preview',
    summary: 'Render the first records of an unsaved job as text; nothing is delivered',
    description: `The preview contains what the caller may read, in the format of the job; an xlsx is shown as csv. It needs \`records.read\` too. The settings of the destination may be missing.`,
    access: 'exportJobs.write',
    body: DraftPreviewInput,
    responses: { 200: v.string() },
    mediaTypes: TEXT_FORMATS.map((format) => contentTypeOf(format, false)),
    jsonShape: v.array(ExportedRecordShape),
    examples: PREVIEW_EXAMPLES,
    errors: ['PERMISSION_DENIED'],
    handler: async ({ caller, body, services, request: { signal } }) => {
      const { format, text } = await services.exportDrafts.preview(caller, body, signal)
      return new PlainText(text, contentTypeOf(format, false))
    },
  }),
]
