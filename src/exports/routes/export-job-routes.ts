// Endpoints of export jobs. Contract 1 §3.2, 1 §4.4, 2 §6. Mounted with the prefix /api/v1 and without it.
import * as v from 'valibot'
import { ExportJobInput } from '../rules/export-job.ts'
import { ExportJobShape } from './export-shapes.ts'
import { route } from '../../http/route.ts'

export const exportJobsRoutes = [
  route({
    id: 'exportJobs.list',
    method: 'GET',
    path: '/api/v1/export-jobs',
    summary: 'List all export jobs, oldest first',
    access: 'exportJobs.read',
    responses: { 200: v.array(ExportJobShape) },
    handler: ({ caller, services }) => services.exportJobs.list(caller),
  }),
  route({
    id: 'exportJobs.create',
    method: 'POST',
    path: '/api/v1/export-jobs',
    summary: 'Create an export job; it exports what its owner, at first its creator, may read',
    description:
      'Schedule, file name and the settings of the destination are checked now, not at the first run. Secrets in `destinationConfig` are stored encrypted.',
    access: 'exportJobs.write',
    body: ExportJobInput,
    responses: { 201: ExportJobShape },
    errors: ['CONFLICT'],
    handler: ({ caller, body, services }) => services.exportJobs.create(caller, body),
  }),
  route({
    id: 'exportJobs.get',
    method: 'GET',
    path: '/api/v1/export-jobs/:id',
    summary: 'Read an export job',
    access: 'exportJobs.read',
    responses: { 200: ExportJobShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services }) => services.exportJobs.get(caller, params.id),
  }),
  route({
    id: 'exportJobs.replace',
    method: 'PUT',
    path: '/api/v1/export-jobs/:id',
    summary: 'Replace an export job; fields that the server sets are ignored, and a run that goes on is not touched',
    description:
      'A secret that is sent back as `********` stays what it is, unless it would be sent elsewhere, or less safely: with another host, for instance, it must be sent anew. Who changes what is sent, or where, and is not the owner, becomes the owner.',
    access: 'exportJobs.write',
    body: ExportJobInput,
    responses: { 200: ExportJobShape },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: ({ caller, params, body, services }) => services.exportJobs.replace(caller, params.id, body),
  }),
  route({
    id: 'exportJobs.delete',
    method: 'DELETE',
    path: '/api/v1/export-jobs/:id',
    summary: 'Delete an export job and its run history; a run that goes on is cancelled first',
    access: 'exportJobs.write',
    responses: { 204: null },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services }) => services.exportJobs.delete(caller, params.id),
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
