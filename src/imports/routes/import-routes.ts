// Endpoints of imports as a resource. Contract 3 §4, 3 §11.
import { toShownJob, BulkJobShape } from '../../core/jobs/rules/bulk-job.ts'
import * as v from 'valibot'
import { XLSX_TYPE, ZIP_TYPE } from '../rules/media-types.ts'
import { answering, ByteStream, reply } from '../../http/answers/replies.ts'
import { IMPORT_TYPES, toArrivingFile, toUploadedFile, UPLOAD_TYPES, withCharset } from './arriving-file.ts'
import { route } from '../../http/route.ts'
import { PageQuery } from '../../kernel/input/common-shapes.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { ProposalShape } from '../rules/proposal/proposal-shapes.ts'
import {
  BeginQuery,
  MappingBody,
  toUploadBody,
  toUploadSummary,
  UploadQuery,
  UploadShape,
  UploadWaitQuery,
} from './upload-shapes.ts'
import { UploadSummaryShape } from '../rules/import-upload.ts'
import { ImportProfileInput, ImportProfileShape } from '../rules/import-profile.ts'
import { documentRoutes } from '../../http/document-routes.ts'
import { ImportQuery, READ_MEMBERS, ImportResultShape } from '../rules/import-outcome.ts'

export const demoRoutes = [
  route({
    id: 'demo.load',
    endpoint: 'POST /api/v1/demo',
    summary: 'Load the demonstration into an empty workspace, by a bulk job',
    description:
      'A made-up tea shop: languages, markets, a workflow, variants, pictures, shared saved queries. 409 if the workspace has schemas or records. The undo of the job removes the demonstration. For callers who may manage users, change the model, import and upload files.',
    access: 'users.manage',
    responses: { 202: BulkJobShape },
    errors: ['CONFLICT', 'RATE_LIMITED'],
    handler: async ({ caller, services }) => toShownJob(await services.demo.load(answering(caller, toShownJob))),
  }),
]

const csv = 'Art.-Nr.;Bezeichnung;VK\r\nSH-1;Baumwollhemd;29,90\r\n'

export const importsRoutes = [
  route({
    id: 'imports.create',
    endpoint: 'POST /api/v1/imports',
    summary: 'Upload a file to import, and see its columns',
    description:
      'The file is kept for 7 days. The server detects the format unless the query gives it, and suggests a target for each column. A zip has files for records in place of columns. This also needs the permission `records.update`. Next steps: PUT the mapping, start a dry run, run the import.',
    access: 'records.create',
    query: UploadQuery,
    stream: UPLOAD_TYPES,
    examples: {
      'application/x-ndjson': '{"id":"shirt-1","schemaId":"sch-shirt","values":{}}\n',
      'text/csv': csv,
      [XLSX_TYPE]: 'Columns as in the csv, in the first row of a sheet.',
      [ZIP_TYPE]: 'Files named after their records: SH-1-1.jpg, SH-1-2.jpg',
      'application/x-zip-compressed': 'The same.',
      'application/octet-stream': csv,
    },
    responses: { 201: UploadShape },
    errors: ['PAYLOAD_TOO_LARGE', 'LIMIT_EXCEEDED'],
    handler: async ({ caller, query, body, services, request: { signal } }) =>
      toUploadBody(
        await services.uploads.create(
          answering(caller, toUploadBody),
          toUploadedFile(body, query.fileName),
          withCharset(query, body),
          signal,
        ),
      ),
  }),
  route({
    id: 'imports.list',
    endpoint: 'GET /api/v1/imports',
    summary: 'List the imports of the caller, newest first',
    description:
      'With the permission `users.manage`, the list has the imports of all callers. It has no columns and no mapping.',
    access: 'records.create',
    query: PageQuery,
    responses: { 200: v.array(UploadSummaryShape) },
    handler: async ({ caller, query, services }) => (await services.uploads.list(caller, query)).map(toUploadSummary),
  }),
  route({
    id: 'imports.get',
    endpoint: 'GET /api/v1/imports/:id',
    summary: 'Read an import, or wait until it changes',
    access: 'records.create',
    query: UploadWaitQuery,
    responses: { 200: UploadShape },
    errors: ['RATE_LIMITED'],
    handler: async ({ caller, params, query, services, request }) =>
      toUploadBody(await services.uploads.get(caller, params.id, query.wait ?? 0, request.signal)),
  }),
  route({
    id: 'imports.proposal',
    endpoint: 'GET /api/v1/imports/:id/proposal',
    summary: 'Propose a schema for the file: attributes, languages, options and units, with the mapping',
    description:
      'For a csv or xlsx. Nothing is written. Send `mapping` back as the mapping of the import, changed as you like: its job makes the model and imports the file, and its undo takes both back. This also needs the permissions `records.create` and `records.update`.',
    access: 'model.write',
    query: exactObject({ decimal: READ_MEMBERS.decimal }),
    responses: { 200: ProposalShape },
    errors: ['CONFLICT'],
    handler: ({ caller, params, query, services, request: { signal } }) =>
      services.proposals.propose(caller, params.id, query.decimal, signal),
  }),
  route({
    id: 'imports.map',
    endpoint: 'PUT /api/v1/imports/:id/mapping',
    summary: 'Set the mapping of the columns: the body of an import profile, or a stored profile',
    description: 'Of a zip: which record and attribute a file belongs to, by the name of the file.',
    access: 'records.create',
    body: MappingBody,
    responses: { 200: UploadShape },
    errors: ['CONFLICT'],
    handler: async ({ caller, params, body, services }) =>
      toUploadBody(await services.uploads.map(caller, params.id, body)),
  }),
  route({
    id: 'imports.dryRun',
    endpoint: 'POST /api/v1/imports/:id/dry-run',
    summary: 'Start a dry run: a bulk job that writes nothing',
    description:
      'The job has a `sample`, errors and samples, as if it had written. 400 if the numbers of the file can be read with either decimal sign, until `decimal` is given.',
    access: 'records.create',
    query: BeginQuery,
    responses: { 202: BulkJobShape },
    errors: ['CONFLICT', 'RATE_LIMITED'],
    handler: async ({ caller, params, query, services, request: { signal } }) =>
      toShownJob(await services.uploads.dryRun(answering(caller, toShownJob), params.id, query, signal)),
  }),
  route({
    id: 'imports.run',
    endpoint: 'POST /api/v1/imports/:id/run',
    summary: 'Import the file with a bulk job that can be watched, cancelled and undone',
    description:
      'Each row is judged alone, with the role of that moment. No row is imported twice, even if the server stops or is killed. 400 if the numbers of the file can be read with either decimal sign, until `decimal` is given.',
    access: 'records.create',
    query: BeginQuery,
    responses: { 202: BulkJobShape },
    errors: ['CONFLICT', 'RATE_LIMITED'],
    handler: async ({ caller, params, query, services, request: { signal } }) =>
      toShownJob(await services.uploads.run(answering(caller, toShownJob), params.id, query, signal)),
  }),
  route({
    id: 'imports.takeOver',
    endpoint: 'POST /api/v1/imports/:id/take-over',
    summary: 'Become the owner of the import of another caller while no job reads the file',
    description: 'For callers who manage users and may read every attribute that the mapping names.',
    access: 'records.create',
    responses: { 200: UploadShape },
    errors: ['CONFLICT'],
    handler: async ({ caller, params, services }) =>
      toUploadBody(await services.uploads.takeOver(answering(caller, toUploadBody), params.id)),
  }),
  route({
    id: 'imports.failed',
    endpoint: 'GET /api/v1/imports/:id/failed.csv',
    summary: 'Download the failed rows, with the extra columns error and message',
    description:
      'Of a zip: the columns file, error and message. From the last job that wrote, otherwise from the last dry run; 1,048,576 rows at most. The file keeps its encoding and delimiter.',
    access: 'records.create',
    responses: { 200: v.string() },
    headers: ['Content-Disposition'],
    mediaTypes: ['text/csv', 'application/x-ndjson'],
    examples: {
      'text/csv': 'Art.-Nr.;Bezeichnung;VK;error;message\r\nSH-1;Hemd;viel;VALIDATION_ERROR;The column…\r\n',
      'application/x-ndjson':
        '{"id":"shirt-1","values":{},"error":"VALIDATION_ERROR","message":"schemaId is required"}\n',
    },
    handler: async ({ caller, params, services, request: { signal } }) => {
      const { upload, chunks } = await services.uploads.failed(caller, params.id, signal)
      const mediaType = upload.format === 'ndjson' ? 'application/x-ndjson' : 'text/csv'
      const headers = { 'Content-Disposition': `attachment; filename="${upload.id}-failed.csv"` }
      return reply(new ByteStream(chunks, mediaType), { headers })
    },
  }),
  route({
    id: 'imports.delete',
    endpoint: 'DELETE /api/v1/imports/:id',
    summary: 'Delete an import and its file; its jobs stay',
    access: 'records.create',
    responses: { 204: null },
    errors: ['CONFLICT'],
    handler: ({ caller, params, services }) => services.uploads.delete(caller, params.id),
  }),
]

/** Contract 3 §4. */
export const importProfilesRoutes = [
  ...documentRoutes({
    id: 'importProfiles',
    path: '/api/v1/import-profiles',
    shape: ImportProfileShape,
    input: ImportProfileInput,
    read: 'model.read',
    write: 'model.write',
    list: { summary: 'List import profiles, oldest first' },
    create: {
      summary: 'Create an import profile: the meaning of the columns of a file',
      description:
        'Each named column goes to a field of the record, or to an attribute in a scope. First, the steps in `with` are applied to its cells. `part` is for prices and measurements whose units have their own column. A missing column is an error unless it has a `default`. Columns that the profile does not name are ignored.',
    },
    get: { summary: 'Read an import profile' },
    replace: { summary: 'Replace an import profile' },
    delete: { summary: 'Delete an import profile' },
    service: ({ importProfiles }) => importProfiles,
  }),
]

export const importRoutes = [
  route({
    id: 'records.import',
    endpoint: 'POST /api/v1/records/import',
    summary: 'Create or update records from a file of JSON lines, a csv or an xlsx; each line stands alone',
    description:
      'The file is streamed and may have any size. A line of JSON is the body of `POST /api/v1/records`. A csv has the columns of the csv export; an empty cell is no value. An xlsx has the same columns and is read once it has arrived completely. The server detects the csv format unless it is given, and reports it. Failed lines are reported, and all other lines are imported. A line may refer to records and parents in later lines. Updates also need the permission `records.update`.',
    access: 'records.create',
    query: ImportQuery,
    stream: IMPORT_TYPES,
    examples: {
      'application/x-ndjson':
        '{"id":"shirt-1","schemaId":"sch-shirt","values":{"name":[{"scope":{"language":"en"},"value":"Cotton shirt"}]}}\n' +
        '{"id":"shirt-2","schemaId":"sch-shirt","values":{}}\n',
      'text/csv':
        'id,schemaId,name[language=en],name[language=de],price[market=eu],price[market=eu].currency\r\n' +
        'shirt-1,sch-shirt,Cotton shirt,Baumwollhemd,29.9,EUR\r\n',
      [XLSX_TYPE]: 'The same columns in the first row of a sheet.',
    },
    responses: { 200: ImportResultShape },
    errors: ['PAYLOAD_TOO_LARGE', 'LIMIT_EXCEEDED'],
    handler: ({ caller, query, body, services, request: { signal } }) =>
      services.imports.run(caller, toArrivingFile(body), withCharset(query, body), signal),
  }),
]
