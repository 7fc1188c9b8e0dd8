// Endpoints of product sheets, their templates and links. Contract 5 §4.
import * as v from 'valibot'
import { ByteStream, reply } from '../../http/answers/replies.ts'
import { NoQuery } from '../../kernel/input/common-shapes.ts'
import { documentRoutes } from '../../http/document-routes.ts'
import { route } from '../../http/route.ts'
import { SheetInput, SheetLinkInput } from '../rules/sheet-link.ts'
import { SHEET_POLICY } from '../rules/sheet-page.ts'
import { SheetTemplateInput, SheetTemplateShape } from '../rules/sheet-template.ts'
import { LinksQuery, NewSheetLinkShape, readScope, SheetLinkShape, SheetQuery } from './sheet-shapes.ts'

const HTML = 'text/html; charset=utf-8'

/** The answer of a route that sends a page. */
const PAGE = {
  responses: { 200: v.string() },
  mediaTypes: [HTML],
  examples: { [HTML]: '<!doctype html>\n<html lang="de">…</html>\n' },
} as const

function pageReply(chunks: AsyncIterable<Uint8Array>) {
  const headers = {
    'Content-Security-Policy': SHEET_POLICY,
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex, nofollow',
  }
  return reply(new ByteStream(chunks, HTML), { headers, cacheControl: 'private, no-store' })
}

export const sheetRoutes = [
  ...documentRoutes({
    id: 'sheetTemplates',
    path: '/api/v1/sheet-templates',
    shape: SheetTemplateShape,
    input: SheetTemplateInput,
    read: 'records.read',
    write: 'exportJobs.write',
    list: { summary: 'List templates of product sheets, oldest first' },
    create: {
      summary: 'Create a template of product sheets: attributes, pictures and texts of a printed page',
      errors: ['LIMIT_EXCEEDED'],
    },
    get: { summary: 'Read a template of product sheets' },
    replace: { summary: 'Replace a template of product sheets' },
    delete: { summary: 'Delete a template of product sheets; links with the template show all values' },
    service: ({ sheetTemplates }) => sheetTemplates,
  }),
  route({
    ...PAGE,
    id: 'records.sheet',
    endpoint: 'GET /api/v1/records/:id/sheet',
    summary: 'The product sheet of a record: a page for print that needs no other file',
    description: 'Pictures are inside of the page. Attributes that the role may not read are left out.',
    access: 'records.read',
    query: SheetQuery,
    handler: async ({ caller, params, query, services, request }) => {
      const { templateId = null, language = null } = query
      const fields = { recordIds: [params.id], query: undefined, templateId, language, scope: readScope(query.scope) }
      return pageReply(await services.sheets.page(caller, fields, request.signal))
    },
  }),
  route({
    ...PAGE,
    id: 'records.sheets',
    endpoint: 'POST /api/v1/records/sheets',
    summary: 'The product sheets of up to 200 records: one page for print',
    description:
      'Each record begins a new page of paper. The page is streamed; if the server fails midway, it closes the connection.',
    access: 'records.read',
    query: NoQuery,
    body: SheetInput,
    errors: ['NOT_FOUND'],
    handler: async ({ caller, body, services, request }) =>
      pageReply(await services.sheets.page(caller, body, request.signal)),
  }),
  route({
    id: 'sheetLinks.list',
    endpoint: 'GET /api/v1/sheet-links',
    summary: 'List links to product sheets that have not ended, newest first',
    access: 'records.read',
    query: LinksQuery,
    responses: { 200: v.array(SheetLinkShape) },
    handler: ({ caller, query, services }) => services.sheets.list(caller, query),
  }),
  route({
    id: 'sheetLinks.create',
    endpoint: 'POST /api/v1/sheet-links',
    summary: 'Create a link to product sheets for somebody without an account',
    description:
      'The page shows the present values through the eyes of the caller. The link ends with its time, and when the caller loses the permission. A link to share needs the permission `records.share`.',
    access: 'records.read',
    body: SheetLinkInput,
    responses: { 201: NewSheetLinkShape },
    errors: ['NOT_FOUND', 'LIMIT_EXCEEDED'],
    handler: ({ caller, body, services, request }) =>
      services.sheets.create(caller, body, request.prefix, request.signal),
  }),
  route({
    id: 'sheetLinks.revoke',
    endpoint: 'DELETE /api/v1/sheet-links/:id',
    summary: 'End a link to product sheets; links of other people need the permission users.manage',
    access: 'records.read',
    responses: { 204: null },
    handler: ({ caller, params, services }) => services.sheets.revoke(caller, params.id),
  }),
  route({
    ...PAGE,
    id: 'sheetLinks.visit',
    endpoint: 'GET /public/sheets/:token',
    summary: 'The product sheets of a link, without a credential',
    access: 'public',
    errors: ['RATE_LIMITED'],
    handler: async ({ params, services, request }) =>
      pageReply(await services.sheets.visit(params.token, request.address, request.signal)),
  }),
]
