// That large bodies are made values of one at a time, and that others have their time between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { LargeTurns } from '../../src/kernel/large-turns.ts'

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end) Math.random()
}

test('After a long turn others have as long as it took before the next one', async () => {
  const turns = new LargeTurns()
  const begins: number[] = []
  const ends: number[] = []
  const take = async (): Promise<void> => {
    await turns.take()
    begins.push(performance.now())
    work(40)
    ends.push(performance.now())
  }
  await Promise.all([take(), take(), take()])
  assert.ok(begins[1]! - ends[0]! >= 38, `${begins[1]! - ends[0]!} ms`)
  assert.ok(begins[2]! - ends[1]! >= 38, `${begins[2]! - ends[1]!} ms`)
})

test('Two turns are never in one turn of the event loop', async () => {
  const turns = new LargeTurns()
  let seen = 0
  const [one, two] = [turns.take(), turns.take()]
  void two.then(() => (seen += 1))
  await one
  for (let microtask = 0; microtask < 20; microtask += 1) await Promise.resolve()
  assert.equal(seen, 0)
  await two
  assert.equal(seen, 1)
})

test('One who comes after the rest is over does not wait', async () => {
  const turns = new LargeTurns()
  await turns.take()
  work(20)
  // The rest begins with the next turn of the event loop, and lasts 500 ms at most.
  await nextTurn()
  await sleep(550)
  let isTaken = false
  void turns.take().then(() => (isTaken = true))
  for (let microtask = 0; microtask < 20; microtask += 1) await Promise.resolve()
  assert.ok(isTaken)
})
