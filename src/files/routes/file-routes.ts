// Endpoints of files. Contract 4 §1.
import * as v from 'valibot'
import { answering, reply } from '../../http/answers/replies.ts'
import { bytesReply } from '../../http/answers/byte-replies.ts'
import { ANY_TYPE } from '../../http/bodies/body.ts'
import { route } from '../../http/route.ts'
import { FetchFileBody, FileQuery, FileShape, toFileBody, UploadFileQuery } from './file-shapes.ts'

/** Rights to a value may change, so a client asks each time whether its copy still counts. */
const CACHED = 'private, no-cache'

interface Uploaded {
  readonly isNew: boolean
  readonly file: Parameters<typeof toFileBody>[0]['file']
}

const toReply = (uploaded: Uploaded) => reply(toFileBody(uploaded), { status: uploaded.isNew ? 201 : 200 })

/** The answer of a route that sends bytes. */
const BYTES = {
  responses: { 200: v.string(), 206: v.string() },
  headers: ['ETag', 'Content-Disposition'],
  mediaTypes: [ANY_TYPE],
  examples: { [ANY_TYPE]: 'The bytes of the file.' },
} as const

function privately({ download }: { readonly download?: string | undefined }) {
  return { isDownload: download !== undefined, cacheControl: CACHED }
}

export const fileRoutes = [
  route({
    id: 'files.upload',
    endpoint: 'POST /api/v1/files',
    summary: 'Upload a file: the body is the file',
    description:
      'Values of the data type `file` name the answered hash. 200 if the server has the same bytes already. `multipart/form-data` with one part `file` is for tools that cannot send plain bytes. A file that no value names is removed after a day. Roles with `records.create` or `records.update` have this permission, too.',
    access: 'files.write',
    query: UploadFileQuery,
    stream: [ANY_TYPE, 'multipart/form-data'],
    examples: { [ANY_TYPE]: 'The bytes of the file.', 'multipart/form-data': 'One part `file` with a file name.' },
    responses: { 200: FileShape, 201: FileShape },
    errors: ['PAYLOAD_TOO_LARGE'],
    handler: async ({ caller, query, body, services, request: { signal } }) =>
      toReply(await services.files.uploadBody(answering(caller, toReply), body, query.fileName, signal)),
  }),
  route({
    id: 'files.fetch',
    endpoint: 'POST /api/v1/files/from-url',
    summary: 'Fetch a file from an address',
    description:
      'The server fetches the file within 60 seconds. The address must be one that destinations may reach, and so must each address that it redirects to.',
    access: 'files.write',
    body: FetchFileBody,
    responses: { 200: FileShape, 201: FileShape },
    errors: ['PAYLOAD_TOO_LARGE'],
    handler: async ({ caller, body, services, request: { signal } }) =>
      toReply(await services.files.fetch(answering(caller, toReply), body, signal)),
  }),
  route({
    id: 'files.get',
    endpoint: 'GET /api/v1/files/:sha256',
    summary: 'Download a file that the caller uploaded within a day',
    description:
      'HEAD answers 200 for every file that the caller may know: uploaded by the caller, or named by a value that the caller may read. Read other files through their record.',
    access: 'authenticated',
    query: FileQuery,
    ...BYTES,
    errors: ['RANGE_NOT_SATISFIABLE'],
    handler: async ({ caller, params, query, services, request }) =>
      bytesReply(await services.files.own(caller, params.sha256, request.isHead), request, privately(query)),
  }),
  route({
    id: 'records.file',
    endpoint: 'GET /api/v1/records/:id/files/:sha256',
    summary: 'Download a file that a value of the record names, own or inherited',
    access: 'records.read',
    query: FileQuery,
    ...BYTES,
    errors: ['RANGE_NOT_SATISFIABLE'],
    handler: async ({ caller, params, query, services, request }) =>
      bytesReply(await services.files.ofRecord(caller, params.id, params.sha256), request, privately(query)),
  }),
  route({
    id: 'records.rendition',
    endpoint: 'GET /api/v1/records/:id/files/:sha256/renditions/:preset',
    summary: 'Download a picture of the record in the size of a preset',
    description:
      'The server makes the rendition with the first request and keeps it. 422 says why a file cannot be rendered. The preset `original` is the file itself.',
    access: 'records.read',
    query: FileQuery,
    ...BYTES,
    errors: ['NOT_RENDERABLE', 'RANGE_NOT_SATISFIABLE'],
    handler: async ({ caller, params, query, services, request }) => {
      const asked = { recordId: params.id, sha256: params.sha256, presetId: params.preset }
      return bytesReply(await services.renditions.ofRecord(caller, asked, request.signal), request, privately(query))
    },
  }),
  route({
    id: 'files.public',
    endpoint: 'GET /public/:signature/:preset/:fileName',
    summary: 'Download a rendition by a public address, without a credential',
    description:
      'Exports have these addresses. An address ends when the definition of its preset changes, or with POST /api/v1/files/rotate-addresses.',
    access: 'public',
    ...BYTES,
    errors: ['NOT_RENDERABLE', 'RANGE_NOT_SATISFIABLE'],
    handler: async ({ params, services, request }) => {
      const asked = { signature: params.signature, presetId: params.preset, fileName: params.fileName }
      return bytesReply(await services.renditions.byAddress(asked, request.signal), request, {
        isDownload: false,
        cacheControl: 'public, max-age=31536000, immutable',
      })
    },
  }),
]
