// The framework of pimlet with one route and one SQL statement, without the framework's request extensions.
import { createServer } from 'node:http'
import { App } from '@tinyhttp/app'
import { answer, openDocuments, serve } from './document-server.ts'

const read = openDocuments(process.argv[2]!)
const app = new App({
  settings: { xPoweredBy: false },
  applyExtensions: (_request, _response, next) => next(),
})
app.get('/api/v1/records/:id', (request, response) => answer(response, read(request.params['id']!)))

serve(createServer((request, response) => app.handler(request as never, response as never)))
