// Thumbnails: which are requested while the user scrolls, and how many at a time.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Call } from '../../../console/api/call.ts'
import { Thumbs } from '../../../console/state/thumbs.ts'
import { fakeBrowser } from '../fake-browser.ts'

interface Asked {
  readonly id: string
  readonly signal: AbortSignal
  readonly answer: (content: Blob) => void
}

function thumbsOf() {
  const browser = fakeBrowser()
  const asked: Asked[] = []
  const call = ((_: string, { params, signal }: { params: { id: string }; signal: AbortSignal }) =>
    new Promise((resolve, reject) => {
      asked.push({ id: params.id, signal, answer: (body) => resolve({ body }) })
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })) as unknown as Call
  const shown: string[] = []
  const thumbs = new Thumbs(call, browser)
  const want = (recordId: string) => thumbs.want({ recordId, sha256: '', preset: 'thumb' }, () => shown.push(recordId))
  return { browser, asked, shown, want, ids: () => asked.map(({ id }) => id) }
}

describe('Thumbnails', () => {
  it('that a fast scroll passes are not requested', async () => {
    const { browser, ids, want } = thumbsOf()
    for (let row = 0; row < 20; row += 1) {
      const release = want(`row-${row}`)
      await browser.pass(20)
      release()
    }
    want('last')
    await browser.pass(80)
    assert.deepEqual(ids(), ['last'])
  })

  it('are not requested behind a short rest while the scroll goes on', async () => {
    const { browser, asked, ids, want } = thumbsOf()
    want('resting')
    await browser.pass(80)
    const release = want('passing')
    asked[0]!.answer(new Blob())
    await browser.pass(20)
    assert.deepEqual(ids(), ['resting'])
    release()
    want('last')
    await browser.pass(80)
    assert.deepEqual(ids(), ['resting', 'last'])
  })

  it('are requested three at a time; one that leaves the page makes room', async () => {
    const { browser, asked, shown, ids, want } = thumbsOf()
    const releases = ['a', 'b', 'c', 'd', 'e'].map(want)
    await browser.pass(80)
    assert.deepEqual(ids(), ['a', 'b', 'c'])
    asked[0]!.answer(new Blob())
    await browser.pass(0)
    assert.deepEqual(shown, ['a'])
    assert.deepEqual(ids(), ['a', 'b', 'c', 'd'])
    releases[1]!()
    await browser.pass(0)
    assert.equal(asked[1]!.signal.aborted, true)
    assert.deepEqual(ids(), ['a', 'b', 'c', 'd', 'e'])
    for (const { answer } of asked) answer(new Blob())
    await browser.pass(0)
    assert.deepEqual(shown, ['a', 'c', 'd', 'e'])
  })
})
