// Judges how the time of work grows with its input, by the time of the thread.
import assert from 'node:assert/strict'
import { threadTime } from './thread-time.ts'

/** Milliseconds. Less cannot be told from nothing. */
const LEAST = 5

/** Fails where `large` takes more than thrice its share of what `small` takes, which is less than a square. */
export async function assertProportional(
  [small, large]: readonly [small: number, large: number],
  work: (size: number) => unknown,
): Promise<void> {
  await work(small)
  const few = await timeOf(() => work(small))
  const many = await timeOf(() => work(large))
  const most = (3 * Math.max(LEAST, few) * large) / small
  assert.ok(many <= most, `${many} ms for ${large}, and ${few} ms for ${small}`)
}

async function timeOf(work: () => unknown): Promise<number> {
  const started = threadTime()
  await work()
  return threadTime() - started
}
