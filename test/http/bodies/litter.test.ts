// That what large bodies leave behind in memory is collected when they are dealt with.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LargeTurns } from '../../../src/http/bodies/large-turns.ts'
import { Litter } from '../../../src/http/bodies/litter.ts'

/** How often the collector was called. */
function countCollections(context: TestContext): { count: number } {
  const seen = { count: 0 }
  const { gc } = globalThis
  context.after(() => (globalThis.gc = gc!))
  globalThis.gc = (() => void (seen.count += 1)) as typeof gc & {}
  return seen
}

const MEGABYTE = 1024 ** 2

test('The collector is called when enough is left behind, once for many bodies and not in their turn', async (context) => {
  const seen = countCollections(context)
  const litter = new Litter(new LargeTurns())
  litter.add(3 * MEGABYTE)
  await nextTurn()
  assert.equal(seen.count, 0)
  litter.add(MEGABYTE)
  litter.add(10 * MEGABYTE)
  assert.equal(seen.count, 0)
  await nextTurn()
  assert.equal(seen.count, 1)
  litter.add(3 * MEGABYTE)
  await nextTurn()
  assert.equal(seen.count, 1)
})

test('Without a collector that can be called nothing happens', async (context) => {
  const { gc } = globalThis
  context.after(() => (globalThis.gc = gc!))
  delete globalThis.gc
  new Litter(new LargeTurns()).add(10 * MEGABYTE)
  await nextTurn()
})
