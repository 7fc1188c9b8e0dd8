// Writing arriving bytes to a file, with a file that writes slowly, in part, or not at all.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { PimletError } from '../../../src/kernel/errors.ts'
import { writeChunks } from '../../../src/kernel/machine/chunk-writer.ts'

type Write = Parameters<typeof writeChunks>[0]['write']

/** A file that takes at most `most` bytes of a write. `fails` is the number of the first write that fails. */
function slowFile({ most = Infinity, fails = Infinity }: { readonly most?: number; readonly fails?: number }) {
  const written: Buffer[] = []
  const state = { writes: 0, underWay: 0, bytes: 0 }
  const write = async (bytes: Uint8Array, from = 0) => {
    assert.equal(state.underWay, 0, 'one write after another')
    state.underWay += 1
    state.writes += 1
    const count = state.writes
    for (let turn = 0; turn < 3; turn += 1) await nextTurn()
    state.underWay -= 1
    if (count >= fails) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    const taken = bytes.subarray(from, from + Math.min(most, bytes.length - from))
    written.push(Buffer.from(taken))
    state.bytes += taken.length
    return { bytesWritten: taken.length, buffer: bytes }
  }
  return { file: { write: write as Write }, state, bytes: () => Buffer.concat(written).toString() }
}

async function* chunksOf(texts: readonly string[]): AsyncGenerator<Buffer, void> {
  for (const text of texts) {
    yield Buffer.from(text)
    await nextTurn()
  }
}

const none = (): void => undefined

describe('Chunks that arrive faster than the file takes them', () => {
  const texts = Array.from({ length: 100 }, (_, index) => (index % 7 === 0 ? '' : `chunk ${index};`))

  it('are written in order, several at once', async () => {
    const { file, state, bytes } = slowFile({})
    await writeChunks(file, chunksOf(['', ...texts]), none)
    assert.equal(bytes(), texts.join(''))
    assert.ok(state.writes < texts.length / 2, `${state.writes} writes`)
  })

  it('are written whole to a file that takes a part of each write', async () => {
    const { file, bytes } = slowFile({ most: 5 })
    await writeChunks(file, chunksOf(texts), none)
    assert.equal(bytes(), texts.join(''))
  })

  it('wait for the file when much has gathered', async () => {
    const { file, state } = slowFile({})
    let ahead = 0
    async function* large(): AsyncGenerator<Buffer, void> {
      for (let given = 0; given < 4e6; given += 64_000) {
        ahead = Math.max(ahead, given - state.bytes)
        yield Buffer.alloc(64_000)
      }
    }
    await writeChunks(file, large(), none)
    assert.ok(ahead <= 512_000, `${ahead} bytes gathered`)
  })
})

describe('A file that cannot be written', () => {
  it('fails as storage that is full, and nothing is being written any more', async () => {
    for (const fails of [1, 2]) {
      const { file, state } = slowFile({ fails })
      const isFull = (error: unknown): boolean => error instanceof PimletError && error.code === 'UNAVAILABLE'
      await assert.rejects(writeChunks(file, chunksOf(['a', 'b', 'c', 'd', 'e', 'f', 'g']), none), isFull)
      assert.equal(state.underWay, 0)
    }
  })

  it('is left alone when the chunks break off', async () => {
    const { file, state, bytes } = slowFile({})
    const note = (chunk: Uint8Array): void => {
      if (chunk[0] === 0x63) throw new Error('too large')
    }
    await assert.rejects(writeChunks(file, chunksOf(['a', 'b', 'c', 'd']), note), /too large/)
    assert.equal(state.underWay, 0)
    assert.equal(bytes(), 'a')
  })
})
