// Endpoints that say why a record is, or is not, in an export. Contract 3 §5, 3 §11.
import * as v from 'valibot'
import { InclusionShape, JobInclusionShape } from '../rules/inclusion.ts'
import { route } from '../../http/route.ts'

export const ExplainBody = v.object({
  entityId: v.pipe(v.string('must be a string'), v.description('The ID of a record.')),
})

export const jobInclusionRoutes = [
  route({
    id: 'exportJobs.explain',
    endpoint: 'POST /api/v1/export-jobs/:id/explain',
    summary: 'Explain whether the job exports a record, rule by rule',
    description:
      '`catalog` is met by a category of the record or of its parent. `variants` says whether the record is a variant. `selection` says whether the search finds the record. `permission` is about the role of the owner. `delta` says whether the record changed since the last successful run, if the next file is a delta. This needs `records.read` too.',
    access: 'exportJobs.read',
    body: ExplainBody,
    responses: { 200: InclusionShape },
    errors: ['PERMISSION_DENIED'],
    handler: ({ caller, params, body, services, request: { signal } }) =>
      services.inclusions.explain(caller, params.id, body.entityId, signal),
  }),
]

export const recordInclusionRoutes = [
  route({
    id: 'records.exports',
    endpoint: 'GET /api/v1/records/:id/exports',
    summary: 'Explain for each export job whether it exports the record, rule by rule',
    description: 'This needs `exportJobs.read` too.',
    access: 'records.read',
    responses: { 200: v.array(JobInclusionShape) },
    errors: ['PERMISSION_DENIED'],
    handler: ({ caller, params, services, request: { signal } }) =>
      services.inclusions.ofRecord(caller, params.id, signal),
  }),
]
