// The rows of named columns: each cell is the effective value of its scope, for random models; and what columns may not name.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { createCategoryPaths } from '../../../src/exports/rules/category-paths.ts'
import { createRows } from '../../../src/exports/rules/column-rows.ts'
import { assertColumns, type ExportColumn } from '../../../src/exports/rules/export-columns.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import { effectiveValueIn, type RecordHead, type Values } from '../../../src/core/records/rules/record.ts'
import { restrictScope } from '../../../src/core/scopes/scope.ts'
import { attribute, LANGUAGE, layers, MARKET, modelOf, role } from '../../helpers/domain-model.ts'
import { anyScope, anyScopedValues } from '../../helpers/scope-oracle.ts'

const ADMIN = BUILT_IN_ROLES[0]!
const DIMENSIONS = [LANGUAGE, MARKET]
const head: RecordHead = {
  id: 'rec-1',
  schemaId: 'sch',
  parentId: null,
  lifecycleStateId: 'state-draft',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  createdBy: 'usr-1',
  updatedBy: 'usr-2',
}
const { model, schema } = modelOf([
  attribute('name', { dimensionIds: ['language', 'market'] }),
  attribute('price', { dataType: 'price' }),
  attribute('weight', { dataType: 'measurement', units: ['kg'] }),
  attribute('pdf', { dataType: 'file' }),
  attribute('tags', { dataType: 'multiSelect', options: ['new', 'old', 'sale'].map((id) => ({ id, name: id })) }),
])
const category = (id: string, parentId: string | null, catalogId = 'web') => ({
  id,
  catalogId,
  parentId,
  name: id.toUpperCase(),
  sortOrder: 0,
})
const pathsOf = createCategoryPaths([
  category('shirts', 'men'),
  category('men', null),
  category('new', null),
  category('other', null, 'print'),
])
/** Rows that refer to no other records. */
const NO_LINKS = { linkedOf: () => undefined, addressOf: () => undefined }
const everywhere = (value: unknown) => [{ scope: {}, value }]
const clerk = role({ defaultAttributePermission: 'read', attributePermissions: { sch: { price: 'none' } } })

function rowOf(columns: ExportColumn[], own: Values, of = ADMIN) {
  return createRows(columns, { model, role: of, dimensionScope: null, pathsOf, ...NO_LINKS })(head, layers(own), [
    'shirts',
    'new',
  ])
}

describe('A row of named columns', () => {
  it('has the effective value of each column in its scope, or of the one for all', () => {
    const values = anyScopedValues(DIMENSIONS, fc.constantFrom('a', 'b', ''), 6).map((name): Values => ({ name }))
    const scope = anyScope(DIMENSIONS)
    const property = fc.property(values, fc.option(values), scope, fc.option(scope), (own, inherited, one, all) => {
      const columns = [
        { header: 'one', attributeAlias: 'name', scope: one },
        { header: 'all', attributeAlias: 'name' },
      ]
      const of = layers(own, inherited)
      const row = createRows(columns, { model, role: ADMIN, dimensionScope: all, pathsOf, ...NO_LINKS })(head, of)
      const { dimensionIds } = schema.attribute('name')!
      for (const [index, wanted] of [one, all ?? {}].entries()) {
        const value = effectiveValueIn(of, 'name', restrictScope(wanted, dimensionIds), dimensionIds)?.value ?? null
        assert.deepEqual(row[index], { json: value, cell: value })
      }
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('has fields, constants, parts of prices and measurements, and texts in the place of values', () => {
    const own = { price: everywhere({ amount: 5, currency: 'EUR' }), weight: everywhere({ amount: 2, unit: 'kg' }) }
    const columns: ExportColumn[] = [
      { header: 'a', field: 'parentId' },
      { header: 'b', constant: 'web' },
      { header: 'c', attributeAlias: 'price' },
      { header: 'd', attributeAlias: 'price', part: 'amount' },
      { header: 'e', attributeAlias: 'price', part: 'currency', map: { EUR: '€' } },
      { header: 'f', attributeAlias: 'weight', part: 'unit', map: { constructor: 'x' } },
      { header: 'g', attributeAlias: 'weight', part: 'currency' },
      { header: 'h', attributeAlias: 'name' },
      { header: 'i', field: 'lifecycleStateId', map: { 'state-draft': 'Draft' } },
    ]
    assert.deepEqual(
      rowOf(columns, own).map(({ json }) => json),
      [null, 'web', { amount: 5, currency: 'EUR' }, 5, '€', 'kg', null, null, 'Draft'],
    )
    assert.deepEqual(
      rowOf(columns, own).map(({ cell }) => cell),
      [null, 'web', 5, 5, '€', 'kg', null, null, 'Draft'],
    )
  })

  it('has parts of files, and the name where no part is named', () => {
    const value = { sha256: 'ab'.repeat(32), fileName: 'a.pdf', mediaType: 'application/pdf', size: 9, width: null }
    const parts = [undefined, 'fileName', 'sha256', 'mediaType', 'size', 'width', 'amount'] as const
    const columns = parts.map((part, index) => ({
      header: String(index),
      attributeAlias: 'pdf',
      ...(part && { part }),
    }))
    assertColumns(columns.slice(0, -1), [schema], model, ADMIN)
    assert.throws(() => assertColumns(columns, [schema], model, ADMIN), /has no amount/)
    assert.deepEqual(
      rowOf(columns, { pdf: everywhere(value) }).map(({ cell }) => cell),
      ['a.pdf', 'a.pdf', value.sha256, 'application/pdf', 9, '', null],
    )
  })

  it('has a text in the place of each option and of each path, or of all of them together', () => {
    const own = { tags: everywhere(['new', 'old', 'sale']) }
    const tags = { header: 'a', attributeAlias: 'tags' }
    const path = { header: 'a', categoryPath: 'web' }
    const cases: [ExportColumn, unknown, string][] = [
      [{ ...tags, map: { new: 'Neu', sale: 'Aktion' } }, ['Neu', 'old', 'Aktion'], 'Neu|old|Aktion'],
      [{ ...tags, map: { new: 'Neu', 'new|old|sale': 'Alle' } }, 'Alle', 'Alle'],
      [{ ...path, map: { 'MEN/SHIRTS': '212' } }, '212|NEW', '212|NEW'],
      [{ ...path, map: { 'MEN/SHIRTS|NEW': '1', NEW: '2' } }, '1', '1'],
    ]
    for (const [column, json, cell] of cases) {
      const [value] = rowOf([column], own)
      assert.deepEqual([value!.json, value!.cell], [json, cell])
      assert.deepEqual(value!.list?.join('|') ?? cell, cell)
    }
  })

  it('has nothing of an attribute that the role may not read', () => {
    const columns = [{ header: 'a', attributeAlias: 'price' }]
    assert.deepEqual(rowOf(columns, { price: everywhere({ amount: 5, currency: 'EUR' }) }, clerk), [
      { json: null, cell: null },
    ])
  })
})

describe('The place of a record in a catalog', () => {
  it('is the names from the root on, of each of its categories there', () => {
    assert.deepEqual(pathsOf('web', ['shirts', 'new', 'other', 'gone']), ['MEN/SHIRTS', 'NEW'])
    assert.deepEqual(pathsOf('print', ['other', 'new']), ['OTHER'])
    assert.deepEqual(pathsOf('print', ['new']), [])
  })
})

describe('Named columns', () => {
  it('name attributes that there are and that the role may read', () => {
    const column = { header: 'a', attributeAlias: 'price' }
    assertColumns([column, { header: 'b', attributeAlias: 'weight', part: 'unit' }], [schema], model, ADMIN)
    assertColumns([column], [], model, clerk)
    assert.throws(() => assertColumns([column], [schema], model, clerk), { code: 'PERMISSION_DENIED' })
    for (const columns of [
      [column, column],
      [{ header: 'a', attributeAlias: 'prize' }],
      [{ ...column, scope: { language: 'xx' } }],
      [{ ...column, part: 'unit' as const }],
      [{ header: 'a', attributeAlias: 'name', part: 'amount' as const }],
    ])
      assert.throws(() => assertColumns(columns, [schema], model, ADMIN), { code: 'VALIDATION_ERROR' })
  })
})
