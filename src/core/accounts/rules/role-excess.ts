// Finds the permissions that one role has and another lacks. Contract 3 §9.6.
import {
  ADMIN_ROLE_ID,
  ATTRIBUTE_ACCESS,
  attributeAccess,
  type AttributeAccess,
  canRead,
  hasPermission,
  type Role,
} from './permissions.ts'

/**
 * Returns the first right that `role` has and `holder` lacks, as a phrase for a message; undefined: none. Compares the
 * permissions, the access to attributes that either role names, and the access to all others, also future ones.
 */
export function findExcess(role: Role, holder: Role): string | undefined {
  if (holder.id === ADMIN_ROLE_ID) return undefined
  if (role.id === ADMIN_ROLE_ID) return 'everything that an admin may'
  const permission = role.permissions.find((each) => !hasPermission(holder, each))
  if (permission !== undefined) return `the permission '${permission}'`
  const byDefault = role.defaultAttributePermission
  if (isMore(byDefault, holder.defaultAttributePermission)) return `defaultAttributePermission '${byDefault}'`
  const named = [...namedAttributes(role), ...namedAttributes(holder)]
  const greater = named.find(([schemaId, alias]) =>
    isMore(attributeAccess(role, schemaId, alias), attributeAccess(holder, schemaId, alias)),
  )
  if (greater === undefined) return undefined
  const [schemaId, alias] = greater
  return `'${attributeAccess(role, schemaId, alias)}' on the attribute '${alias}' of the schema '${schemaId}'`
}

/** Returns whether `holder` may read each attribute that `role` may read, also future ones. */
export function readsAllOf(holder: Role, role: Role): boolean {
  if (holder.id === ADMIN_ROLE_ID) return true
  if (role.id !== ADMIN_ROLE_ID && role.defaultAttributePermission === 'none') return readsNamed(holder, role)
  return holder.defaultAttributePermission !== 'none' && readsNamed(holder, role)
}

function readsNamed(holder: Role, role: Role): boolean {
  const named = [...namedAttributes(role), ...namedAttributes(holder)]
  return named.every(([schemaId, alias]) => !canRead(role, schemaId, alias) || canRead(holder, schemaId, alias))
}

function isMore(one: AttributeAccess, other: AttributeAccess): boolean {
  return ATTRIBUTE_ACCESS.indexOf(one) > ATTRIBUTE_ACCESS.indexOf(other)
}

function namedAttributes({ attributePermissions }: Role): (readonly [schemaId: string, alias: string])[] {
  return Object.entries(attributePermissions).flatMap(([schemaId, ofSchema]) =>
    Object.keys(ofSchema).map((alias) => [schemaId, alias] as const),
  )
}
