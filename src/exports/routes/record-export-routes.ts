// The endpoint that exports the result of a search as a file. Contract 3 §11.
import * as v from 'valibot'
import { contentTypeOf, EXPORT_FORMATS } from '../rules/export-format.ts'
import { ByteStream, reply } from '../../http/answers/replies.ts'
import { route } from '../../http/route.ts'
import { NoQuery } from '../../kernel/input/common-shapes.ts'
import { RecordExportBody } from '../rules/export-job.ts'

/** The json is that of an export job, or an object of header to value for each record. */
export const RecordExportShape = v.array(v.record(v.string(), v.unknown()))

const CSV = contentTypeOf('csv', false)

export const recordExportRoutes = [
  route({
    id: 'records.export',
    endpoint: 'POST /api/v1/records/export',
    summary: 'Export the results of a search as a file: csv, json, jsonl, xml or xlsx',
    description:
      'The body is the body of a search; `include`, `resolve`, `completenessBy` and `total` have no effect. The file is made from one snapshot and streamed; if the server fails midway, it closes the connection. Attributes that the role may not read are left out; a column that names one is refused. `delimiter`, `decimal` and `bom` apply to csv, `separator` to csv and xlsx, `sheet` to xlsx, `xml` to xml.',
    access: 'records.read',
    query: NoQuery,
    body: RecordExportBody,
    responses: { 200: v.string() },
    headers: ['Content-Disposition'],
    mediaTypes: [...EXPORT_FORMATS.map((format) => contentTypeOf(format, false)), contentTypeOf('csv', true)],
    jsonShape: RecordExportShape,
    examples: {
      'application/x-ndjson': '{"SKU":"SH-1","Name":"Baumwollhemd","Price":{"amount":29.9,"currency":"EUR"}}\n',
      'application/xml':
        '<?xml version="1.0" encoding="UTF-8"?>\n<records>\n  <record>\n    <value column="SKU">SH-1</value>\n  </record>\n</records>\n',
      'application/gzip': 'The same, packed.',
      [contentTypeOf('xlsx', false)]: 'A workbook with one sheet.',
      [CSV]: 'SKU,Name,Price\r\nSH-1,Baumwollhemd,29.9\r\n',
      'application/json': '[\n{"SKU":"SH-1","Name":"Baumwollhemd","Price":{"amount":29.9,"currency":"EUR"}}\n]\n',
    },
    handler: async ({ caller, body, services, request: { signal } }) => {
      const { name, mediaType, chunks } = await services.recordExport.export(caller, body, signal)
      return reply(new ByteStream(chunks, mediaType), {
        headers: { 'Content-Disposition': `attachment; filename="${name}"` },
      })
    },
  }),
]
