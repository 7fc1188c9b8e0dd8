// Roles: permissions of callers, and access to attributes. Contract 1 §5, 2 §2.
import * as v from 'valibot'
import { denied, invalid, shorten } from '../../../kernel/errors.ts'
import { type Change, isCategoriesChange } from '../../records/rules/changes.ts'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import type { Values } from '../../records/rules/record.ts'
import { firstDuplicate, listOf, Name, NewId, type OutputOf } from '../../../kernel/input/validation.ts'
import { own } from '../../../kernel/own.ts'

export const PERMISSIONS = [
  'records.read',
  'records.create',
  'records.update',
  'records.delete',
  'records.share',
  'files.write',
  'comments.write',
  'comments.moderate',
  'assignments.write',
  'audit.read',
  'audit.erase',
  'model.read',
  'model.write',
  'categories.write',
  'savedQueries.write',
  'exportJobs.read',
  'exportJobs.write',
  'exportRuns.write',
  'subscriptions.write',
  'users.manage',
  'metrics.read',
] as const
export type Permission = (typeof PERMISSIONS)[number]

export const ATTRIBUTE_ACCESS = ['none', 'read', 'write'] as const
export type AttributeAccess = (typeof ATTRIBUTE_ACCESS)[number]

const Access = v.picklist(ATTRIBUTE_ACCESS, "must be 'none', 'read' or 'write'")
/** Not `v.record`: it drops keys like `constructor`, and an attribute with that alias would lose its protection. */
export const AttributePermissions = v.pipe(
  v.custom<Record<string, Record<string, AttributeAccess>>>(
    (input) => isMapOf(input, (ofSchema) => isMapOf(ofSchema, (access) => v.is(Access, access))),
    "must be an object of schema ID to an object of attribute alias to 'none', 'read' or 'write'",
  ),
  v.metadata({
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: { type: 'string', enum: ATTRIBUTE_ACCESS } },
  }),
  v.description('Schema ID → attribute alias → access of the role to the attribute.'),
)

export const RoleInput = exactObject({
  id: v.optional(NewId),
  name: Name,
  permissions: listOf(v.picklist(PERMISSIONS, `must be one of ${PERMISSIONS.join(', ')}`), PERMISSIONS.length),
  defaultAttributePermission: v.optional(Access, 'read'),
  attributePermissions: v.optional(AttributePermissions, {}),
})

export type Role = OutputOf<typeof RoleInput> & { readonly id: string }

export const ADMIN_ROLE_ID = 'role-admin'

/** Roles that the first start makes: they cannot be deleted, and the admin's role cannot be changed. */
export const BUILT_IN_ROLES: readonly Role[] = [
  role(ADMIN_ROLE_ID, 'Admin', PERMISSIONS, 'write'),
  role(
    'role-editor',
    'Editor',
    [
      'records.read',
      'records.create',
      'records.update',
      'records.delete',
      'comments.write',
      'assignments.write',
      'audit.read',
      'model.read',
      'categories.write',
      'savedQueries.write',
      'exportJobs.read',
    ],
    'write',
  ),
  role('role-viewer', 'Viewer', ['records.read', 'comments.write', 'audit.read', 'model.read'], 'read'),
]

function role(id: string, name: string, permissions: readonly Permission[], access: AttributeAccess): Role {
  return { id, name, permissions, defaultAttributePermission: access, attributePermissions: {} }
}

export function isBuiltInRole(roleId: string): boolean {
  return BUILT_IN_ROLES.some((builtIn) => builtIn.id === roleId)
}

/** The role that `input` describes. @throws VALIDATION_ERROR for a permission named twice. */
export function defineRole(id: string, input: v.InferOutput<typeof RoleInput>): Role {
  const twice = firstDuplicate(input.permissions)
  if (twice !== undefined) throw invalid(`permissions lists '${twice}' twice`)
  return { ...input, id }
}

/**
 * Checks that the schemas and attributes that the role names exist. Earlier names of the role may stay, even if
 * deleted, so that a client can send a role back unchanged.
 * @throws VALIDATION_ERROR naming the schema or attribute
 */
export function assertAttributesExist(
  { attributePermissions }: Pick<Role, 'attributePermissions'>,
  { schemas }: { readonly schemas: ReadonlyMap<string, { attribute(alias: string): object | undefined }> },
  before: Role | undefined,
): void {
  for (const [schemaId, ofSchema] of Object.entries(attributePermissions)) {
    const schema = schemas.get(schemaId)
    const known = own(before?.attributePermissions, schemaId)
    if (schema === undefined && known === undefined)
      throw invalid(`attributePermissions names the unknown schema '${shorten(schemaId, 128)}'`)
    for (const [alias, access] of Object.entries(ofSchema)) {
      if (schema?.attribute(alias) !== undefined || own(known, alias) === access) continue
      const ofWhich = `of the schema '${shorten(schemaId, 128)}'`
      throw invalid(`attributePermissions names the unknown attribute '${shorten(alias, 64)}' ${ofWhich}`)
    }
  }
}

/** The admin's role has every permission, including permissions that are newer than the workspace. */
export function hasPermission(role: Pick<Role, 'id' | 'permissions'>, permission: Permission): boolean {
  if (role.id === ADMIN_ROLE_ID || role.permissions.includes(permission)) return true
  // A role that writes records may send their files.
  return permission === 'files.write' && WRITES_RECORDS.some((other) => role.permissions.includes(other))
}

const WRITES_RECORDS: readonly Permission[] = ['records.create', 'records.update']

/** @throws PERMISSION_DENIED naming the permission */
export function assertPermission(role: Role, permission: Permission): void {
  if (!hasPermission(role, permission)) throw denied(`Your role lacks the permission '${permission}'`)
}

export function attributeAccess(role: Role, schemaId: string, alias: string): AttributeAccess {
  if (role.id === ADMIN_ROLE_ID) return 'write'
  const ofSchema = own(role.attributePermissions, schemaId)
  return own(ofSchema, alias) ?? role.defaultAttributePermission
}

export function canRead(role: Role, schemaId: string, alias: string): boolean {
  return attributeAccess(role, schemaId, alias) !== 'none'
}

/** @throws PERMISSION_DENIED naming the attribute */
export function assertCanRead(role: Role, schemaId: string, alias: string): void {
  if (!canRead(role, schemaId, alias)) throw denied(`Your role may not read the attribute '${alias}'`)
}

/** Whether no attribute of the schema, present or future, is hidden from the role. */
export function canReadAll(role: Role, schemaId: string): boolean {
  if (role.id === ADMIN_ROLE_ID) return true
  if (role.defaultAttributePermission === 'none') return false
  const ofSchema = own(role.attributePermissions, schemaId)
  return ofSchema === undefined || !Object.values(ofSchema).includes('none')
}

/** Whether an attribute of any schema is hidden from the role. */
export function hidesAny(role: Role): boolean {
  if (role.id === ADMIN_ROLE_ID) return false
  const { defaultAttributePermission, attributePermissions } = role
  return (
    defaultAttributePermission === 'none' ||
    Object.values(attributePermissions).some((ofSchema) => Object.values(ofSchema).includes('none'))
  )
}

/** Returns `values` without the attributes that are hidden from the role. */
export function readableValues(role: Role, schemaId: string, values: Values): Values {
  if (canReadAll(role, schemaId)) return values
  return Object.fromEntries(Object.entries(values).filter(([alias]) => canRead(role, schemaId, alias)))
}

/** Returns `changes` without the changes of hidden attributes. No role hides categories. */
export function readableChanges(role: Role, schemaId: string, changes: readonly Change[]): readonly Change[] {
  if (canReadAll(role, schemaId)) return changes
  return changes.filter((change) => isCategoriesChange(change) || canRead(role, schemaId, change.attributeAlias))
}

/** @throws PERMISSION_DENIED naming the first of `aliases` that the role may not write */
export function assertCanWrite(role: Role, schemaId: string, aliases: readonly string[]): void {
  for (const alias of aliases) {
    if (attributeAccess(role, schemaId, alias) !== 'write')
      throw denied(`Your role may not write the attribute '${alias}'`)
  }
}

function isMapOf(input: unknown, isItem: (item: unknown) => boolean): boolean {
  return typeof input === 'object' && input !== null && !Array.isArray(input) && Object.values(input).every(isItem)
}
