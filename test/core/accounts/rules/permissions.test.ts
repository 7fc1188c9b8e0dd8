import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Change } from '../../../../src/core/records/rules/changes.ts'
import {
  ADMIN_ROLE_ID,
  assertAttributesExist,
  assertCanWrite,
  assertPermission,
  attributeAccess,
  BUILT_IN_ROLES,
  canRead,
  canReadAll,
  defineRole,
  hasPermission,
  isBuiltInRole,
  PERMISSIONS,
  readableChanges,
  readableValues,
  type Role,
  RoleInput,
} from '../../../../src/core/accounts/rules/permissions.ts'
import { parse } from '../../../../src/kernel/input/parse.ts'
import { attribute, modelOf, role } from '../../../helpers/domain-model.ts'

const [admin, editor, viewer] = BUILT_IN_ROLES as readonly [Role, Role, Role]
const picky = role({
  defaultAttributePermission: 'read',
  attributePermissions: {
    sch: { cost: 'none', name: 'write', constructor: 'none' },
    constructor: { toString: 'write' },
  } as const,
})

test('the built-in roles may do what the decisions give them', () => {
  assert.deepEqual(admin.permissions, PERMISSIONS)
  assert.equal(admin.id, ADMIN_ROLE_ID)
  assert.equal(editor.defaultAttributePermission, 'write')
  for (const permission of ['records.delete', 'categories.write', 'exportJobs.read'] as const)
    assert.equal(hasPermission(editor, permission), true)
  for (const permission of ['model.write', 'users.manage', 'exportJobs.write', 'exportRuns.write'] as const)
    assert.equal(hasPermission(editor, permission), false)
  assert.deepEqual(viewer.permissions, ['records.read', 'comments.write', 'audit.read', 'model.read'])
  assert.equal(viewer.defaultAttributePermission, 'read')
  assert.deepEqual(['role-admin', 'role-editor', 'role-viewer', 'role-x'].map(isBuiltInRole), [true, true, true, false])
})

test('a lacking permission is refused by name', () => {
  assertPermission(viewer, 'records.read')
  assert.throws(() => assertPermission(viewer, 'records.create'), {
    code: 'PERMISSION_DENIED',
    message: /records\.create/,
  })
})

test('an attribute has the access that the role gives it, else the default', () => {
  assert.equal(attributeAccess(picky, 'sch', 'name'), 'write')
  assert.equal(attributeAccess(picky, 'sch', 'cost'), 'none')
  assert.equal(attributeAccess(picky, 'sch', 'other'), 'read')
  assert.equal(attributeAccess(picky, 'other', 'cost'), 'read')
})

test('schemas and attributes called like members of Object get the access that is meant for them', () => {
  assert.equal(attributeAccess(picky, 'sch', 'constructor'), 'none')
  assert.equal(attributeAccess(picky, 'sch', 'toString'), 'read')
  assert.equal(attributeAccess(picky, 'toString', 'toString'), 'read')
  assert.equal(attributeAccess(picky, 'constructor', 'toString'), 'write')
  const sent = { name: 'R', permissions: [], attributePermissions: { constructor: { constructor: 'none' } } }
  const defined = defineRole('role-x', parse(RoleInput, sent))
  assert.equal(attributeAccess(defined, 'constructor', 'constructor'), 'none')
})

test('the admin may always write, whatever its role is said to hide', () => {
  const limited = role({ id: ADMIN_ROLE_ID, attributePermissions: { sch: { name: 'none' } } })
  assert.equal(attributeAccess(limited, 'sch', 'name'), 'write')
  assert.equal(canReadAll(limited, 'sch'), true)
})

test('all is readable only where nothing, present or future, is hidden', () => {
  assert.equal(canReadAll(viewer, 'sch'), true)
  assert.equal(canReadAll(picky, 'sch'), false)
  assert.equal(canReadAll(picky, 'other'), true)
  assert.equal(canReadAll(role({ attributePermissions: { sch: { name: 'read' } } }), 'sch'), false)
})

test('hidden attributes are absent from values and changes', () => {
  const value = [{ scope: {}, value: 1 }]
  const values = { name: value, cost: value, constructor: value, toString: value }
  assert.deepEqual(Object.keys(readableValues(picky, 'sch', values)), ['name', 'toString'])
  assert.equal(readableValues(viewer, 'sch', values), values)
  const changes = ['name', 'cost', 'constructor'].map((attributeAlias) => ({
    attributeAlias,
    scope: {},
    oldValue: null,
    newValue: 1,
  }))
  const categories: Change = { field: 'categories', oldValue: [], newValue: [{ categoryId: 'ctg', sortOrder: 0 }] }
  assert.deepEqual(readableChanges(picky, 'sch', [...changes, categories]), [changes[0], categories])
  assert.equal(canRead(picky, 'sch', 'cost'), false)
})

test('writing needs write on every attribute, and names the first that lacks it', () => {
  assertCanWrite(picky, 'sch', ['name'])
  assertCanWrite(picky, 'sch', [])
  assert.throws(() => assertCanWrite(picky, 'sch', ['name', 'other', 'cost']), {
    code: 'PERMISSION_DENIED',
    message: /'other'/,
  })
})

test('a role is defined with known permissions, each once', () => {
  const input = { name: 'R', permissions: ['records.read', 'records.read'] }
  assert.throws(() => defineRole('role-x', parse(RoleInput, input)), {
    code: 'VALIDATION_ERROR',
    message: "permissions lists 'records.read' twice",
  })
  assert.throws(() => parse(RoleInput, { name: 'R', permissions: ['all'] }), {
    message: /^permissions\[0\] must be one of/,
  })
  assert.throws(() => parse(RoleInput, { name: 'R', permissions: [], attributePermissions: { sch: { a: 'all' } } }), {
    message: /^attributePermissions must be .* 'none', 'read' or 'write'$/,
  })
  assert.deepEqual(defineRole('role-x', parse(RoleInput, { id: 'other', name: 'R', permissions: [] })), {
    id: 'role-x',
    name: 'R',
    permissions: [],
    defaultAttributePermission: 'read',
    attributePermissions: {},
  })
})

test('a role may say something of schemas and attributes that exist; what it said before stays, also of what is gone', () => {
  const { model } = modelOf([attribute('name'), attribute('constructor')])
  type Named = Role['attributePermissions']
  // Not typed as what they are: TypeScript takes `toString` for the member of every object.
  const check = (attributePermissions: object, before?: object): void =>
    assertAttributesExist(
      { attributePermissions: attributePermissions as Named },
      model,
      before && role({ attributePermissions: before as Named }),
    )
  check({})
  check({ sch: { name: 'write', constructor: 'none' } })
  const refused: [object, RegExp, object?][] = [
    [{ other: {} }, /unknown schema 'other'$/],
    [{ toString: { name: 'read' } }, /unknown schema 'toString'$/],
    [{ sch: { name: 'read', nmae: 'none' } }, /unknown attribute 'nmae' of the schema 'sch'$/],
    [{ sch: { toString: 'none' } }, /unknown attribute 'toString'/],
    [{ gone: { old: 'write' } }, /unknown attribute 'old' of the schema 'gone'$/, { gone: { old: 'none' } }],
    [{ gone: { new: 'none' } }, /unknown attribute 'new'/, { gone: { old: 'none' } }],
    [{ sch: { new: 'none' } }, /unknown attribute 'new'/, { sch: { old: 'none' } }],
  ]
  for (const [permissions, message, before] of refused)
    assert.throws(() => check(permissions, before), { code: 'VALIDATION_ERROR', message })
  const before = { sch: { old: 'none' }, gone: { old: 'none', older: 'read' } }
  check(before, before)
  check({ gone: { old: 'none' }, sch: { name: 'write' } }, before)
})

test("the admin's role has every permission, also one that is newer than its row", () => {
  assert.equal(hasPermission(role({ id: ADMIN_ROLE_ID }), 'metrics.read'), true)
})
