// Endpoints of API keys. Contract 2 §2.
import * as v from 'valibot'
import { route } from '../../../http/route.ts'
import { ApiKey, ApiKeyInput } from '../rules/account.ts'

export const NewApiKey = v.object({
  ...v.omit(ApiKey, ['lastUsedAt']).entries,
  key: v.pipe(v.string(), v.description('The secret. It is shown only once.')),
})

export const apiKeysRoutes = [
  route({
    id: 'apiKeys.list',
    endpoint: 'GET /api/v1/api-keys',
    summary: 'List all API keys, without their secrets',
    access: 'users.manage',
    responses: { 200: v.array(ApiKey) },
    handler: ({ caller, services }) => services.apiKeys.list(caller),
  }),
  route({
    id: 'apiKeys.create',
    endpoint: 'POST /api/v1/api-keys',
    summary: 'Create an API key; this response alone shows its secret',
    description: 'You cannot use a role that has permissions that yours lacks.',
    access: 'users.manage',
    body: ApiKeyInput,
    responses: { 201: NewApiKey },
    errors: ['CONFLICT'],
    handler: ({ caller, body, services }) => services.apiKeys.create(caller, body),
  }),
  route({
    id: 'apiKeys.delete',
    endpoint: 'DELETE /api/v1/api-keys/:id',
    summary: 'Revoke an API key immediately',
    access: 'users.manage',
    responses: { 204: null },
    handler: ({ caller, params, services }) => services.apiKeys.delete(caller, params.id),
  }),
]
