// Contract 3 §9.6.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  ADMIN_ROLE_ID,
  ATTRIBUTE_ACCESS,
  attributeAccess,
  BUILT_IN_ROLES,
  PERMISSIONS,
  type Role,
} from '../../../../src/core/accounts/rules/permissions.ts'
import { findExcess } from '../../../../src/core/accounts/rules/role-excess.ts'
import { role } from '../../../helpers/domain-model.ts'

const [admin, editor, viewer] = BUILT_IN_ROLES as readonly [Role, Role, Role]

const NAMES = ['a', 'constructor', 'toString']
const names = fc.constantFrom(...NAMES)
const access = fc.constantFrom(...ATTRIBUTE_ACCESS)
const anyRole: fc.Arbitrary<Role> = fc
  .record({
    id: fc.constantFrom('role-x', 'role-y', 'role-z', ADMIN_ROLE_ID),
    permissions: fc.subarray([...PERMISSIONS].slice(0, 4)),
    defaultAttributePermission: access,
    attributePermissions: fc.dictionary(names, fc.dictionary(names, access, { maxKeys: 2 }), { maxKeys: 2 }),
  })
  .map((parts) => role(parts))

/** Whatever can be asked of the two roles, asked; `other` stands for every name that neither of them says. */
function hasAllOf(holder: Role, given: Role): boolean {
  if (holder.id === ADMIN_ROLE_ID) return true
  if (given.id === ADMIN_ROLE_ID) return false
  const level = (of: Role, schemaId: string, alias: string): number =>
    ATTRIBUTE_ACCESS.indexOf(attributeAccess(of, schemaId, alias))
  const all = [...NAMES, 'other']
  return (
    given.permissions.every((permission) => holder.permissions.includes(permission)) &&
    all.every((schemaId) => all.every((alias) => level(given, schemaId, alias) <= level(holder, schemaId, alias)))
  )
}

test('a role has more exactly where there is something that it may and the other may not', () => {
  fc.assert(
    fc.property(anyRole, anyRole, (given, holder) => {
      assert.equal(findExcess(given, holder) === undefined, hasAllOf(holder, given))
    }),
    { numRuns: 2000 },
  )
})

test('nobody has more than themselves, and what passes twice passes at once', () => {
  fc.assert(
    fc.property(anyRole, anyRole, anyRole, (one, two, three) => {
      assert.equal(findExcess(one, one), undefined)
      if (findExcess(one, two) === undefined && findExcess(two, three) === undefined)
        assert.equal(findExcess(one, three), undefined)
    }),
    { numRuns: 2000 },
  )
})

test('the phrase names the first that is more', () => {
  assert.equal(findExcess(editor, viewer), "the permission 'records.create'")
  assert.equal(findExcess(admin, { ...admin, id: 'role-copy' }), 'everything that an admin may')
  assert.equal(findExcess(admin, admin), undefined)
  const manager = role({
    permissions: ['users.manage'],
    defaultAttributePermission: 'read',
    attributePermissions: { sch: { cost: 'none', name: 'write' } },
  })
  const like = (parts: Partial<Role>): Role => ({ ...manager, id: 'role-given', ...parts })
  const phrases = [
    [like({}), undefined],
    [like({ attributePermissions: { sch: { cost: 'none' } } }), undefined],
    [like({ defaultAttributePermission: 'none', attributePermissions: {} }), undefined],
    [like({ defaultAttributePermission: 'write' }), "defaultAttributePermission 'write'"],
    [like({ attributePermissions: {} }), "'read' on the attribute 'cost' of the schema 'sch'"],
    [
      like({ attributePermissions: { sch: { cost: 'none' }, other: { name: 'write' } } }),
      "'write' on the attribute 'name' of the schema 'other'",
    ],
  ] as const
  for (const [given, phrase] of phrases) assert.equal(findExcess(given, manager), phrase)
})
