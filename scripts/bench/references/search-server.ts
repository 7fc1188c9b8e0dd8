// A minimal search server: node:http and the SQL of two criteria in its best plan. Its responses have the same bytes as
// pimlet's.
import { createServer } from 'node:http'
import { openReader } from '../../../src/store/sqlite/connection.ts'
import { serve } from './document-server.ts'

const PAGE = 50

const [file, indexFile, option, bound] = process.argv.slice(2) as [string, string, string, string]
const db = openReader(file)
db.prepare('ATTACH ? AS idx').run(indexFile)
const numberOf = (alias: string): unknown =>
  db.prepare('SELECT n FROM idx.attribute WHERE alias = ?').pluck().get(alias)
const [select, number] = [numberOf('manufacturer'), numberOf('stock')]
const everywhere = db.prepare("SELECT n FROM idx.scope WHERE key = ''").pluck().get()
// Both lists are short, so one is read into a set, and the other is compared with this set.
const found = `FROM idx.value WHERE attribute = ? AND scope = ? AND key = ?
  AND record IN (SELECT record FROM idx.value WHERE attribute = ? AND scope = ? AND key > ? AND key < '')`
const page = db.prepare<unknown[], { document: string }>(
  `SELECT json_object('id', id, 'schemaId', schema_id, 'parentId', parent_id, 'lifecycleStateId', state_id, 'createdAt', created_at,
     'updatedAt', updated_at, 'createdBy', created_by, 'updatedBy', updated_by, 'values', json("values")) AS document
     FROM main.record WHERE n IN (SELECT record ${found} ORDER BY record LIMIT ${PAGE}) ORDER BY n`,
)
const count = db.prepare<unknown[], { total: number }>(`SELECT count(*) AS total ${found}`)
const parameters = [select, everywhere, option, number, everywhere, Number(bound)]

serve(
  createServer((request, response) => {
    request.resume().once('end', () => {
      const body = `[${page
        .all(...parameters)
        .map(({ document }) => document)
        .join(',')}]`
      const { total } = count.get(...parameters)!
      response.writeHead(200, { 'Content-Type': 'application/json', 'X-Total-Count': String(total) }).end(body)
    })
  }),
)
