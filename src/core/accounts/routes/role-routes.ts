// Endpoints of roles. Contract 2 §2.
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
        'The schemas and attributes in the role must exist. You cannot create a role with permissions that yours lacks.',
    },
    get: { summary: 'Read a role' },
    replace: {
      summary: 'Replace a role; the new permissions apply from the next request on',
      description:
        'Neither the old nor the new role may exceed yours. References to deleted schemas and attributes may stay.',
      errors: ['CONFLICT'],
    },
    delete: { summary: 'Delete a role that is not built in and not in use', errors: ['CONFLICT'] },
    service: ({ roles }) => roles,
  }),
]
