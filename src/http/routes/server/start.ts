// The address of the server itself: leads people to the pages, and tells programs where things are. Contract 3 §9.13.
import * as v from 'valibot'
import { prefersHtml } from '../../pipeline/accept.ts'
import { reply } from '../../answers/json.ts'
import { route } from '../../route.ts'

/** The first is where browsers are sent. */
const ADDRESSES = { docs: '/docs', openapi: '/api/v1/openapi.json', health: '/healthz' } as const
const START_PAGE = Object.values(ADDRESSES)[0]!

export const Hint = v.object({
  name: v.literal('pimlet'),
  version: v.string(),
  ...v.entriesFromList(Object.keys(ADDRESSES) as (keyof typeof ADDRESSES)[], v.string()),
})

export const startRoutes = [
  route({
    id: 'service.start',
    method: 'GET',
    path: '/',
    summary: 'Where things are; a browser is sent to the page that it shows best',
    access: 'public',
    responses: { 200: Hint, 302: null },
    handler: ({ services, request }) => {
      const headers = { Vary: 'Accept' }
      if (prefersHtml(request.accept))
        return reply(undefined, { status: 302, headers: { ...headers, Location: START_PAGE } })
      return reply(
        { name: 'pimlet', version: services.documentation.version(), ...ADDRESSES },
        { status: 200, headers },
      )
    },
  }),
]
