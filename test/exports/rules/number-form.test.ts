// How spreadsheets show numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberForm } from '../../../src/exports/rules/number-form.ts'

test('a number format follows the display of the attribute', () => {
  const codeOf = (display: NonNullable<Parameters<typeof numberForm>[0]['display']>, validation = {}) =>
    numberForm({ display, validation })?.code
  assert.equal(numberForm({ validation: {} }), undefined)
  assert.equal(codeOf({ style: 'plain' }), 'General')
  assert.equal(codeOf({ unit: 'km' }), 'General "km"')
  assert.equal(codeOf({ decimals: 0 }), '0')
  assert.equal(codeOf({ style: 'grouped' }, { integer: true }), '#,##0')
  assert.equal(codeOf({ style: 'grouped' }), '#,##0.00')
  assert.equal(codeOf({ style: 'grouped' }, { maxDecimals: 15 }), '#,##0.0000000000')
  assert.equal(codeOf({ style: 'grouped', decimals: 1, unit: 'm²' }), '#,##0.0 "m²"')
})
