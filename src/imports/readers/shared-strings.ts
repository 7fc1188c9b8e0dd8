// Stores the texts that cells of a spreadsheet share: outside of the heap, and beyond some size in a file.
// Contract 3 §4.
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { invalid } from '../../kernel/errors.ts'

/** Bytes of a block: longer than any text. */
const BLOCK = 1024 ** 2
/** Blocks in memory. Further blocks lie in the file, and a few of these are cached. */
const KEPT = 24
const AT_HAND = 8
/** Characters of a cell; spreadsheets have the same limit. */
export const MAX_CELL = 32_767
const MAX_TEXTS = 16_000_000
/** Stands for a text longer than a cell may be. */
const TOO_LONG = 0xffffffff

export class SharedStrings {
  readonly #file: string
  readonly #kept: Buffer[] = []
  readonly #atHand = new Map<number, Buffer>()
  #handle: number | undefined
  #block = Buffer.allocUnsafeSlow(BLOCK)
  #blocks = 0
  #used = 0
  #places = new Uint32Array(1024)
  #count = 0

  /** @param file made on demand, for blocks that do not fit in memory */
  constructor(file: string) {
    this.#file = file
  }

  get count(): number {
    return this.#count
  }

  add(text: string): void {
    if (this.#count >= MAX_TEXTS) throw invalid(`The xlsx has more than ${MAX_TEXTS} different texts`)
    if (this.#count === this.#places.length) {
      const more = new Uint32Array(2 * this.#count)
      more.set(this.#places)
      this.#places = more
    }
    this.#places[this.#count] = text.length > MAX_CELL ? TOO_LONG : this.#put(text)
    this.#count += 1
  }

  /** Returns the text; undefined: longer than a cell may be. @throws VALIDATION_ERROR for an unknown index */
  get(index: number): string | undefined {
    if (!(index >= 0 && index < this.#count)) throw invalid('A cell of the xlsx names a text that is not there')
    const place = this.#places[index]!
    if (place === TOO_LONG) return undefined
    const block = this.#find(Math.floor(place / BLOCK))
    const at = place % BLOCK
    const length = block.readUInt32LE(at)
    return block.toString('utf8', at + 4, at + 4 + length)
  }

  close(): void {
    if (this.#handle === undefined) return
    closeSync(this.#handle)
    rmSync(this.#file, { force: true })
  }

  #put(text: string): number {
    const length = Buffer.byteLength(text)
    if (this.#used + 4 + length > BLOCK) this.#endBlock()
    const at = this.#used
    this.#block.writeUInt32LE(length, at)
    this.#block.write(text, at + 4, 'utf8')
    this.#used += 4 + length
    return this.#blocks * BLOCK + at
  }

  #endBlock(): void {
    if (this.#blocks < KEPT) {
      this.#kept.push(this.#block)
      this.#block = Buffer.allocUnsafeSlow(BLOCK)
    } else {
      this.#handle ??= openSync(this.#file, 'wx+', 0o600)
      let written = 0
      const start = (this.#blocks - KEPT) * BLOCK
      while (written < BLOCK) written += writeSync(this.#handle, this.#block, written, BLOCK - written, start + written)
    }
    this.#blocks += 1
    this.#used = 0
  }

  #find(number: number): Buffer {
    if (number < KEPT && number < this.#blocks) return this.#kept[number]!
    if (number === this.#blocks) return this.#block
    let block = this.#atHand.get(number)
    if (block === undefined) {
      const oldest = this.#atHand.size < AT_HAND ? undefined : this.#atHand.entries().next().value!
      if (oldest !== undefined) this.#atHand.delete(oldest[0])
      block = oldest?.[1] ?? Buffer.allocUnsafeSlow(BLOCK)
      let read = 0
      while (read < BLOCK) {
        const some = readSync(this.#handle!, block, read, BLOCK - read, (number - KEPT) * BLOCK + read)
        if (some === 0) throw new Error('The texts of a spreadsheet were cut off')
        read += some
      }
    } else this.#atHand.delete(number)
    // The block is inserted again, so that the least recently used one is dropped first.
    this.#atHand.set(number, block)
    return block
  }
}
