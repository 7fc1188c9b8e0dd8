// The settings of built-in destinations have words of the console.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { destinationWords as en } from '../../../console/words/en/destinations.ts'
import { builtInDestinations } from '../../../plugins/index.ts'

describe('The settings of a built-in destination', () => {
  it('have a name each, and no word is for a setting that no destination has', () => {
    const all = builtInDestinations.map(({ type, keys }) => ({ type, keys: keys ?? assert.fail(`${type} lacks keys`) }))
    const names = all.flatMap(({ keys }) => keys.map((key) => `setting.${key}`))
    const hints = all.flatMap(({ type, keys }) => keys.map((key) => `setting.${type}.${key}`))
    const types = all.map(({ type }) => `setting.${type}`)
    const words = Object.keys(en)
    assert.deepEqual(
      names.filter((name) => !words.includes(name)),
      [],
    )
    assert.deepEqual(
      words.filter((word) => ![...names, ...hints, ...types].includes(word)),
      [],
    )
  })
})
