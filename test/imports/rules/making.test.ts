// Which options and categories cells name, and which of them an import makes.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { CategoryTree, foldPath } from '../../../src/imports/rules/named-categories.ts'
import { OptionNames, slugOf } from '../../../src/imports/rules/option-names.ts'
import { assertProportional } from '../../helpers/proportion.ts'
import { ID_PATTERN } from '../../../src/kernel/input/validation.ts'

const attribute = (options: { id: string; name: string }[] = []) => ({ alias: 'colour', options })
const cell = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom('Red', 'red ', 'Dark blue', 'dark-blue', 'Größe', '红色', '%'),
)
const added = (cells: readonly string[], names = new OptionNames(attribute())) => {
  for (const text of cells) names.add(text)
  return names
}

describe('An option that a cell names', () => {
  it('is found again after it was made, in any case and spacing, and has a valid ID of its own', () => {
    fc.assert(
      fc.property(fc.array(cell), (cells) => {
        const filled = cells.filter((text) => text.trim() !== '')
        const names = added(filled)
        const ids = names.added.map(({ id }) => id)
        assert.ok(ids.every((id) => ID_PATTERN.test(id)))
        assert.equal(new Set(ids).size, ids.length)
        for (const text of filled.filter((one) => one.length <= 200))
          assert.equal(names.find(`  ${text.trim()} `), names.find(text))
        assert.deepEqual(added(filled, new OptionNames(attribute(names.added))).added, [])
      }),
    )
  })

  it('has the cell as its ID where that is one, else an ID that is made of it', () => {
    const made = added(['XL', 'xl', 'Dark  blue', 'dark-blue', '红色', '%', '&']).added
    assert.deepEqual(made, [
      { id: 'XL', name: 'XL' },
      { id: 'dark-blue', name: 'Dark blue' },
      { id: 'option-7ea2-8272', name: '红色' },
      { id: 'option-25', name: '%' },
      { id: 'option-26', name: '&' },
    ])
    assert.equal(slugOf('Straße – É'), 'strasse-e')
    const taken = new OptionNames(attribute([{ id: 'dark-blue', name: 'Navy' }]))
    taken.add('Dark blue')
    assert.deepEqual(taken.added, [{ id: 'dark-blue-2', name: 'Dark blue' }])
  })

  it('gets its ID in the same time however many options have one like it', async () => {
    const alike = (count: number) => Array.from({ length: count }, (_, n) => `${String.fromCodePoint(0x4e00 + n)} a`)
    await assertProportional([1000, 10_000], (count) => added(alike(count)))
    assert.equal(added(alike(3)).added[2]!.id, 'a-3')
  })

  it('is not made of a text that is too long for a name', () => {
    assert.deepEqual(added(['x'.repeat(201)]).added, [])
  })
})

const node = (id: string, name: string, parentId: string | null = null, catalogId = 'web') => ({
  id,
  name,
  parentId,
  catalogId,
})
const treeOf = (nodes: ReturnType<typeof node>[], catalogId?: string) => {
  let count = 0
  return new CategoryTree(nodes, { catalogIds: ['web', 'print'], catalogId, newId: () => `new-${(count += 1)}` })
}

describe('A path of categories', () => {
  const SHOP = [node('men', 'Men'), node('odd', 'T-Shirts/Polos', 'men'), node('men-2', 'Men', null, 'print')]

  it('goes on from the longest part that is there, also where a name has a slash', () => {
    const tree = treeOf(SHOP, 'web')
    tree.add('Men/T-Shirts/Polos/Long')
    tree.add('men / t-shirts/polos/LONG')
    assert.deepEqual(tree.added, [
      { id: 'new-1', catalogId: 'web', parentId: 'odd', name: 'Long', path: 'Men/T-Shirts/Polos/Long' },
    ])
    assert.equal(tree.paths.get(foldPath('MEN/T-Shirts/Polos/long')), 'new-1')
  })

  it('takes time in proportion to its length, although names may have slashes', async () => {
    const pathOf = (count: number): string => Array<string>(count).fill('x'.repeat(1900)).join('/')
    await assertProportional([10, 100], (count) => treeOf(SHOP, 'web').add(pathOf(count)))
  })

  it('is left to its row where it is empty in between, or goes on from several categories', () => {
    const tree = treeOf(SHOP)
    for (const path of ['Men', 'Men/Hats', 'Men//Hats', '/', `Men/${'x'.repeat(201)}`, 'men', 'a/'.repeat(200)])
      tree.add(path)
    assert.deepEqual([tree.added, [...tree.paths]], [[], []])
  })

  it('needs a catalog for a first name that is in none', () => {
    assert.throws(() => treeOf(SHOP).add('Women'), /catalogId is required: the category 'Women'/)
    assert.throws(() => treeOf(SHOP, 'gone').add('Women'), /catalogId names the unknown catalog 'gone'/)
  })

  it('makes each category once, whatever the order and the writing', () => {
    const name = fc.constantFrom('a', 'A', ' a ', 'b', 'c c', 'C  c')
    fc.assert(
      fc.property(fc.array(fc.array(name, { minLength: 1, maxLength: 4 })), (paths) => {
        const tree = treeOf([], 'web')
        for (const path of paths) tree.add(path.join('/'))
        const keys = tree.added.map(({ parentId, name: own }) => `${parentId} ${foldPath(own)}`)
        assert.equal(new Set(keys).size, keys.length)
        const again = treeOf([...tree.added], 'web')
        for (const path of paths) again.add(path.join('/'))
        assert.deepEqual(again.added, [])
      }),
    )
  })
})
