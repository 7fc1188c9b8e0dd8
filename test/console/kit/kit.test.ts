// The parts of the building blocks that need no browser: offered options, moves of keys, positions of popups.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { matchOptions, MAX_OFFERED, stepIn } from '../../../console/kit/choices.ts'
import { ICONS } from '../../../console/kit/icons.ts'
import { placePopup } from '../../../console/kit/popup.ts'
import { type TreeNode, treeRows, treeStep } from '../../../console/kit/tree-nodes.ts'
import { clockText } from '../../../console/shell/clock-text.ts'

describe('A combobox', () => {
  const options = [
    { id: 'green', name: 'Grüner Tee' },
    { id: 'black', name: 'Schwarzer Tee' },
    { id: 'pot', name: 'Teekanne' },
  ]

  it('offers what has every word, in name or ID; what begins so first', () => {
    const found = (text: string) => matchOptions(options, text).map(({ id }) => id)
    assert.deepEqual(found('tee'), ['pot', 'green', 'black'])
    assert.deepEqual(found('GRUN te'), ['green'])
    assert.deepEqual(found('black'), ['black'])
    assert.deepEqual(found(' '), ['green', 'black', 'pot'])
  })

  it('offers no more than anybody reads', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ id: `o${index}`, name: `Option ${index}` }))
    assert.equal(matchOptions(many, 'option').length, MAX_OFFERED)
  })

  it('goes round by arrows', () => {
    assert.deepEqual(
      [
        stepIn('ArrowDown', 2, 3),
        stepIn('ArrowUp', -1, 3),
        stepIn('PageDown', 0, 3),
        stepIn('x', 0, 3),
        stepIn('ArrowDown', 0, 0),
      ],
      [0, 2, 2, undefined, undefined],
    )
  })
})

describe('A tree', () => {
  const node = (id: string, ...children: TreeNode[]): TreeNode => ({ id, name: id, children })
  const nodes = [node('a', node('a1'), node('a2', node('a21'))), node('b')]

  it('has rows for what is open, with level and place', () => {
    const rows = treeRows(nodes, new Set(['a']))
    assert.deepEqual(
      rows.map((row) => [row.node.id, row.level, row.place, row.siblings, row.isOpen]),
      [
        ['a', 1, 1, 2, true],
        ['a1', 2, 1, 2, false],
        ['a2', 2, 2, 2, false],
        ['b', 1, 2, 2, false],
      ],
    )
  })

  it('opens, closes and moves by arrows, and by the first letter', () => {
    const rows = treeRows(nodes, new Set(['a']))
    assert.deepEqual(treeStep('ArrowRight', 'a2', rows), { open: 'a2' })
    assert.deepEqual(treeStep('ArrowRight', 'a', rows), { move: 'a1' })
    assert.deepEqual(treeStep('ArrowLeft', 'a1', rows), { move: 'a' })
    assert.deepEqual(treeStep('ArrowLeft', 'a', rows), { close: 'a' })
    assert.deepEqual(treeStep('ArrowDown', 'b', rows), undefined)
    assert.deepEqual(treeStep('End', 'a', rows), { move: 'b' })
    assert.deepEqual(treeStep('b', 'a', rows), { move: 'b' })
  })
})

describe('What pops up', () => {
  const page = { width: 400, height: 600 }
  const anchor = (top: number, left = 10) => ({ top, bottom: top + 28, left, width: 100 })

  it('stands below, above where there is more room, and never wider or higher than the page', () => {
    assert.equal(placePopup(anchor(100), { width: 200, height: 300 }, page).top, '130px')
    assert.equal(placePopup(anchor(500), { width: 200, height: 300 }, page).top, '198px')
    const high = placePopup(anchor(100), { width: 200, height: 2000 }, page)
    assert.deepEqual([high.top, high.maxHeight], ['130px', '462px'])
    assert.equal(placePopup(anchor(100, 390), { width: 200, height: 100 }, page).left, '192px')
    assert.equal(placePopup(anchor(100), { width: 900, height: 100 }, page).left, '8px')
  })
})

it('every icon is a path', () => {
  for (const [name, path] of Object.entries(ICONS)) assert.match(path, /^[Mm][\d.\sa-zA-Z-]+$/, name)
})

it('S1 a countdown is read like a clock', () => {
  assert.deepEqual([clockText(860), clockText(5), clockText(3723)], ['14:20', '0:05', '1:02:03'])
})
