// A minimal server on PostgreSQL: node:http, pg, and one statement that reads a record and the workspace's versions.
import { createServer } from 'node:http'
import { Connection } from '../../../src/postgres/connection.ts'
import { answer, serve } from './document-server.ts'

const READ = `SELECT record.version, workspace.model, workspace.credentials,
    '{"id":"' || id || '","schemaId":"' || schema_id || '","parentId":' || CASE WHEN parent_id IS NULL THEN 'null' ELSE '"' || parent_id || '"' END ||
    ',"lifecycleStateId":"' || state_id || '","createdAt":"' || created_at || '","updatedAt":"' || updated_at ||
    '","createdBy":"' || created_by || '","updatedBy":"' || updated_by || '","values":' || vals || '}' AS body
  FROM record, workspace WHERE id = $1`

const connections = await Promise.all([1, 2].map(() => Connection.open({ url: process.argv[2]!, isPipelined: true })))
let turn = 0

serve(
  createServer((request, response) => {
    const { url = '' } = request
    turn = 1 - turn
    void connections[turn]!.rows<{ body: string; version: number }>(READ, [url.slice(url.lastIndexOf('/') + 1)]).then(
      ([document]) => answer(response, document),
    )
  }),
)
