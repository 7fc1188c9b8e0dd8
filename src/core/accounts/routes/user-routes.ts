// Endpoints of users. Contract 2 §2.
import * as v from 'valibot'
import { UserInput, UserShape, UserUpdate } from '../rules/account.ts'
import { route } from '../../../http/route.ts'

export const usersRoutes = [
  route({
    id: 'users.list',
    endpoint: 'GET /api/v1/users',
    summary: 'List all users',
    access: 'users.manage',
    responses: { 200: v.array(UserShape) },
    handler: ({ caller, services }) => services.users.list(caller),
  }),
  route({
    id: 'users.create',
    endpoint: 'POST /api/v1/users',
    summary: 'Create a user',
    description: 'You cannot use a role that has permissions that yours lacks.',
    access: 'users.manage',
    body: UserInput,
    responses: { 201: UserShape },
    errors: ['CONFLICT'],
    handler: ({ caller, body, services }) => services.users.create(caller, body),
  }),
  route({
    id: 'users.get',
    endpoint: 'GET /api/v1/users/:id',
    summary: 'Read a user',
    access: 'users.manage',
    responses: { 200: UserShape },
    handler: ({ caller, params, services }) => services.users.get(caller, params.id),
  }),
  route({
    id: 'users.update',
    endpoint: 'PATCH /api/v1/users/:id',
    summary: 'Change a user; a new password, or disabling the user, revokes the tokens of the user',
    description: 'You cannot change a user who has more permissions than you, nor give a user more.',
    access: 'users.manage',
    body: UserUpdate,
    responses: { 200: UserShape },
    errors: ['CONFLICT'],
    handler: ({ caller, params, body, services }) => services.users.update(caller, params.id, body),
  }),
  route({
    id: 'users.delete',
    endpoint: 'DELETE /api/v1/users/:id',
    summary: 'Delete a user; the last enabled administrator cannot be deleted',
    description: 'You cannot delete a user who has more permissions than you.',
    access: 'users.manage',
    responses: { 204: null },
    errors: ['CONFLICT'],
    handler: ({ caller, params, services }) => services.users.delete(caller, params.id),
  }),
]
