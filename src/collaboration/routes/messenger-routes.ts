// Endpoints of the messenger, which takes daily summaries to people. Contract 5 §7.
import { route } from '../../http/route.ts'
import { MessengerInput } from '../rules/messenger-setup.ts'
import { MessengerCheckShape, MessengerShape } from './collaboration-shapes.ts'

export const messengerRoutes = [
  route({
    id: 'messenger.get',
    endpoint: 'GET /api/v1/messenger',
    summary: 'Read how messages go to people, and how the last one went',
    access: 'users.manage',
    responses: { 200: MessengerShape },
    handler: ({ services }) => services.messenger.get(),
  }),
  route({
    id: 'messenger.set',
    endpoint: 'PUT /api/v1/messenger',
    summary: 'Set up how messages go to people: by mail, by webhook, or by a plugin',
    description: 'A stored secret is kept where its placeholder `********` is sent.',
    access: 'users.manage',
    body: MessengerInput,
    responses: { 200: MessengerShape },
    errors: ['CONFLICT'],
    handler: ({ body, services }) => services.messenger.set(body),
  }),
  route({
    id: 'messenger.delete',
    endpoint: 'DELETE /api/v1/messenger',
    summary: 'Remove the messenger: nobody gets daily summaries',
    access: 'users.manage',
    responses: { 204: null },
    handler: async ({ services }) => services.messenger.delete(),
  }),
  route({
    id: 'messenger.check',
    endpoint: 'POST /api/v1/messenger/check',
    summary: 'Send a trial message to your own address',
    access: 'users.manage',
    responses: { 200: MessengerCheckShape },
    errors: ['CONFLICT'],
    handler: ({ caller, services, request: { signal } }) => services.messenger.check(caller, signal),
  }),
]
