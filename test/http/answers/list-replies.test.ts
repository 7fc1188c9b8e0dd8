// Long lists as JSON: `src/http/answers/list-replies.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { jsonOf, listReply } from '../../../src/http/answers/list-replies.ts'

/** Takes two milliseconds for each item. */
function* slowly(items: readonly number[]): Generator<string, void> {
  for (const item of items) {
    for (const from = performance.now(); performance.now() - from < 2;);
    yield JSON.stringify(item)
  }
}

describe('A list in an answer', () => {
  it('lets others take their turn while it is made', async () => {
    const items = Array.from({ length: 40 }, (_, at) => at)
    let turns = 0
    let isMade = false
    const count = (): void => {
      turns += 1
      if (!isMade) setImmediate(count)
    }
    setImmediate(count)
    const { body } = await listReply(slowly(items))
    isMade = true
    assert.equal(body.text, JSON.stringify(items))
    assert.ok(turns >= 5, `${turns} turns in 80 ms`)
  })

  it('is made after another long one, which ends first also if it fails', async () => {
    function* failing(): Generator<string, void> {
      yield* slowly([1, 2, 3, 4, 5])
      throw new Error('no more')
    }
    const ended: string[] = []
    const list = (name: string, items: Iterable<string>) =>
      listReply(items).then(
        () => void ended.push(name),
        () => void ended.push(`${name} failed`),
      )
    const items = Array.from({ length: 10 }, (_, at) => at)
    await Promise.all([list('first', slowly(items)), list('second', failing()), list('third', slowly([1, 2, 3]))])
    assert.deepEqual(ended, ['first', 'second failed', 'third'])
  })

  it('stands between two texts, also without items', async () => {
    const around = ['{"items":[', '],"total":0}'] as const
    assert.equal((await listReply([], around)).body.text, '{"items":[],"total":0}')
    const items = [{ a: 1 }, 'b']
    assert.deepEqual(JSON.parse((await listReply(jsonOf(items), around)).body.text), { items, total: 0 })
  })
})
