// Endpoints of export jobs. Contract 1 §3.2, 1 §4.4, 2 §6. Mounted with the prefix /api/v1 and without it.
import { ExportJobInput } from '../rules/export-job.ts'
import { ExportJobShape } from './export-shapes.ts'
import { documentRoutes } from '../../http/document-routes.ts'
import { route } from '../../http/route.ts'

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
      summary: 'Create an export job; it exports what its owner, at first its creator, may read',
      description:
        'Schedule, file name and the settings of the destination are checked now, not at the first run. Secrets in `destinationConfig` are stored encrypted.',
    },
    get: { summary: 'Read an export job' },
    replace: {
      summary: 'Replace an export job; fields that the server sets are ignored, and a run that goes on is not touched',
      description:
        'A secret that is sent back as `********` stays what it is, unless it would be sent elsewhere, or less safely: with another host, for instance, it must be sent anew. Who changes what is sent, or where, and is not the owner, becomes the owner.',
      errors: ['CONFLICT'],
    },
    delete: { summary: 'Delete an export job and its run history; a run that goes on is cancelled first' },
    service: ({ exportJobs }) => exportJobs,
  }),
  route({
    id: 'exportJobs.pause',
    method: 'POST',
    path: '/api/v1/export-jobs/:id/pause',
    summary: 'Stop the scheduled runs of an export job',
    access: 'exportJobs.write',
    responses: { 200: ExportJobShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services }) => services.exportJobs.pause(caller, params.id),
  }),
  route({
    id: 'exportJobs.resume',
    method: 'POST',
    path: '/api/v1/export-jobs/:id/resume',
    summary: 'Let the schedule of an export job go on at its next match',
    description: 'A job that was paused because its owner may not run it is 409 as long as that is so: take it over.',
    access: 'exportJobs.write',
    responses: { 200: ExportJobShape },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: ({ caller, params, services }) => services.exportJobs.resume(caller, params.id),
  }),
  route({
    id: 'exportJobs.takeOver',
    method: 'POST',
    path: '/api/v1/export-jobs/:id/take-over',
    summary: 'Become the owner of an export job, which runs with your rights from now on',
    description:
      'For administrators, and those who may read every attribute that the job names. A job that was paused for its owner goes on.',
    access: 'exportJobs.write',
    responses: { 200: ExportJobShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services }) => services.exportJobs.takeOver(caller, params.id),
  }),
]
