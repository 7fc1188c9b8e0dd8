// What of a record goes into an export.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFlatten, type VariantValues } from '../../../../src/core/records/rules/exported-record.ts'
import { BUILT_IN_ROLES, type Role } from '../../../../src/core/accounts/rules/permissions.ts'
import type { Values } from '../../../../src/core/records/rules/record.ts'
import type { Scope } from '../../../../src/core/scopes/scope.ts'
import { AT, exportModel, schemaOf } from '../../../helpers/export-model.ts'
import { buildModel } from '../../../helpers/build-model.ts'

const admin = BUILT_IN_ROLES[0]!

interface Options {
  readonly scope?: Scope | null
  readonly inherited?: Values | null
  readonly role?: Role
  readonly model?: typeof exportModel
  readonly variantValues?: VariantValues
}

/** alias → values (flat: value or null). */
function flatten(own: Values, options: Options) {
  const { scope = null, inherited = null, role = admin, model = exportModel, variantValues = 'effective' } = options
  const head = {
    id: 'ent-1',
    schemaId: 'sch-all',
    parentId: inherited === null ? null : 'ent-0',
    lifecycleStateId: 'state-draft',
    createdAt: AT,
    updatedAt: AT,
    createdBy: 'usr-1',
    updatedBy: 'usr-1',
  }
  const { attributes } = createFlatten({ model, role, dimensionScope: scope, variantValues })(head, { own, inherited })
  const entries = attributes.map(({ attribute, values }) => [
    attribute.alias,
    scope === null ? values : (values[0]?.value ?? null),
  ])
  return Object.fromEntries(entries) as Record<string, unknown>
}

const description: Values = {
  description: [
    { scope: {}, value: 'any' },
    { scope: { language: 'de' }, value: 'German' },
    { scope: { market: 'eu' }, value: 'European' },
    { scope: { language: 'de', market: 'us' }, value: 'German in the US' },
  ],
}

describe('A flat export', () => {
  it('gives every attribute one value, null where there is none', () => {
    const flat = flatten({ link: [{ scope: {}, value: 'https://a.example' }] }, { scope: { language: 'de' } })
    assert.deepEqual(
      Object.keys(flat),
      exportModel.schemas.get('sch-all')!.attributes.map(({ alias }) => alias),
    )
    assert.equal(flat['link'], 'https://a.example')
    assert.equal(flat['name'], null)
  })

  it('takes the most specific value for a full scope, on a tie the dimension that the attribute names first', () => {
    const valueIn = (scope: Scope) => flatten(description, { scope })['description']
    assert.equal(valueIn({ language: 'de', market: 'us' }), 'German in the US')
    assert.equal(valueIn({ language: 'de', market: 'eu' }), 'German')
    assert.equal(valueIn({ language: 'en', market: 'eu' }), 'European')
    assert.equal(valueIn({ language: 'en', market: 'us' }), 'any')
  })

  it('takes no value of one market when the scope names no market', () => {
    const valueIn = (scope: Scope) => flatten(description, { scope })['description']
    assert.equal(valueIn({ language: 'de' }), 'German')
    assert.equal(valueIn({ language: 'en' }), 'any')
    assert.equal(valueIn({}), 'any')
    const ofMarket = { description: [{ scope: { language: 'de', market: 'eu' }, value: 'narrow' }] }
    assert.equal(flatten(ofMarket, { scope: { language: 'de' } })['description'], null)
  })

  it('does not regard dimensions that an attribute does not have', () => {
    const values: Values = { name: [{ scope: { language: 'de' }, value: 'Hemd' }] }
    assert.equal(flatten(values, { scope: { language: 'de', market: 'eu' } })['name'], 'Hemd')
  })

  it('gives a variant its own value where it has any for the scope, else that of its parent', () => {
    const own: Values = { name: [{ scope: { language: 'en' }, value: 'own' }], link: [] }
    const inherited: Values = {
      name: [
        { scope: { language: 'en' }, value: 'of the parent' },
        { scope: { language: 'de' }, value: 'vom Elternteil' },
      ],
      color: [{ scope: {}, value: 'red' }],
    }
    assert.equal(flatten(own, { inherited, scope: { language: 'en' } })['name'], 'own')
    assert.equal(flatten(own, { inherited, scope: { language: 'de' } })['name'], 'vom Elternteil')
    assert.equal(flatten(own, { inherited, scope: { language: 'de' } })['color'], 'red')
  })
})

describe('A scoped export', () => {
  it('gives all scoped values, those of general scopes too, and leaves out attributes without any', () => {
    assert.deepEqual(flatten(description, {}), description)
  })

  it('gives a variant its own values and those of its parent that are in force for it', () => {
    const own: Values = {
      name: [{ scope: { language: 'en' }, value: 'own' }],
      color: [{ scope: {}, value: 'blue' }],
    }
    const inherited: Values = {
      name: [
        { scope: { language: 'en' }, value: 'hidden by its own' },
        { scope: { language: 'de' }, value: 'inherited' },
      ],
      color: [{ scope: {}, value: 'red' }],
      link: [{ scope: {}, value: 'https://a.example' }],
    }
    assert.deepEqual(flatten(own, { inherited }), {
      name: [own['name']![0], inherited['name']![1]],
      color: own['color'],
      link: inherited['link'],
    })
  })

  it('adds a more specific scope to a variant where an own and an inherited value would be read wrongly', () => {
    // An attribute that names language before market: German comes before European, but not before German in the EU.
    const own: Values = { description: [{ scope: { market: 'eu' }, value: 'own' }] }
    const inherited: Values = { description: [{ scope: { language: 'de' }, value: 'inherited' }] }
    assert.deepEqual(flatten(own, { inherited }), {
      description: [
        ...own['description']!,
        ...inherited['description']!,
        { scope: { language: 'de', market: 'eu' }, value: 'own' },
      ],
    })
  })
})

describe('An export of own values', () => {
  const own: Values = { name: [{ scope: { language: 'en' }, value: 'own' }] }
  const inherited: Values = {
    name: [
      { scope: { language: 'en' }, value: 'of the parent' },
      { scope: { language: 'de' }, value: 'vom Elternteil' },
    ],
    color: [{ scope: {}, value: 'red' }],
  }

  it('gives a variant nothing that it inherits', () => {
    assert.deepEqual(flatten(own, { inherited, variantValues: 'own' }), own)
  })

  it('gives for a scope the own value in force, and none where it is inherited', () => {
    const flat = (language: string) => flatten(own, { inherited, scope: { language }, variantValues: 'own' })
    assert.deepEqual([flat('en')['name'], flat('de')['name'], flat('de')['color']], ['own', null, null])
  })
})

describe('Every export', () => {
  it('leaves out what is hidden from the role, also of a parent', () => {
    const role = exportModel.roles.get('role-clerk')!
    const values: Values = { name: [{ scope: {}, value: 'secret' }], color: [{ scope: {}, value: 'red' }] }
    assert.deepEqual(Object.keys(flatten(values, { role })), ['color'])
    assert.deepEqual(Object.keys(flatten({}, { role, inherited: values })), ['color'])
    const flat = flatten(values, { role, scope: {} })
    assert.equal(Object.hasOwn(flat, 'name') || Object.hasOwn(flat, 'price'), false)
  })

  it('gives values whatever the guard of their attribute says, as responses and search do', () => {
    const guard = {
      criteriaOperator: 'and' as const,
      criteria: [{ attributeAlias: 'onSale', operator: 'equals' as const, value: 'true' }],
    }
    const schema = schemaOf('sch-all', [
      { alias: 'onSale', dataType: 'boolean' },
      { alias: 'salePrice', dataType: 'number', guard },
    ])
    const model = buildModel({ dimensions: [], workflows: [], roles: [], schemas: [schema] })
    const values: Values = { onSale: [{ scope: {}, value: false }], salePrice: [{ scope: {}, value: 9 }] }
    assert.deepEqual(flatten(values, { model }), values)
    assert.deepEqual(flatten(values, { model, scope: {} }), { onSale: false, salePrice: 9 })
  })
})
