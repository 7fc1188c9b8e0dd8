// Endpoints of API keys. Contract 2 §2.
import * as v from 'valibot'
import { Id, Name, NewId, Timestamp } from '../../../kernel/input/validation.ts'
import { route } from '../../../http/route.ts'

const ApiKeyFields = {
  id: v.string(),
  name: v.string(),
  roleId: v.string(),
  expiresAt: v.nullable(Timestamp),
  createdAt: Timestamp,
}

export const ApiKey = v.object({
  ...ApiKeyFields,
  lastUsedAt: v.pipe(v.nullable(Timestamp), v.description('Precise to the hour.')),
})
export const NewApiKey = v.object({
  ...ApiKeyFields,
  key: v.pipe(v.string(), v.description('The secret. It is shown only once.')),
})
export const ApiKeyInput = v.object({
  id: v.optional(NewId),
  name: Name,
  roleId: Id,
  expiresAt: v.optional(
    v.nullable(
      v.pipe(
        v.string('must be a string'),
        v.metadata({ format: 'date-time' }),
        v.description('ISO 8601; null: never.'),
      ),
    ),
  ),
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
