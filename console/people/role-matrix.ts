// A role's access to attributes as a matrix: the explicit permission for each attribute, and the default.
// Contract 2 §2.
import type { AttributeAccess } from '../../src/core/accounts/rules/permissions.ts'
import type { Endpoints } from '../api/types.ts'
import { own } from '../../src/kernel/own.ts'

export type StoredRole = Endpoints['GET /api/v1/roles/:id']['reply']
type AttributePermissions = StoredRole['attributePermissions']

interface AccessRow {
  readonly alias: string
  /** The explicit permission of the role; undefined: the default applies. */
  readonly own: AttributeAccess | undefined
  readonly inForce: AttributeAccess
}

interface NamedAttributes {
  readonly id: string
  readonly attributes: readonly { readonly alias: string }[]
}

export function accessRows(
  role: Pick<StoredRole, 'attributePermissions' | 'defaultAttributePermission'>,
  { id, attributes }: NamedAttributes,
): AccessRow[] {
  const ofSchema = own(role.attributePermissions, id) ?? {}
  return attributes.map(({ alias }) => {
    const given = own(ofSchema, alias)
    return { alias, own: given, inForce: given ?? role.defaultAttributePermission }
  })
}

/** Sets the access to one attribute; undefined: the default applies again. */
export function withAccess(
  permissions: AttributePermissions,
  schemaId: string,
  alias: string,
  access: AttributeAccess | undefined,
): AttributePermissions {
  const { [alias]: _before, ...others } = own(permissions, schemaId) ?? {}
  const ofSchema = access === undefined ? others : { ...others, [alias]: access }
  const { [schemaId]: _schema, ...otherSchemas } = permissions
  return Object.keys(ofSchema).length === 0 ? otherSchemas : { ...otherSchemas, [schemaId]: ofSchema }
}

/** The number of attributes with an explicit permission. */
export function countOwn(permissions: AttributePermissions): number {
  return Object.values(permissions).reduce((sum, ofSchema) => sum + Object.keys(ofSchema).length, 0)
}
