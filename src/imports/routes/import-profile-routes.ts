// Endpoints of import profiles. Contract 3 §4.
import * as v from 'valibot'
import { ImportProfileInput } from '../rules/import-profile.ts'
import { route } from '../../http/route.ts'
import { ImportProfileShape } from './import-shapes.ts'

export const importProfilesRoutes = [
  route({
    id: 'importProfiles.list',
    method: 'GET',
    path: '/api/v1/import-profiles',
    summary: 'List import profiles, oldest first',
    access: 'model.read',
    responses: { 200: v.array(ImportProfileShape) },
    handler: ({ services }) => services.importProfiles.list(),
  }),
  route({
    id: 'importProfiles.create',
    method: 'POST',
    path: '/api/v1/import-profiles',
    summary: 'Keep what the columns of files mean, under a name',
    description:
      'Each column of the file that is named goes to a field of the record or to an attribute in a scope, after what `with` does to its cells. `part` is for prices and measurements whose units have a column of their own. A column that a file lacks is an error, unless it has a `default`; columns that no profile names are passed over.',
    access: 'model.write',
    body: ImportProfileInput,
    responses: { 201: ImportProfileShape },
    errors: ['CONFLICT'],
    handler: ({ caller, body, services }) => services.importProfiles.create(caller, body),
  }),
  route({
    id: 'importProfiles.get',
    method: 'GET',
    path: '/api/v1/import-profiles/:id',
    summary: 'Read an import profile',
    access: 'model.read',
    responses: { 200: ImportProfileShape },
    errors: ['NOT_FOUND'],
    handler: ({ params, services }) => services.importProfiles.get(params.id),
  }),
  route({
    id: 'importProfiles.replace',
    method: 'PUT',
    path: '/api/v1/import-profiles/:id',
    summary: 'Replace an import profile',
    access: 'model.write',
    body: ImportProfileInput,
    responses: { 200: ImportProfileShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, body, services }) => services.importProfiles.replace(caller, params.id, body),
  }),
  route({
    id: 'importProfiles.delete',
    method: 'DELETE',
    path: '/api/v1/import-profiles/:id',
    summary: 'Delete an import profile',
    access: 'model.write',
    responses: { 204: null },
    errors: ['NOT_FOUND'],
    handler: ({ params, services }) => services.importProfiles.delete(params.id),
  }),
]
