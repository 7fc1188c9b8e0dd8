// What may be asked of each record that is found: it has to exist, and to be readable.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  assertItemView,
  isPlain,
  ITEM_MEMBERS,
  type ItemView,
  parseInclude,
} from '../../../../src/core/search/rules/item-view.ts'
import { BUILT_IN_ROLES } from '../../../../src/core/accounts/rules/permissions.ts'
import { attribute, modelOf, role } from '../../../helpers/domain-model.ts'

const [ADMIN] = BUILT_IN_ROLES
const { model, schema } = modelOf([attribute('name', { dimensionIds: ['language'] }), attribute('price')])
const clerk = role({ defaultAttributePermission: 'read', attributePermissions: { sch: { price: 'none' } } })

const check = (view: ItemView, of = ADMIN!, schemas = [schema]) => assertItemView(view, schemas, model, of)

describe('What is asked of each record', () => {
  it('names attributes, a state, dimensions and segments that there are', () => {
    check({ select: ['name', 'price'], stateId: 'state-review', resolve: { language: 'de' } })
    const code = 'VALIDATION_ERROR'
    assert.throws(() => check({ select: ['name', 'nmae'] }), {
      code,
      message: "select names the unknown attribute 'nmae'",
    })
    assert.throws(() => check({ resolve: { language: 'xx' } }), {
      code,
      message: /^resolve names the unknown segment 'xx'/,
    })
    assert.throws(() => check({ stateId: 'state-x' }), { code, message: /^stateId names 'state-x'/ })
  })

  it('is judged by all schemas where none is asked, so that a misspelt name is told there, too', () => {
    check({ select: ['name'], stateId: 'state-draft' }, ADMIN, [])
    assert.throws(() => check({ select: ['nmae'] }, ADMIN, []), { code: 'VALIDATION_ERROR' })
  })

  it('is no attribute that the role may not read in a schema that is asked', () => {
    const refused = { code: 'PERMISSION_DENIED', message: "Your role may not read the attribute 'price'" }
    assert.throws(() => check({ select: ['price'] }, clerk), refused)
    check({ select: ['name'] }, clerk)
    check({ select: ['price'] }, clerk, [])
  })

  it('is nothing where all that is asked for is the record', () => {
    assert.equal(isPlain({}), true)
    assert.equal(isPlain({ include: [], stateId: 'state-draft' }), true)
    for (const view of [{ select: [] }, { include: ['version'] }, { resolve: {} }] satisfies ItemView[])
      assert.equal(isPlain(view), false)
  })
})

describe('include in a query', () => {
  it('is names with commas between them, each known and there once', () => {
    assert.deepEqual(parseInclude(undefined, ITEM_MEMBERS), [])
    assert.deepEqual(parseInclude('version, categories', ITEM_MEMBERS), ['version', 'categories'])
    for (const [text, message] of [
      ['', /^include must be among completeness, /],
      ['version,', /^include must be among/],
      ['transitions', /^include must be among/],
      ['version,version', /^include names 'version' twice$/],
    ] as const)
      assert.throws(() => parseInclude(text, ITEM_MEMBERS), { code: 'VALIDATION_ERROR', message })
  })
})
