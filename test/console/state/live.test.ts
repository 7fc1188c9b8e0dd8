// Changes made elsewhere while a page is open.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeCall } from '../../../console/api/call.ts'
import { Live } from '../../../console/state/live.ts'
import { type FakeBrowser, json, makeTabs, settle } from '../fake-browser.ts'

const CHANGE = { entityId: 'r1', action: 'update', timestamp: '2026-03-02T09:00:00Z' }

/** A tab whose long polls the test answers. */
function watching(browser: FakeBrowser, random: number) {
  const waiting: ((items: object[]) => void)[] = []
  browser.random = () => random
  browser.answer = (url, init) => {
    if (!url.includes('wait=')) return json({ items: [], cursor: 'c1' })
    return new Promise((resolve, reject) => {
      waiting.push((items) => resolve(json({ items, cursor: 'c2' })))
      init.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
    })
  }
  const call = makeCall({
    fetch: browser.fetch,
    token: () => 't',
    renewedToken: async () => null,
    ended: new AbortController().signal,
    onReached: () => undefined,
  })
  const live = new Live(browser, call)
  const heard: string[] = []
  live.subscribe((changes) => heard.push(...changes.map(({ entityId }) => entityId)))
  return { live, waiting, heard }
}

describe('Live changes', () => {
  it('A5 are waited for from now on, and told', async () => {
    const browser = makeTabs().open()
    const { live, waiting, heard } = watching(browser, 0.1)
    live.start()
    await browser.pass(10)
    assert.equal(browser.requests[0]!.url, '/api/v1/changes?after=latest&entityType=record%2Cmodel&limit=200&unread=0')
    assert.equal(
      browser.requests[1]!.url,
      '/api/v1/changes?after=c1&entityType=record%2Cmodel&limit=200&unread=0&wait=25',
    )
    waiting[0]!([CHANGE])
    await browser.pass(10)
    assert.deepEqual(heard, ['r1'])
    // A pause: under heavy writing, the next changes arrive together.
    assert.equal(browser.requests.length, 2)
    await browser.pass(1000)
    assert.match(browser.requests[2]!.url, /after=c2&.*&wait=25/)
  })

  it('are jumped over where they are too many, but for those of the model', async () => {
    const browser = makeTabs().open()
    const { live, heard } = watching(browser, 0.1)
    const cuts: boolean[] = []
    live.subscribe((_, isCut) => cuts.push(isCut))
    const full = Array.from({ length: 200 }, () => CHANGE)
    const ends = ['c1', 'c9']
    const pages: Record<string, object> = {
      'c1 record,model': { items: full, cursor: 'c2' },
      'c2 model': { items: [{ ...CHANGE, entityId: 'schema-1', entityType: 'schema' }], cursor: 'c5' },
    }
    browser.answer = (url) => {
      const { after, entityType } = Object.fromEntries(new URL(url, 'http://localhost').searchParams)
      const page = after === 'latest' ? { items: [], cursor: ends.shift() } : pages[`${after!} ${entityType!}`]
      return page === undefined ? new Promise(() => undefined) : json(page)
    }
    live.start()
    await browser.pass(10)
    assert.deepEqual([heard.length, heard.at(-1), cuts], [201, 'schema-1', [true]])
    const before = browser.requests.length
    await browser.pass(2900)
    assert.equal(browser.requests.length, before)
    await browser.pass(200)
    assert.match(browser.requests.at(-1)!.url, /after=c9&.*&wait=25/)
  })

  it('two tabs of a browser wait, others ask every five seconds', async () => {
    const tabs = makeTabs()
    const opened = [0.1, 0.2, 0.3].map((random) => {
      const browser = tabs.open()
      const { live } = watching(browser, random)
      live.start()
      return browser
    })
    await opened[0]!.pass(12_000)
    const waits = opened.map(({ requests }) => requests.filter(({ url }) => url.includes('wait=')).length)
    assert.deepEqual(waits, [1, 1, 0])
    assert.equal(opened[2]!.requests.length, 3)
  })

  it('a hidden tab asks nothing and gives up its seat; shown again, it goes on where it was', async () => {
    const tabs = makeTabs()
    const browser = tabs.open()
    const { live } = watching(browser, 0.1)
    live.start()
    await browser.pass(10)
    browser.isShown = false
    browser.emit('hide')
    const before = browser.requests.length
    await browser.pass(60_000)
    assert.equal(browser.requests.length, before)
    assert.equal(browser.shared.length, 0)
    browser.isShown = true
    browser.emit('show')
    await browser.pass(10)
    assert.match(browser.requests.at(-1)!.url, /after=c1/)
  })

  it('a server that is away is asked again after a while', async () => {
    const browser = makeTabs().open()
    const { live } = watching(browser, 0.1)
    browser.answer = () => {
      throw new TypeError('Failed to fetch')
    }
    live.start()
    await browser.pass(9000)
    assert.equal(browser.requests.length, 1)
    await browser.pass(2000)
    assert.equal(browser.requests.length, 2)
    await settle()
  })
})
