// The endpoint that takes records by the file. Decisions §7.
import * as v from 'valibot'
import { IMPORT_MODES, ImportResult } from '../../domain/import.ts'
import { IMPORT_TYPES, readImportLines } from '../import-lines.ts'
import { route } from '../route.ts'

const ImportQuery = v.object({
  mode: v.pipe(
    v.optional(v.picklist(IMPORT_MODES, `must be one of ${IMPORT_MODES.join(', ')}`), 'create'),
    v.description('create: an ID that exists is an error. upsert: that record takes the values of the line.'),
  ),
  dryRun: v.pipe(
    v.optional(v.boolean('must be true or false'), false),
    v.description('Say what would come of each line, and write nothing.'),
  ),
  schemaId: v.optional(v.pipe(v.string(), v.description('The schema of lines that name none.'))),
})

export const importRoutes = [
  route({
    id: 'records.import',
    method: 'POST',
    path: '/api/v1/records/import',
    summary: 'Create or update records from a file of JSON lines or a csv; each line stands alone',
    access: 'records.create',
    query: ImportQuery,
    stream: IMPORT_TYPES,
    responses: { 200: ImportResult },
    handler: ({ caller, query, body, services }) => services.imports.run(caller, readImportLines(body), query),
  }),
]
