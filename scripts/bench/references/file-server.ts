// Serves one file over node:http, streamed for each request: as the server does with a rendition.
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { serve } from './document-server.ts'

const [file = ''] = process.argv.slice(2)

serve(
  createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/webp', 'Content-Length': statSync(file).size })
    createReadStream(file).pipe(response)
  }),
)
