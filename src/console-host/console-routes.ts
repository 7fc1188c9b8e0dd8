// The console: one page for all of its addresses, and the files that it is made of, which are packed when pimlet is built.
// Contract 3 §7, 3 §9.13.
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import * as v from 'valibot'
import { notFound } from '../kernel/errors.ts'
import type { ConsoleFile } from './console-files.ts'
import type { Services } from '../app/app-services.ts'
import { bestCoding } from '../http/answers/gzip.ts'
import { FileBytes, reply } from '../http/answers/replies.ts'
import { type RequestInfo, route } from '../http/route.ts'
import { prefersHtml } from '../http/pipeline/accept.ts'

/**
 * Allows files and requests of this server only, and pictures that the page itself has fetched (`blob:`). Forbids other
 * hosts, inline scripts and styles, frames around the page, submitted forms, and texts that become markup or code.
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const HTML = 'text/html; charset=utf-8'
/** File names change with their content. */
const FOR_EVER = 'public, max-age=31536000, immutable'

const page = {
  access: 'public',
  responses: { 200: v.string() },
  headers: ['ETag'],
  mediaTypes: [HTML],
  errors: ['NOT_FOUND'],
} as const

const FILE_NAME = /^[\w-]+(\.[\w-]+)+$/

async function sendPage(services: Services, request: RequestInfo, place = '', id?: string) {
  const { consoleFiles } = services
  const page = await consoleFiles.page(request.prefix)
  // A file that is not there, or not there any more, is not the page.
  if (FILE_NAME.test(place)) throw notFound('File', place)
  const file = await consoleFiles.placeFile(place, id)
  // A browser then loads the file together with those that the page names.
  const headers = file === undefined ? {} : { Link: `<${request.prefix}/console/-/${file}>; rel="modulepreload"` }
  // Revalidated on each visit, so that a new version of pimlet shows at once.
  return fileReply(page, request, 'no-cache', headers)
}

/** @throws NOT_FOUND where no console is served */
async function redirect(
  { services, request }: { readonly services: Services; readonly request: RequestInfo },
  place: string,
) {
  await services.consoleFiles.page(request.prefix)
  return reply(undefined, { status: 302, headers: { Location: `${request.prefix}/console/${place}` } })
}

export const consoleRoutes = [
  route({
    id: 'console.start',
    endpoint: 'GET /console',
    summary: 'Redirects a browser to the console',
    access: 'public',
    responses: { 302: null },
    errors: ['NOT_FOUND'],
    handler: (context) => redirect(context, ''),
  }),
  route({
    ...page,
    id: 'console.page',
    endpoint: 'GET /console/',
    summary: 'The console for browsers',
    handler: ({ services, request }) => sendPage(services, request),
  }),
  route({
    id: 'console.model',
    endpoint: 'GET /console/model',
    summary: 'Redirects a browser to the schemas, the first section of the model',
    access: 'public',
    responses: { 302: null },
    errors: ['NOT_FOUND'],
    handler: (context) => redirect(context, 'schemas'),
  }),
  route({
    ...page,
    id: 'console.place',
    endpoint: 'GET /console/:place',
    summary: 'A section of the console: the same page',
    handler: ({ services, request, params }) => sendPage(services, request, params.place),
  }),
  route({
    ...page,
    id: 'console.thing',
    endpoint: 'GET /console/:place/:id',
    summary: 'An item in the console: the same page',
    handler: ({ services, request, params }) => sendPage(services, request, params.place, params.id),
  }),
  route({
    ...page,
    id: 'console.file',
    endpoint: 'GET /console/-/:file',
    summary: 'A file of the console; each version has other file names',
    mediaTypes: ['text/css; charset=utf-8', 'text/javascript; charset=utf-8', 'image/svg+xml'],
    handler: async ({ params, services, request }) =>
      fileReply(await services.consoleFiles.file(params.file), request, FOR_EVER),
  }),
]

/** Chooses the encoding that the client prefers; every encoding has its own ETag. */
async function fileReply(file: ConsoleFile, { acceptEncoding }: RequestInfo, cacheControl: string, more: object = {}) {
  const { mediaType, gzip, br } = file
  const coding = bestCoding(acceptEncoding, ['br', 'gzip'])
  const bytes = coding === 'br' ? br : coding === 'gzip' ? await gzip() : await promisify(brotliDecompress)(br)
  const headers = {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Referrer-Policy': 'no-referrer',
    Vary: 'Accept-Encoding',
    ...more,
  }
  const etag = coding === undefined ? file.etag : `${file.etag}-${coding === 'br' ? 'br' : 'gz'}`
  return reply(new FileBytes(bytes, mediaType, coding), { etag, headers, cacheControl })
}

const ADDRESSES = { docs: '/docs', openapi: '/api/v1/openapi.json', health: '/healthz' } as const
const CONSOLE = '/console/'

export const Hint = v.object({
  name: v.literal('pimlet'),
  version: v.string(),
  console: v.optional(v.string()),
  ...v.entriesFromList(Object.keys(ADDRESSES) as (keyof typeof ADDRESSES)[], v.string()),
})

export const startRoutes = [
  route({
    id: 'service.start',
    endpoint: 'GET /',
    summary: 'The addresses of the server; a browser is redirected to the console',
    access: 'public',
    responses: { 200: Hint, 302: null },
    handler: ({ services, request }) => {
      const headers = { Vary: 'Accept' }
      if (prefersHtml(request.accept)) {
        const page = services.consoleFiles.isServed ? CONSOLE : ADDRESSES.docs
        return reply(undefined, { status: 302, headers: { ...headers, Location: request.prefix + page } })
      }
      return reply(hintOf(services, request.prefix), { status: 200, headers })
    },
  }),
]

function hintOf({ consoleFiles, documentation }: Services, prefix: string): v.InferOutput<typeof Hint> {
  const pages = consoleFiles.isServed ? { console: prefix + CONSOLE } : {}
  const { docs, openapi, health } = ADDRESSES
  const addresses = { docs: prefix + docs, openapi: prefix + openapi, health: prefix + health }
  return { name: 'pimlet', version: documentation.version(), ...pages, ...addresses }
}
