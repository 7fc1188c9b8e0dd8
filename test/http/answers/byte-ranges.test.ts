// The Range header: RFC 9110 §14.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readRange } from '../../../src/http/answers/byte-ranges.ts'

describe('A range of ten bytes', () => {
  const cases: readonly (readonly [string | undefined, ReturnType<typeof readRange>])[] = [
    [undefined, undefined],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=3-', { start: 3, end: 9 }],
    ['bytes=3-99', { start: 3, end: 9 }],
    ['bytes=-4', { start: 6, end: 9 }],
    ['bytes=-40', { start: 0, end: 9 }],
    ['BYTES=1-2', { start: 1, end: 2 }],
    ['bytes=10-', 'none'],
    ['bytes=10-12', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=5-4', undefined],
    ['bytes=0-1,4-5', undefined],
    ['bytes=-', undefined],
    ['lines=0-1', undefined],
    ['bytes=a-b', undefined],
  ]
  for (const [header, expected] of cases)
    it(`${header ?? 'without a header'} is ${JSON.stringify(expected)}`, () =>
      assert.deepEqual(readRange(header, 10), expected))

  it('of an empty file is never there', () => {
    assert.equal(readRange('bytes=0-', 0), 'none')
    assert.equal(readRange('bytes=-1', 0), 'none')
  })

  it('never leaves the file, whatever is asked', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(2000), fc.nat(2000), (size, first, last) => {
        for (const header of [`bytes=${first}-${last}`, `bytes=${first}-`, `bytes=-${last}`]) {
          const range = readRange(header, size)
          if (typeof range === 'object') assert.ok(0 <= range.start && range.start <= range.end && range.end < size)
        }
      }),
    )
  })
})
