// Shared by both reference servers: a table of whole responses, and the headers that pimlet sends.
import type { AddressInfo } from 'node:net'
import type { Server, ServerResponse } from 'node:http'
import { openReader } from '../../../src/store/sqlite/connection.ts'

export interface Document {
  readonly body: string
  readonly version: number
}

/** Reads documents by ID from the table that `makeDocuments` made. */
export function openDocuments(file: string): (id: string) => Document | undefined {
  const statement = openReader(file).prepare<unknown[], Document>('SELECT body, version FROM document WHERE id = ?')
  return (id) => statement.get(id)
}

let count = 0

export function answer(response: ServerResponse, document: Document | undefined): void {
  if (document === undefined) {
    response.writeHead(404).end()
    return
  }
  count += 1
  response.writeHead(200, [
    'X-Request-Id',
    `req-reference-${count.toString(36)}`,
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    'Content-Type',
    'application/json',
    'Content-Length',
    String(Buffer.byteLength(document.body)),
    'ETag',
    `"${document.version}"`,
  ])
  response.end(document.body)
}

export function serve(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`reference listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
  })
  process.once('SIGTERM', () => process.exit(0))
}
