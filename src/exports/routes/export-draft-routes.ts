// Endpoints of export jobs that are not saved yet. Contract 3 §5, 3 §9.5. Mounted with the prefix /api/v1 and without it.
import * as v from 'valibot'
import { contentTypeOf, TEXT_FORMATS } from '../rules/export-format.ts'
import { ExportJobInput } from '../rules/export-job.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { PlainText } from '../../http/answers/json.ts'
import { route } from '../../http/route.ts'
import { CheckShape, ExportedRecordShape } from './export-shapes.ts'
import { PREVIEW_EXAMPLES, PreviewInput } from './preview-routes.ts'

export const DraftPreviewInput = exactObject(
  { ...ExportJobInput.entries, ...PreviewInput.entries },
  ExportJobInput.serverSet,
)

const SECRETS =
  'With the `id` of a stored job, `********` stands for the secret that it has, unless it would be sent elsewhere, or less safely.'

export const exportDraftRoutes = [
  route({
    id: 'exportJobs.checkDraft',
    method: 'POST',
    path: '/api/v1/export-jobs/check',
    summary: 'Check the destination of an unsaved job; nothing is left there',
    description: SECRETS,
    access: 'exportJobs.write',
    body: ExportJobInput,
    responses: { 200: CheckShape },
    handler: ({ caller, body, services, request: { signal } }) => services.exportDrafts.check(caller, body, signal),
  }),
  route({
    id: 'exportJobs.previewDraft',
    method: 'POST',
    path: '/api/v1/export-jobs/preview',
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
