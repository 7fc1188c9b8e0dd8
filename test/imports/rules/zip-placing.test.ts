// Where the files of a zip come in the list of a record. Contract 4 §4.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { placeFiles } from '../../../src/imports/rules/zip-placing.ts'

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const list = fc.uniqueArray(id)
const wanted = fc.array(id)
const mode = fc.constantFrom('append' as const, 'replace' as const)

describe('Files that are placed in a list', () => {
  it('come behind those that are there, in their order, each once', () => {
    const property = fc.property(list, wanted, (before, files) => {
      const { after } = placeFiles(before, files, 'append')
      assert.deepEqual(after.slice(0, before.length), before)
      const fresh = files.filter((file) => !before.includes(file))
      assert.deepEqual(after.slice(before.length), [...new Set(fresh)])
    })
    fc.assert(property)
  })

  it('are the list, where they replace it', () => {
    const property = fc.property(list, wanted, (before, files) => {
      assert.deepEqual(placeFiles(before, files, 'replace').after, [...new Set(files)])
    })
    fc.assert(property)
  })

  it('each have the place of their record in the list, from 1', () => {
    const property = fc.property(list, wanted, mode, (before, files, how) => {
      const { after, places } = placeFiles(before, files, how)
      assert.deepEqual(
        places.map(({ place }) => after[place - 1]),
        files,
      )
    })
    fc.assert(property)
  })

  it('change nothing the second time, and something whenever the list changes', () => {
    const property = fc.property(list, wanted, mode, (before, files, how) => {
      const first = placeFiles(before, files, how)
      const isOther = JSON.stringify(first.after) !== JSON.stringify(before)
      if (files.length > 0)
        assert.equal(
          first.places.some(({ isChanged }) => isChanged),
          isOther,
        )
      const second = placeFiles(first.after, files, how)
      assert.deepEqual(second.after, first.after)
      assert.ok(second.places.every(({ isChanged }) => !isChanged))
    })
    fc.assert(property)
  })
})
