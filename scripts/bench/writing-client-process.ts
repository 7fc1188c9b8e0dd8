// Writes to a server over HTTP on the parent's orders, and answers with the result.
import { openCatalogue, SCHEMA_ID } from './catalogue.ts'
import { httpRequest, type LoadResult, runLoad } from './load.ts'
import { API_KEY } from './processes.ts'

export type WritingOrder =
  | { readonly kind: 'prepareCreations' | 'prepareImport'; readonly from: number; readonly count: number }
  | { readonly kind: 'create'; readonly port: number; readonly connections: number; readonly milliseconds: number }
  | { readonly kind: 'import'; readonly port: number }

export interface ImportCounts {
  readonly created: number
  readonly failed: number
}

const catalogue = openCatalogue()
let requests: string[] = []
let file: Buffer = Buffer.alloc(0)

async function follow(order: WritingOrder): Promise<LoadResult | ImportCounts | null> {
  switch (order.kind) {
    case 'prepareCreations':
      requests = bodies(order.from, order.count).map((body) => httpRequest('POST', '/api/v1/records', API_KEY, body))
      return null
    case 'prepareImport':
      file = Buffer.from(bodies(order.from, order.count).join('\n'))
      return null
    case 'create': {
      let at = 0
      return runLoad({ ...order, nextRequest: () => requests[at++], expectedStatus: 201 })
    }
    default:
      return importFile(order.port)
  }
}

function bodies(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify({ schemaId: SCHEMA_ID, values: catalogue.valuesOf(from + index) }),
  )
}

async function importFile(port: number): Promise<ImportCounts> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/records/import?mode=create`, {
    method: 'POST',
    headers: { 'x-service-apikey': API_KEY, 'content-type': 'application/x-ndjson' },
    body: file,
  })
  return (await response.json()) as ImportCounts
}

// A fault ends the process, and the parent says so.
process.on('message', (order: WritingOrder) => void follow(order).then((result) => process.send!(result)))
process.on('disconnect', () => process.exit(0))
