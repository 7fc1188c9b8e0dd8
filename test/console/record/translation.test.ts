// Translating, and variants: the pure parts of `console/record/`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  countCodePoints,
  isUntranslated,
  lastChanges,
  newerSource,
  readSource,
} from '../../../console/record/translation.ts'
import { giveBack, variantCell, variantColumns } from '../../../console/record/variant-table.ts'
import type { Attribute } from '../../../src/core/model/rules/attributes.ts'
import type { Values } from '../../../src/core/records/rules/record.ts'

const de = { language: 'de' }
const en = { language: 'en' }
const source = { dimensionId: 'language', segmentId: 'en' }
const name = { alias: 'name', dimensionIds: ['language'], unique: false } as unknown as Attribute
const layers = (values: Values) => ({ values, effectiveValues: values })
const name1 = (scope: Record<string, string>, value: string) => ({ scope, value })

describe('translating', () => {
  it('T1 what stands for all languages, or nowhere, is not translated yet; what has no source is nothing to do', () => {
    const is = (...values: { scope: Record<string, string>; value: string }[]) =>
      isUntranslated(layers({ name: values }), name, de, source)
    assert.equal(is(name1(en, 'Tea')), true)
    assert.equal(is(name1({}, 'Tea')), true)
    assert.equal(is(name1(en, 'Tea'), name1(de, 'Tee')), false)
    assert.equal(is(name1(de, 'Tee')), false)
  })

  it('T2 counts characters as rules do', () => {
    assert.equal(countCodePoints('Tee 🍵'), 5)
  })

  it('T3 says when a source is newer than its target', () => {
    const last = lastChanges([
      { alias: 'name', scope: en, timestamp: '2026-03-03' },
      { alias: 'name', scope: de, timestamp: '2026-02-02' },
      { alias: 'name', scope: en, timestamp: '2026-01-01' },
    ])
    const values = layers({ name: [name1(en, 'Tea'), name1(de, 'Tee')] })
    assert.equal(newerSource(values, name, de, source, last), '2026-03-03')
    assert.equal(newerSource(values, name, en, { ...source, segmentId: 'de' }, last), undefined)
    assert.equal(newerSource(layers({ name: [name1({}, 'Tea')] }), name, de, source, last), undefined)
  })

  it('reads a source from the address that the model knows', () => {
    const dimensions = [{ id: 'language', segments: [{ id: 'en' }] }]
    assert.deepEqual(readSource('language:en', dimensions), source)
    assert.equal(readSource('language:fr', dimensions), undefined)
    assert.equal(readSource(undefined, dimensions), undefined)
  })
})

describe('variants', () => {
  const price = { alias: 'price', dimensionIds: ['market'], unique: false } as unknown as Attribute
  const eu = { market: 'eu' }
  const parent = { price: [{ scope: eu, value: 9 }] }

  it('V1 inherit a value, own one, and give just that back', () => {
    const inherited = variantCell({}, parent, price, eu)
    assert.deepEqual([inherited.value, inherited.origin], [9, 'parent'])
    assert.equal(giveBack({}, inherited, 'price'), undefined)
    const own = { price: [{ scope: {}, value: 7 }] }
    const cell = variantCell(own, parent, price, eu)
    assert.deepEqual([cell.value, cell.origin], [7, 'wider'])
    assert.deepEqual(giveBack(own, cell, 'price'), { alias: 'price', scope: {}, value: null, before: 7 })
  })

  it('V3 have columns for what the schema names and for what differs', () => {
    const sku = { alias: 'sku', dimensionIds: [], unique: true } as unknown as Attribute
    const attributes = [sku, name, price]
    const columns = (variantAttributes: string[]) =>
      variantColumns({ attributes, variantAttributes }, [{ values: parent }], (alias) => alias !== 'name')
    assert.deepEqual(
      columns(['name']).map(({ alias }) => alias),
      ['price', 'sku'],
    )
    assert.deepEqual(
      columns(['sku']).map(({ alias }) => alias),
      ['sku', 'price'],
    )
  })
})
