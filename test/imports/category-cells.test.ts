// Cells that name categories.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { BUILT_IN_ROLES } from '../../src/core/accounts/rules/permissions.ts'
import { placesOf } from '../../src/imports/category-cells.ts'

it('A long path of categories is not looked up beyond the length of a name', async () => {
  const asked: string[] = []
  const categories = {
    existing: () => Promise.resolve(new Set<string>()),
    named: (name: string) => {
      asked.push(name)
      return Promise.resolve([])
    },
  }
  const how = { role: BUILT_IN_ROLES[0]!, before: [], emptyCells: 'keep' } as const
  const path = Array<string>(100).fill('x'.repeat(150)).join('/')
  await assert.rejects(placesOf({ categories }, how, path), /neither the ID nor the path of a category/)
  assert.deepEqual(asked, ['x'.repeat(150)])
})
