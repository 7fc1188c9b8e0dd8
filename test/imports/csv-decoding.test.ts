// The encoding of a csv is found in whatever parts its bytes come: src/imports/readers/csv-decoding.ts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeBytes } from '../../src/imports/readers/csv-decoding.ts'

const MARK = '\ufeff'
const FILES = [
  ['utf-8', 'id;text\na;Größe €😀\n', Buffer.from('id;text\na;Größe €😀\n')],
  ['utf-8', `${MARK}id;text\na;b\n`, Buffer.from(`${MARK}id;text\na;b\n`)],
  ['utf-8', 'id;text\na;b\n', Buffer.from('id;text\na;b\n')],
  ['utf-16le', 'id;text\na;Größe €😀\n', Buffer.from(`${MARK}id;text\na;Größe €😀\n`, 'utf16le')],
  ['utf-16le', 'id;text\na;Größe €😀\n', Buffer.from('id;text\na;Größe €😀\n', 'utf16le')],
  ['windows-1252', 'id;text\na;Größe\n', Buffer.from('id;text\na;Größe\n', 'latin1')],
  ['windows-1252', 'a;ö', Buffer.from('a;ö', 'latin1')],
  ['windows-1252', 'ö', Buffer.from('ö', 'latin1')],
  ['utf-8', 'ö', Buffer.from('ö')],
  ['utf-8', 'a', Buffer.from('a')],
  ['utf-8', MARK, Buffer.from(MARK)],
  ['utf-8', '', Buffer.from('')],
] as const

async function* inParts(bytes: Buffer, ends: readonly number[]): AsyncGenerator<Buffer, void> {
  let from = 0
  for (const end of [...ends, bytes.length]) {
    yield bytes.subarray(from, end)
    from = end
  }
}

async function decode(bytes: Buffer, ends: readonly number[]): Promise<[encoding: string, text: string]> {
  const { chunks, encoding } = decodeBytes(inParts(bytes, ends), undefined)
  const text = Buffer.concat(await Array.fromAsync(chunks)).toString()
  return [encoding(), text]
}

describe('The encoding of a csv', () => {
  it('is the same wherever its bytes are parted, and where each comes by itself', async () => {
    for (const [encoding, text, bytes] of FILES) {
      const places = Array.from(bytes, (_byte, at) => at)
      for (const ends of [[], places, ...places.map((at) => [at])])
        assert.deepEqual(await decode(bytes, ends), [encoding, text], `${encoding} ${text} parted at ${ends.join(' ')}`)
    }
  })
})
