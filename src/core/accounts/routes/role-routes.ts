// Contract 2 §2.
import * as v from 'valibot'
import { ATTRIBUTE_ACCESS, PERMISSIONS, RoleInput } from '../rules/permissions.ts'
import { route } from '../../../http/route.ts'

const Access = v.picklist(ATTRIBUTE_ACCESS)
export const Role = v.object({
  id: v.string(),
  name: v.string(),
  permissions: v.array(v.picklist(PERMISSIONS)),
  defaultAttributePermission: Access,
  attributePermissions: v.record(v.string(), v.record(v.string(), Access)),
})

export const rolesRoutes = [
  route({
    id: 'roles.list',
    method: 'GET',
    path: '/api/v1/roles',
    summary: 'List all roles',
    access: 'users.manage',
    responses: { 200: v.array(Role) },
    handler: ({ caller, services }) => services.roles.list(caller),
  }),
  route({
    id: 'roles.create',
    method: 'POST',
    path: '/api/v1/roles',
    summary: 'Create a role',
    description:
      'Schemas and attributes that it names must exist. A role that may more than the one of the caller is refused.',
    access: 'users.manage',
    body: RoleInput,
    responses: { 201: Role },
    errors: ['CONFLICT'],
    handler: ({ caller, body, services }) => services.roles.create(caller, body),
  }),
  route({
    id: 'roles.get',
    method: 'GET',
    path: '/api/v1/roles/:id',
    summary: 'Get one role',
    access: 'users.manage',
    responses: { 200: Role },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services }) => services.roles.get(caller, params.id),
  }),
  route({
    id: 'roles.replace',
    method: 'PUT',
    path: '/api/v1/roles/:id',
    summary: 'Replace a role; it holds from the next request on',
    description:
      'Neither to one that may more than the role of the caller, nor one that may more already. What it says of schemas and attributes that are gone may stay as it is.',
    access: 'users.manage',
    body: RoleInput,
    responses: { 200: Role },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: ({ caller, params, body, services }) => services.roles.replace(caller, params.id, body),
  }),
  route({
    id: 'roles.delete',
    method: 'DELETE',
    path: '/api/v1/roles/:id',
    summary: 'Delete a role that is not built in and not in use',
    access: 'users.manage',
    responses: { 204: null },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: ({ caller, params, services }) => services.roles.delete(caller, params.id),
  }),
]
