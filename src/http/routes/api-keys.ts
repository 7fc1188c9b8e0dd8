// Decisions §2.
import * as v from 'valibot'
import { Id, Name } from '../../domain/validation.ts'
import { route } from '../route.ts'
import { Timestamp } from '../schemas.ts'

const common = {
  id: v.string(),
  name: v.string(),
  roleId: v.string(),
  expiresAt: v.nullable(Timestamp),
  createdAt: Timestamp,
}

export const apiKeysRoutes = [
  route({
    id: 'apiKeys.list',
    method: 'GET',
    path: '/api/v1/api-keys',
    summary: 'List all API keys, without their secrets',
    access: 'users.manage',
    responses: { 200: v.array(v.object({ ...common, lastUsedAt: v.nullable(Timestamp) })) },
    handler: ({ caller, services }) => services.apiKeys.list(caller),
  }),
  route({
    id: 'apiKeys.create',
    method: 'POST',
    path: '/api/v1/api-keys',
    summary: 'Create an API key; the answer shows its secret this once',
    access: 'users.manage',
    body: v.object({
      id: v.optional(Id),
      name: Name,
      roleId: Id,
      expiresAt: v.optional(v.nullable(v.string('must be a string'))),
    }),
    responses: { 201: v.object({ ...common, key: v.string() }) },
    errors: ['CONFLICT'],
    handler: ({ caller, body, services }) => services.apiKeys.create(caller, body),
  }),
  route({
    id: 'apiKeys.delete',
    method: 'DELETE',
    path: '/api/v1/api-keys/:id',
    summary: 'Revoke an API key at once',
    access: 'users.manage',
    responses: { 204: null },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services }) => services.apiKeys.delete(caller, params.id),
  }),
]
