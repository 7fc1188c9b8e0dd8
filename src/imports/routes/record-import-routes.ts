// Endpoint that imports records from a file. Contract 2 §7, 3 §4.
import * as v from 'valibot'
import { XLSX_TYPE } from '../rules/media-types.ts'
import { IMPORT_TYPES, toArrivingFile, withCharset } from './arriving-file.ts'
import { route } from '../../http/route.ts'
import { DuplicatesMember, ImportResultShape, READ_MEMBERS, SETTING_MEMBERS } from './import-shapes.ts'

const ImportQuery = v.object({ ...SETTING_MEMBERS, duplicates: DuplicatesMember, ...READ_MEMBERS })

export const importRoutes = [
  route({
    id: 'records.import',
    method: 'POST',
    path: '/api/v1/records/import',
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
