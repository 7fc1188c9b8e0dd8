import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { AssignmentsInput, assertParent, CategoryInput } from '../../../../src/core/model/rules/catalog.ts'
import { parse } from '../../../../src/kernel/input/parse.ts'

const TREE = new Map([
  ['root', null],
  ['cars', 'root'],
  ['constructor', 'cars'],
  ['parts', 'root'],
])

test('a category may hang under any other that is not below it, or under none', () => {
  assertParent('constructor', 'parts', TREE)
  assertParent('cars', null, TREE)
  assertParent('new', 'constructor', TREE)
})

test('a parent outside the catalog is refused by name', () => {
  assert.throws(() => assertParent('new', 'toString', TREE), {
    code: 'VALIDATION_ERROR',
    message: "parentId names 'toString', which is not a category of this catalog",
  })
})

test('a category cannot be its own parent, nor hang under one below it', () => {
  for (const parent of ['root', 'cars', 'constructor'])
    assert.throws(() => assertParent('root', parent, TREE), {
      code: 'VALIDATION_ERROR',
      message: /^parentId must not name/,
    })
})

test('moves that are allowed never make a cycle', () => {
  const anyMoves = fc.array(fc.tuple(fc.nat(7), fc.option(fc.nat(7))), { maxLength: 40 })
  fc.assert(
    fc.property(anyMoves, (moves) => {
      const parents = new Map<string, string | null>(Array.from({ length: 8 }, (_, id) => [`c${id}`, null]))
      for (const [id, parent] of moves) {
        const parentId = parent === null ? null : `c${parent}`
        try {
          assertParent(`c${id}`, parentId, parents)
        } catch {
          continue
        }
        parents.set(`c${id}`, parentId)
      }
      for (const start of parents.keys()) {
        let steps = 0
        for (let id: string | null = start; id !== null; id = parents.get(id) ?? null) assert.ok((steps += 1) <= 8)
      }
    }),
  )
})

test('what is left out of a category or an assignment has its default', () => {
  assert.deepEqual(parse(CategoryInput, { name: 'C' }), { parentId: null, name: 'C', sortOrder: 0 })
  assert.deepEqual(parse(AssignmentsInput, [{ categoryId: 'c' }]), [{ categoryId: 'c', sortOrder: 0 }])
  assert.throws(() => parse(AssignmentsInput, [{ categoryId: 'c', sortOrder: '1' }]), {
    message: '[0].sortOrder must be a number',
  })
})
