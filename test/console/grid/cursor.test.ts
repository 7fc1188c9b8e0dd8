// The cursor and its keys: `console/grid/cursor.ts`, `keys.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { moveCell, MOVES, rangeOf } from '../../../console/grid/cursor.ts'
import { type KeyPress, sheetCommand } from '../../../console/grid/keys.ts'

const press = (key: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...modifiers,
})
const situation = { isMac: false, isCommanding: false }

describe('cursor', () => {
  it('stays in the sheet, whatever moves it', () => {
    const size = fc.record({
      rows: fc.integer({ min: 1, max: 50 }),
      columns: fc.integer({ min: 1, max: 9 }),
      page: fc.integer({ min: 1, max: 20 }),
    })
    fc.assert(
      fc.property(size, fc.array(fc.constantFrom(...MOVES)), (size, moves) => {
        let cell = { row: 0, column: 0 }
        for (const move of moves) cell = moveCell(cell, move, size)
        assert.ok(cell.row >= 0 && cell.row < size.rows && cell.column >= 0 && cell.column < size.columns)
      }),
    )
  })

  it('has a range between where it began and where it is, in any direction', () => {
    const range = rangeOf({ row: 5, column: 1 }, { row: 2, column: 3 })
    assert.deepEqual(range, { rows: { first: 2, last: 5 }, columns: { first: 1, last: 3 } })
  })
})

describe('keys of the sheet', () => {
  it('typing opens the editor and leaves the key to the browser: letters, dead keys, input methods, AltGr', () => {
    for (const one of [
      press('a'),
      press('Ä', { shiftKey: true }),
      press('7'),
      press('Dead'),
      press('Process'),
      press('@', { ctrlKey: true, altKey: true }),
      press('€', { altKey: true }),
      press('茶'),
    ])
      assert.deepEqual(sheetCommand(one, situation), { kind: 'edit', typed: true }, one.key)
  })

  it('moves by arrows, extends by Shift, goes to the ends by Ctrl', () => {
    assert.deepEqual(sheetCommand(press('ArrowDown'), situation), { kind: 'move', move: 'down', extends: false })
    assert.deepEqual(sheetCommand(press('ArrowDown', { shiftKey: true, ctrlKey: true }), situation), {
      kind: 'move',
      move: 'bottom',
      extends: true,
    })
  })

  it('knows the commands of the sheet, with Cmd on a Mac', () => {
    const kinds = (one: KeyPress, isMac = false) => sheetCommand(one, { isMac, isCommanding: false })?.kind
    assert.equal(kinds(press('d', { ctrlKey: true })), 'fillDown')
    assert.equal(kinds(press('h', { ctrlKey: true })), 'replace')
    assert.equal(kinds(press('H', { metaKey: true, shiftKey: true }), true), 'replace')
    // On a Mac, Alt and H type another sign.
    assert.equal(kinds(press('˙', { altKey: true, code: 'KeyH' }), true), 'history')
    assert.equal(kinds(press('c', { altKey: true, code: 'KeyC' })), 'comments')
    assert.notEqual(kinds(press('h', { altKey: true, ctrlKey: true, code: 'KeyH' })), 'history')
    assert.equal(kinds(press('d', { metaKey: true }), true), 'fillDown')
    assert.equal(kinds(press('d', { ctrlKey: true }), true), undefined)
    assert.equal(kinds(press(' ')), 'selectRow')
    assert.equal(kinds(press('ArrowDown', { altKey: true })), 'columnMenu')
    assert.equal(kinds(press('Enter', { ctrlKey: true })), 'open')
    assert.equal(kinds(press('k', { ctrlKey: true })), undefined)
    assert.equal(kinds(press('Tab')), undefined)
    assert.equal(kinds(press('F5')), undefined)
    assert.equal(kinds(press('Shift', { shiftKey: true })), undefined)
  })

  it('leaves signs to commands while rows are selected, and types otherwise', () => {
    const selected = { isMac: false, isCommanding: true }
    assert.equal(sheetCommand(press('e'), selected), undefined)
    assert.equal(sheetCommand(press('ArrowUp'), selected)?.kind, 'move')
    assert.equal(sheetCommand(press('F2'), selected)?.kind, 'edit')
    assert.deepEqual(sheetCommand(press('e'), situation), { kind: 'edit', typed: true })
  })
})
