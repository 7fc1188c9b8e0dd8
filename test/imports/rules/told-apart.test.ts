// Columns of a file with the same header.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tellApart } from '../../../src/imports/rules/told-apart.ts'

describe('Columns with the same header', () => {
  it('have their letters, as in a spreadsheet', () => {
    assert.deepEqual(tellApart(['Price', 'Name', 'Price', '', '', ' Name ']), [
      'Price (A)',
      'Name (B)',
      'Price (C)',
      '',
      '',
      'Name (F)',
    ])
    assert.equal(tellApart(['x', ...Array.from({ length: 27 }, String), 'x']).at(-1), 'x (AC)')
  })

  it('never get the header of another column', () => {
    const headers = tellApart(['x', 'x', 'x (B)'])
    assert.deepEqual(headers, ['x (A)', 'x', 'x (B)'])
  })
})
