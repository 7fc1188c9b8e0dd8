// Contract 2 §2.
import * as v from 'valibot'
import { ATTRIBUTE_ACCESS, PERMISSIONS, RoleInput } from '../rules/permissions.ts'
import { documentRoutes } from '../../../http/document-routes.ts'

const Access = v.picklist(ATTRIBUTE_ACCESS)
export const Role = v.object({
  id: v.string(),
  name: v.string(),
  permissions: v.array(v.picklist(PERMISSIONS)),
  defaultAttributePermission: Access,
  attributePermissions: v.record(v.string(), v.record(v.string(), Access)),
})

export const rolesRoutes = [
  ...documentRoutes({
    id: 'roles',
    path: '/api/v1/roles',
    shape: Role,
    input: RoleInput,
    read: 'users.manage',
    write: 'users.manage',
    list: { summary: 'List all roles' },
    create: {
      summary: 'Create a role',
      description:
        'Schemas and attributes that it names must exist. A role that may more than the one of the caller is refused.',
    },
    get: { summary: 'Get one role' },
    replace: {
      summary: 'Replace a role; it holds from the next request on',
      description:
        'Neither to one that may more than the role of the caller, nor one that may more already. What it says of schemas and attributes that are gone may stay as it is.',
      errors: ['CONFLICT'],
    },
    delete: { summary: 'Delete a role that is not built in and not in use', errors: ['CONFLICT'] },
    service: ({ roles }) => roles,
  }),
]
