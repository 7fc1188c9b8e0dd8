// Long lists as JSON: `src/http/answers/list-replies.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { JsonStream, JsonText } from '../../../src/http/answers/replies.ts'
import { jsonOf, listReply, pagedListReply } from '../../../src/http/answers/list-replies.ts'

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

describe('A list of pages in an answer', () => {
  async function* pagesOf(pages: readonly (readonly unknown[])[], begun: unknown[] = []) {
    for (const page of pages) {
      begun.push(page)
      yield page
    }
  }

  const request = { whenRoom: async () => undefined }

  it('waits for room before each page, so that answers which are not taken have a limit', async () => {
    const rooms = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
    const asked: number[] = []
    const waiting = { whenRoom: () => rooms[asked.push(1) - 1]!.promise }
    const begun: unknown[] = []
    const replied = pagedListReply(pagesOf([['a'], ['b']], begun), waiting)
    for (const room of rooms.slice(0, 3)) {
      const before = begun.length
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      assert.equal(begun.length, before)
      assert.equal(asked.length, before + 1)
      room.resolve()
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    }
    assert.equal((await replied).body instanceof JsonText, true)
    assert.equal(begun.length, 2)
  })

  it('is one text where it is short, also without items', async () => {
    for (const pages of [[], [[]], [[1, 2], [], [3]], [[], ['a']]]) {
      const { body } = await pagedListReply(pagesOf(pages), request)
      assert.ok(body instanceof JsonText)
      assert.deepEqual(JSON.parse(body.text), pages.flat())
    }
  })

  it('is read as the client takes it where it is long', async () => {
    const pages = Array.from({ length: 20 }, (_, at) => [String(at % 10).repeat(100_000)])
    const begun: unknown[] = []
    const { body } = await pagedListReply(pagesOf(pages, begun), request)
    assert.ok(body instanceof JsonStream)
    assert.ok(begun.length < 5, `${begun.length} pages before the client takes one`)
    assert.deepEqual(JSON.parse((await Array.fromAsync(body.chunks)).join('')), pages.flat())
  })

  it('shares turns with others: some milliseconds of pages in each', async () => {
    let [inTurn, most] = [0, 0]
    async function* pages() {
      for (let at = 0; at < 4; at += 1) {
        if (inTurn === 0) setImmediate(() => (inTurn = 0))
        most = Math.max(most, (inTurn += at === 0 ? 0 : 1))
        for (const from = performance.now(); performance.now() - from < 3;);
        yield [at]
      }
    }
    await Promise.all(Array.from({ length: 10 }, () => pagedListReply(pages(), request)))
    assert.ok(most <= 3, `${most} pages of 3 ms in one turn`)
  })
})
