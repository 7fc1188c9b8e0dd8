// A minimal server: node:http and one SQL statement.
import { createServer } from 'node:http'
import { answer, openDocuments, serve } from './document-server.ts'

const read = openDocuments(process.argv[2]!)

serve(
  createServer((request, response) => {
    const { url = '' } = request
    answer(response, read(url.slice(url.lastIndexOf('/') + 1)))
  }),
)
