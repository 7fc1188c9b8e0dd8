// The tree of categories as rows, keys and drops.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ancestorsOf,
  type CategoryPlace,
  type DropZone,
  moveByDrop,
  moveByKey,
  placeOf,
  treeOf,
} from '../../../console/categories/category-tree.ts'
import { filledNames, languageName, languagesOf } from '../../../console/state/language-names.ts'
import { orderByDrop, orderByKey, reordered, standsBefore } from '../../../console/categories/record-order.ts'

/** a (aa (aaa), ab), b, c */
const TREE: CategoryPlace[] = [
  { id: 'a', parentId: null },
  { id: 'aa', parentId: 'a' },
  { id: 'aaa', parentId: 'aa' },
  { id: 'ab', parentId: 'a' },
  { id: 'b', parentId: null },
  { id: 'c', parentId: null },
]

/** The server's result of a move: the order of siblings is the order of the list. */
function moved(tree: readonly CategoryPlace[], id: string, move: { parentId: string | null; before: string | null }) {
  const others = tree.filter((one) => one.id !== id)
  const at = move.before === null ? others.length : others.findIndex((one) => one.id === move.before)
  return others.toSpliced(at, 0, { id, parentId: move.parentId })
}

describe('Categories in a tree', () => {
  it('C1 Alt and arrows move among siblings, into the one before, and out behind the parent', () => {
    assert.deepEqual(moveByKey(TREE, 'b', 'ArrowUp'), { parentId: null, before: 'a' })
    assert.deepEqual(moveByKey(TREE, 'b', 'ArrowDown'), { parentId: null, before: null })
    assert.deepEqual(moveByKey(TREE, 'a', 'ArrowDown'), { parentId: null, before: 'c' })
    assert.deepEqual(moveByKey(TREE, 'b', 'ArrowRight'), { parentId: 'a', before: null })
    assert.deepEqual(moveByKey(TREE, 'aa', 'ArrowLeft'), { parentId: null, before: 'b' })
    for (const [id, key] of [
      ['a', 'ArrowUp'],
      ['c', 'ArrowDown'],
      ['a', 'ArrowRight'],
      ['a', 'ArrowLeft'],
      ['gone', 'ArrowUp'],
      ['b', 'Enter'],
    ] as const)
      assert.equal(moveByKey(TREE, id, key), undefined, `${id} ${key}`)
  })

  it('C1 a drop leads before, into or behind', () => {
    assert.deepEqual(moveByDrop(TREE, 'c', 'a', 'before'), { parentId: null, before: 'a' })
    assert.deepEqual(moveByDrop(TREE, 'c', 'aa', 'into'), { parentId: 'aa', before: null })
    assert.deepEqual(moveByDrop(TREE, 'a', 'b', 'behind'), { parentId: null, before: 'c' })
    assert.deepEqual(moveByDrop(TREE, 'a', 'c', 'behind'), { parentId: null, before: null })
    assert.equal(moveByDrop(TREE, 'b', 'a', 'behind'), undefined, 'it stands there already')
    assert.equal(moveByDrop(TREE, 'b', 'gone', 'into'), undefined)
  })

  it('C2 whatever is pressed and dropped, a tree stays a tree', () => {
    let tree = TREE
    let seed = 7
    const random = (count: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed % count
    }
    for (let step = 0; step < 2000; step += 1) {
      const [one, other] = [tree[random(tree.length)]!.id, tree[random(tree.length)]!.id]
      const zone = (['before', 'into', 'behind'] satisfies DropZone[])[random(3)]!
      const key = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'][random(4)]!
      const move = random(2) === 0 ? moveByDrop(tree, one, other, zone) : moveByKey(tree, one, key)
      if (move === undefined) continue
      tree = moved(tree, one, move)
      assert.deepEqual(placeOf(tree, one), move)
      for (const { id } of tree) assert.ok(!ancestorsOf(tree, id).includes(id), `${id} is below itself`)
    }
    for (const id of ['aa', 'aaa', 'a']) assert.equal(moveByDrop(TREE, 'a', id, 'into'), undefined)
    assert.equal(moveByDrop(TREE, 'a', 'ab', 'before'), undefined)
  })

  it('a list becomes a tree, in its order and with its names', () => {
    const list = TREE.map((one) => ({ ...one, catalogId: 'cat', name: one.id.toUpperCase(), sortOrder: 0 }))
    const tree = treeOf(list, ({ name }) => name)
    assert.deepEqual(
      tree.map(({ name, children }) => [name, children.map(({ id }) => id)]),
      [
        ['A', ['aa', 'ab']],
        ['B', []],
        ['C', []],
      ],
    )
    assert.deepEqual(ancestorsOf(TREE, 'aaa'), ['aa', 'a'])
  })
})

describe('Records of a category', () => {
  const records = ['a', 'b', 'c'].map((id) => ({ id }))

  it('C4 keys and drops order them, and what is not read yet is not guessed', () => {
    assert.equal(orderByKey(records, 'b', 'ArrowUp', false), 'a')
    assert.equal(orderByKey(records, 'a', 'ArrowDown', false), 'c')
    assert.equal(orderByKey(records, 'b', 'ArrowDown', false), null)
    assert.equal(orderByKey(records, 'b', 'ArrowDown', true), undefined)
    assert.equal(orderByKey(records, 'c', 'ArrowDown', false), undefined)
    assert.equal(orderByKey(records, 'a', 'ArrowUp', false), undefined)
    assert.equal(orderByDrop(records, 'c', 'a', false), 'a')
    assert.equal(orderByDrop(records, 'a', 'b', false), 'c')
    assert.equal(orderByDrop(records, 'a', 'c', false), null)
    assert.equal(orderByDrop(records, 'a', 'c', true), undefined)
    assert.equal(orderByDrop(records, 'a', 'a', false), undefined)
  })

  it('the list after a move is as the server makes it', () => {
    const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).join('')
    assert.equal(ids(reordered(records, 'c', 'a')), 'cab')
    assert.equal(ids(reordered(records, 'a', null)), 'bca')
    assert.equal(ids(reordered(records, 'gone', null)), 'abc')
    assert.equal(standsBefore(records, 'a'), 'b')
    assert.equal(standsBefore(records, 'c'), null)
  })
})

describe('Names by language', () => {
  it('are offered in languages of the console, of the catalogue, and that are there', () => {
    const segments = (...ids: string[]) => ids.map((id) => ({ id, name: id }))
    const dimensions = [
      { id: 'market', segments: segments('eu', 'asia-1') },
      { id: 'language', segments: segments('en', 'fr') },
    ]
    assert.deepEqual(languagesOf(dimensions, { it: 'Tè' }, ['en', 'de']), ['en', 'de', 'fr', 'it'])
    assert.equal(languageName('fr', 'en'), 'French')
    assert.equal(languageName('not a tag', 'en'), 'not a tag')
    assert.deepEqual(filledNames({ en: 'Tea', de: ' ' }), { en: 'Tea' })
  })
})
