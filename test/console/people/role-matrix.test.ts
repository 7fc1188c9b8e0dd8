// A role's access to attributes, as a matrix.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accessRows, countOwn, withAccess } from '../../../console/people/role-matrix.ts'

const TEA = { id: 'tea', attributes: [{ alias: 'sku' }, { alias: 'constructor' }] }

describe('M5 the matrix of a role', () => {
  it('shows what the role says itself, and the default elsewhere', () => {
    const role = { defaultAttributePermission: 'read', attributePermissions: { tea: { sku: 'write' } } } as const
    assert.deepEqual(accessRows(role, TEA), [
      { alias: 'sku', own: 'write', inForce: 'write' },
      { alias: 'constructor', own: undefined, inForce: 'read' },
    ])
  })

  it('changes one attribute, and forgets it with its schema where the default holds again', () => {
    const one = withAccess({}, 'tea', 'sku', 'none')
    assert.deepEqual(one, { tea: { sku: 'none' } })
    const two = withAccess(one, 'tea', 'constructor', 'write')
    assert.equal(countOwn(two), 2)
    assert.deepEqual(withAccess(withAccess(two, 'tea', 'sku', undefined), 'tea', 'constructor', undefined), {})
  })
})
