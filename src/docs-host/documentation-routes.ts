// The OpenAPI document, and the page that shows it: the page has no data, and asks for a credential itself. And the
// guides. Contract 2 §1, 2 §8.
import * as v from 'valibot'
import type { DocumentationFile } from './documentation-service.ts'
import { JsonText, PlainText, reply } from '../http/answers/replies.ts'
import { route } from '../http/route.ts'

const Anything = v.record(v.string(), v.unknown())
export const OpenApi = v.looseObject({ openapi: v.string(), info: Anything, paths: Anything })

/**
 * Allows files and requests of this server only: no other host, no inline script or style, no frame around the page, no
 * submitted form.
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'"

export const documentationRoutes = [
  route({
    id: 'openapi.get',
    endpoint: 'GET /api/v1/openapi.json',
    summary: 'This document: OpenAPI 3.1',
    access: 'authenticated',
    responses: { 200: OpenApi },
    headers: ['ETag'],
    handler: async ({ services, request }) => {
      const { text, etag } = below(request.prefix, await services.documentation.openApi())
      return reply(new JsonText(text), { etag, cacheControl: 'private, no-cache' })
    },
  }),
  route({
    id: 'docs.page',
    endpoint: 'GET /docs',
    summary: 'The API reference as a page for browsers',
    access: 'public',
    responses: { 200: v.string() },
    headers: ['ETag'],
    mediaTypes: ['text/html; charset=utf-8'],
    handler: ({ services, request }) => fileReply(below(request.prefix, services.documentation.file('index.html'))),
  }),
  route({
    id: 'docs.start',
    endpoint: 'GET /docs/',
    summary: 'Redirects a browser to the reference',
    access: 'public',
    responses: { 302: null },
    handler: ({ request }) => reply(undefined, { status: 302, headers: { Location: `${request.prefix}/docs` } }),
  }),
  route({
    id: 'docs.guide',
    endpoint: 'GET /docs/guides/:guide',
    summary: 'A guide as a page for browsers',
    access: 'public',
    responses: { 200: v.string() },
    headers: ['ETag'],
    mediaTypes: ['text/html; charset=utf-8'],
    handler: async ({ params, services, request }) =>
      fileReply(below(request.prefix, await services.documentation.guide(params.guide))),
  }),
  route({
    id: 'docs.file',
    endpoint: 'GET /docs/:file',
    summary: 'A file of the reference page',
    access: 'public',
    responses: { 200: v.string() },
    headers: ['ETag'],
    mediaTypes: [
      'text/html; charset=utf-8',
      'text/css; charset=utf-8',
      'text/javascript; charset=utf-8',
      'image/svg+xml',
    ],
    handler: ({ params, services, request }) =>
      fileReply(below(request.prefix, services.documentation.file(params.file))),
  }),
]

/** Adds the prefix to the links of HTML, and to `servers` of the OpenAPI document. */
function below(prefix: string, file: DocumentationFile): DocumentationFile {
  if (prefix === '') return file
  const text = file.mediaType.startsWith('text/html')
    ? file.text.replaceAll('="/docs', `="${prefix}/docs`)
    : file.text.replace('"servers":[{"url":"/"', `"servers":[{"url":"${prefix}"`)
  return { ...file, text, etag: `${file.etag}-${prefix.replaceAll('/', '.')}` }
}

/** Browsers keep the file and revalidate it, so that a new version of pimlet shows at once. */
function fileReply({ text, mediaType, etag }: DocumentationFile) {
  const headers = { 'Content-Security-Policy': CONTENT_SECURITY_POLICY, 'Referrer-Policy': 'no-referrer' }
  return reply(new PlainText(text, mediaType), { etag, headers, cacheControl: 'no-cache' })
}
