// A role's access to attributes as a matrix: what it says itself of each attribute, and what holds where it says nothing. Contract 2 §2.
import type { AttributeAccess } from '../../src/core/accounts/rules/permissions.ts'
import type { Endpoints } from '../api/types.ts'
import { own } from '../../src/kernel/own.ts'

export type StoredRole = Endpoints['GET /api/v1/roles/:id']['reply']
type AttributePermissions = StoredRole['attributePermissions']

interface AccessRow {
  readonly alias: string
  /** What the role says of it; undefined: the default holds. */
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

/** The permissions with another access to one attribute; undefined: the default holds again. */
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

/** How many attributes a role says something of. */
export function countOwn(permissions: AttributePermissions): number {
  return Object.values(permissions).reduce((sum, ofSchema) => sum + Object.keys(ofSchema).length, 0)
}
