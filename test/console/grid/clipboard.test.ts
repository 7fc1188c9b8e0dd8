// Cells on the clipboard, and the targets of pasted cells: `console/grid/clipboard.ts`, `paste.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseCells, printCells } from '../../../console/grid/clipboard.ts'
import { placeTexts } from '../../../console/grid/paste.ts'

const text = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '\r', ' ', 'ä') })
const block = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
  .chain(([height, width]) =>
    fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: height, maxLength: height }),
  )

const range = (top: number, left: number, bottom: number, right: number) => ({
  rows: { first: top, last: bottom },
  columns: { first: left, last: right },
})

describe('clipboard', () => {
  it('reads what it has written, whatever is in the cells', () => {
    fc.assert(fc.property(block, (cells) => assert.deepEqual(parseCells(printCells(cells)), cells)))
  })

  it('reads any text in an instant and loses no character that is not a sign between cells', () => {
    fc.assert(fc.property(fc.string(), (any) => assert.ok(parseCells(any).length > 0)))
    assert.equal(parseCells('"'.repeat(100_001)).length, 1)
    assert.equal(parseCells('"a\t'.repeat(20_000)).length, 1)
  })

  it('reads what spreadsheets put there: quotes around tabs and lines, and an end behind the last row', () => {
    assert.deepEqual(parseCells('a\t"b\nc ""d"""\r\n1\t\r\n'), [
      ['a', 'b\nc "d"'],
      ['1', ''],
    ])
    assert.deepEqual(parseCells('5" pipe\tx'), [['5" pipe', 'x']])
    assert.deepEqual(parseCells('"no end\tx'), [['"no end', 'x']])
    assert.deepEqual(parseCells(''), [['']])
  })

  it('G6: a block begins in the first cell of the range, and what goes beyond the sheet is told', () => {
    const { cells, lost } = placeTexts(
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      range(9, 3, 9, 3),
      { rows: 10, columns: 5 },
    )
    assert.deepEqual(cells, [
      { row: 9, column: 3, text: 'a' },
      { row: 9, column: 4, text: 'b' },
    ])
    assert.equal(lost, 2)
  })

  it('G6: one cell fills the whole range, and a block repeats where it fits', () => {
    const sheet = { rows: 100, columns: 10 }
    assert.equal(placeTexts([['a']], range(0, 0, 2, 1), sheet).cells.length, 6)
    const { cells } = placeTexts([['a'], ['b']], range(0, 0, 3, 0), sheet)
    assert.deepEqual(
      cells.map((cell) => cell.text),
      ['a', 'b', 'a', 'b'],
    )
    assert.equal(placeTexts([['a'], ['b']], range(0, 0, 2, 0), sheet).cells.length, 2)
  })

  it('G6: a row that is shorter leaves the cells behind it alone', () => {
    const { cells } = placeTexts([['a', 'b'], ['c']], range(0, 0, 0, 0), { rows: 9, columns: 9 })
    assert.deepEqual(
      cells.map(({ row, column }) => `${row},${column}`),
      ['0,0', '0,1', '1,0'],
    )
  })
})
