// The value of a cell, and the scope that the cell writes to: `console/grid/cell-value.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cellScope, cellValue, scopesToWrite, storedValue, withValue } from '../../../console/grid/cell-value.ts'

const name = { dimensionIds: ['language', 'market'] }
const de = { language: 'de' }
const deEu = { language: 'de', market: 'eu' }

describe('cell value', () => {
  it('G3: a write goes to the scope of the bar with that of the column, cut to the dimensions of the attribute', () => {
    assert.deepEqual(cellScope(deEu, {}, name), deEu)
    assert.deepEqual(cellScope(deEu, { language: 'en' }, name), { language: 'en', market: 'eu' })
    assert.deepEqual(cellScope(deEu, {}, { dimensionIds: ['market'] }), { market: 'eu' })
    assert.deepEqual(cellScope(deEu, { language: 'en' }, { dimensionIds: [] }), {})
  })

  it('G3: widens step by step to the value for all', () => {
    assert.deepEqual(scopesToWrite(deEu, name), [deEu, { language: 'de' }, { market: 'eu' }, {}])
  })

  it('G2: shows the value in force, and says whether it is own, borrowed or the parent’s', () => {
    const values = {
      name: [
        { scope: {}, value: 'Tea' },
        { scope: de, value: 'Tee' },
      ],
    }
    const shown = (scope: Record<string, string>) => cellValue({ values }, 'name', scope, name)
    assert.deepEqual(shown(deEu), { value: 'Tee', origin: 'wider', from: de, narrower: 0 })
    assert.equal(shown(de).origin, 'own')
    assert.deepEqual(shown({ language: 'en' }), { value: 'Tea', origin: 'wider', from: {}, narrower: 0 })
    assert.equal(cellValue({ values }, 'price', {}, name).origin, 'none')
    const inherited = cellValue({ values: {}, effectiveValues: values }, 'name', de, name)
    assert.deepEqual([inherited.value, inherited.origin], ['Tee', 'parent'])
  })

  it('G2: counts the values of narrower scopes that are different', () => {
    const values = {
      name: [
        { scope: {}, value: 'Tea' },
        { scope: de, value: 'Tee' },
        { scope: { language: 'en' }, value: 'Tea' },
        { scope: { language: 'fr' }, value: 'Thé' },
      ],
    }
    assert.equal(cellValue({ values }, 'name', {}, name).narrower, 2)
    const only = { name: [{ scope: de, value: 'Tee' }] }
    assert.deepEqual(cellValue({ values: only }, 'name', {}, name), {
      value: undefined,
      origin: 'none',
      from: {},
      narrower: 1,
    })
  })

  it('replaces and removes the value of one scope, and leaves the others', () => {
    const values = {
      name: [
        { scope: {}, value: 'Tea' },
        { scope: de, value: 'Tee' },
      ],
    }
    assert.equal(storedValue(withValue(values, 'name', de, 'Tée'), 'name', de), 'Tée')
    assert.equal(storedValue(withValue(values, 'name', de, 'Tée'), 'name', {}), 'Tea')
    assert.equal(storedValue(withValue(values, 'name', de, null), 'name', de), undefined)
  })

  it('takes an attribute that is called like a member of every object for what it is', () => {
    assert.equal(cellValue({ values: {} }, 'constructor', {}, { dimensionIds: [] }).origin, 'none')
  })
})
