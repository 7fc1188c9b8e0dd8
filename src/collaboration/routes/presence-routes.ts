// The endpoint of presence, and its shapes. Contract 5 §8.
import { route } from '../../http/route.ts'
import { PresenceInput, PresenceShape } from '../rules/present-person.ts'

export const presenceRoutes = [
  route({
    id: 'presence.put',
    endpoint: 'PUT /api/v1/presence',
    summary: 'Say at which record you are, and learn who else is at records in view',
    description:
      'For people, every 20 seconds while a page is visible; a person is forgotten after 45 seconds. Without `recordId` you are nowhere, and still learn of others. Nothing is stored on disk, and at most 60 requests of one person in a minute are answered.',
    access: 'records.read',
    body: PresenceInput,
    responses: { 200: PresenceShape },
    errors: ['RATE_LIMITED'],
    handler: ({ caller, body, services }) => services.presence.put(caller, body),
  }),
]
