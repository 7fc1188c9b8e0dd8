// The address of the server itself: leads people to the pages, and tells programs where things are. Contract 3 §9.13.
import * as v from 'valibot'
import type { Services } from '../app/services.ts'
import { prefersHtml } from '../http/pipeline/accept.ts'
import { reply } from '../http/answers/json.ts'
import { route } from '../http/route.ts'

const ADDRESSES = { docs: '/docs', openapi: '/api/v1/openapi.json', health: '/healthz' } as const
const CONSOLE = '/console/'

export const Hint = v.object({
  name: v.literal('pimlet'),
  version: v.string(),
  console: v.optional(v.string()),
  ...v.entriesFromList(Object.keys(ADDRESSES) as (keyof typeof ADDRESSES)[], v.string()),
})

export const startRoutes = [
  route({
    id: 'service.start',
    method: 'GET',
    path: '/',
    summary: 'The addresses of the server; a browser is redirected to the console',
    access: 'public',
    responses: { 200: Hint, 302: null },
    handler: ({ services, request }) => {
      const headers = { Vary: 'Accept' }
      if (prefersHtml(request.accept))
        return reply(undefined, {
          status: 302,
          headers: { ...headers, Location: request.prefix + startPage(services) },
        })
      return reply(hintOf(services, request.prefix), { status: 200, headers })
    },
  }),
]

/** Where browsers are sent. */
function startPage({ consoleFiles }: Services): string {
  return consoleFiles.isServed ? CONSOLE : ADDRESSES.docs
}

function hintOf({ consoleFiles, documentation }: Services, prefix: string): v.InferOutput<typeof Hint> {
  const pages = consoleFiles.isServed ? { console: prefix + CONSOLE } : {}
  const { docs, openapi, health } = ADDRESSES
  const addresses = { docs: prefix + docs, openapi: prefix + openapi, health: prefix + health }
  return { name: 'pimlet', version: documentation.version(), ...pages, ...addresses }
}
