// A list read in pages: `console/grid/page-store.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KEPT_PAGES, type PageAnswer, type PageQuestion, PageStore } from '../../../console/grid/page-store.ts'

interface Asked {
  readonly question: PageQuestion
  readonly signal: AbortSignal
  readonly answer: (part?: Partial<PageAnswer<string>>) => Promise<void>
  readonly fail: (error: Error) => Promise<void>
}

/** A list of `total` rows, `row 0` and so on, whose answers arrive when the test says so. */
function makeList(total = 100_000) {
  const asked: Asked[] = []
  const failures: unknown[] = []
  let now = 0
  let waiting: { work: () => void; at: number }[] = []
  const read = (question: PageQuestion, signal: AbortSignal): Promise<PageAnswer<string>> =>
    new Promise((resolve, reject) => {
      const settle = async (): Promise<void> => {
        await new Promise((done) => setImmediate(done))
      }
      const { offset, limit } = question
      const rows = Array.from({ length: Math.min(limit, total - offset) }, (_, index) => `row ${offset + index}`)
      asked.push({
        question,
        signal,
        answer: (part = {}) => {
          resolve({ rows, total: question.total ? total : undefined, next: `after ${offset + limit - 1}`, ...part })
          return settle()
        },
        fail: (error) => {
          reject(error)
          return settle()
        },
      })
    })
  const later = (work: () => void, milliseconds: number) => {
    const entry = { work, at: now + milliseconds }
    waiting.push(entry)
    return () => {
      waiting = waiting.filter((one) => one !== entry)
    }
  }
  const pass = (milliseconds: number): void => {
    now += milliseconds
    const due = waiting.filter(({ at }) => at <= now)
    waiting = waiting.filter(({ at }) => at > now)
    for (const { work } of due) work()
  }
  const events = { changed: () => undefined, failed: (error: unknown) => void failures.push(error) }
  const store = new PageStore(read, events, { now: () => now, later })
  return { store, asked, failures, pass, read }
}

/** Looks at rows after a pause in scrolling. */
async function show({ store, asked, pass }: ReturnType<typeof makeList>, first: number, last: number) {
  pass(1000)
  const before = asked.length
  store.want(first, last)
  for (const one of asked.slice(before)) await one.answer()
}

describe('page store', () => {
  it('G1: asks once for each page that is shown, and once how many there are', async () => {
    const list = makeList()
    await show(list, 0, 30)
    for (let row = 0; row < 60; row += 1) list.store.want(row, row + 30)
    await show(list, 80, 120)
    list.store.want(0, 150)
    assert.deepEqual(
      list.asked.map(({ question }) => [question.offset, question.total]),
      [
        [0, true],
        [100, false],
      ],
    )
    assert.equal(list.store.total, 100_000)
    assert.equal(list.store.row(117), 'row 117')
    assert.equal(list.store.row(217), undefined)
  })

  it('G1: goes on by the cursor of the page before, and jumps by offset', async () => {
    const list = makeList()
    await show(list, 0, 30)
    await show(list, 100, 130)
    await show(list, 99_900, 99_930)
    assert.deepEqual(
      list.asked.map(({ question: { after, offset } }) => after ?? offset),
      [0, 'after 99', 99_900],
    )
    assert.equal(list.store.row(99_999), 'row 99999')
  })

  it('G1: gives up what was scrolled past, and asks for nothing while one flies by', async () => {
    const list = makeList()
    await show(list, 0, 30)
    list.pass(1000)
    list.store.want(5000, 5030)
    for (let row = 6000; row < 40_000; row += 100) {
      list.pass(16)
      list.store.want(row, row + 30)
    }
    assert.equal(list.asked.length, 2)
    assert.equal(list.asked[1]!.signal.aborted, true)
    list.pass(60)
    assert.equal(list.asked.at(-1)!.question.offset, 39_900)
    assert.equal(list.asked.length, 3)
  })

  it('keeps a bounded number of pages, those that were looked at last', async () => {
    const list = makeList()
    for (let page = 0; page < KEPT_PAGES + 10; page += 1) await show(list, page * 100, page * 100 + 30)
    assert.equal([...list.store.entries()].length, KEPT_PAGES * 100)
    assert.equal(list.store.row(0), undefined)
    assert.equal(list.store.row(5950), 'row 5950')
  })

  it('A2: what is there stays until it has been read again', async () => {
    const list = makeList()
    await show(list, 0, 30)
    list.store.renew()
    assert.equal(list.store.row(3), 'row 3')
    assert.equal(list.store.isCurrent, false)
    await list.asked.at(-1)!.answer({ rows: ['other'], total: 1 })
    assert.equal(list.store.row(0), 'other')
    assert.equal(list.store.total, 1)
    assert.equal(list.store.isCurrent, true)
  })

  it('A2: after another question no row of the one before comes up', async () => {
    const list = makeList()
    await show(list, 0, 30)
    await show(list, 100, 130)
    list.store.want(0, 30)
    list.store.renew(list.read)
    assert.equal(list.store.row(103), 'row 103')
    await list.asked.at(-1)!.answer()
    assert.equal(list.store.row(3), 'row 3')
    assert.equal(list.store.row(103), undefined)
  })

  it('takes no answer that came too late', async () => {
    const list = makeList()
    list.store.want(0, 30)
    list.store.renew(list.read)
    await list.asked[0]!.answer({ rows: ['late'] })
    assert.equal(list.store.row(0), undefined)
    await list.asked[1]!.answer()
    assert.equal(list.store.row(0), 'row 0')
  })

  it('A3: tells of a failure once, and tries again when it is told to', async () => {
    const list = makeList()
    list.store.want(0, 30)
    await list.asked[0]!.fail(new Error('gone'))
    list.store.want(0, 30)
    assert.equal(list.asked.length, 1)
    assert.equal(list.failures.length, 1)
    list.store.tryAgain()
    await list.asked[1]!.answer()
    assert.equal(list.store.row(0), 'row 0')
  })

  it('puts a changed row in the place of the other, wherever it is kept', async () => {
    const list = makeList()
    await show(list, 0, 30)
    list.store.update((row) => (row === 'row 7' ? 'changed' : undefined))
    assert.equal(list.store.row(7), 'changed')
    assert.equal(list.store.row(8), 'row 8')
  })

  it('reads held rows one page after another, and keeps them while other rows are in view', async () => {
    const list = makeList()
    await show(list, 0, 30)
    const held = list.store.hold(0, 320)
    for (let page = 1; page <= 3; page += 1) {
      assert.equal(list.asked.length, page + 1)
      list.store.want(5000, 5030)
      list.store.rest()
      assert.equal(list.asked[page]!.signal.aborted, false)
      await list.asked[page]!.answer()
    }
    await held
    for (let page = 10; page < 10 + 2 * KEPT_PAGES; page += 1) await show(list, page * 100, page * 100 + 30)
    assert.equal(list.store.row(320), 'row 320')
    await list.store.hold(0, -1)
    for (let page = 10; page < 10 + 2 * KEPT_PAGES; page += 1) await show(list, page * 100, page * 100 + 30)
    assert.equal(list.store.row(320), undefined)
  })

  it('reads held rows also before the number of rows is known', async () => {
    const list = makeList()
    list.store.want(0, 30)
    const held = list.store.hold(0, 150)
    await list.asked[0]!.answer()
    await list.asked[1]!.answer()
    await held
    assert.equal(list.store.row(150), 'row 150')
  })

  it('holds no further rows after a failure or another call', async () => {
    const list = makeList()
    await show(list, 0, 30)
    const first = list.store.hold(0, 1000)
    const second = list.store.hold(0, 250)
    await list.asked[1]!.answer()
    await first
    await list.asked[2]!.fail(new Error('gone'))
    await second
    assert.equal(list.asked.length, 3)
    assert.equal(list.failures.length, 1)
  })
})
