// Bytes that are kept as they arrive. A part in memory costs some 200 bytes beside its own, so small parts are joined at once.

/** Parts of this many bytes are kept uncopied. */
const LARGE = 4096
/** How many times its own bytes a part may keep in memory. */
const MOST_KEPT = 4
/** Bytes of the first block for small parts, and of the largest. Each is twice as long as the one before. */
const [FIRST_BLOCK, LAST_BLOCK] = [256, 64 * 1024] as const

export class GatheredBytes {
  #parts: Uint8Array[] = []
  /** The single part, while there is only one. */
  #only: Uint8Array | undefined
  #block: Buffer = Buffer.alloc(0)
  /** The begin of the block's unused rest. */
  #from = 0
  #used = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  add(part: Uint8Array): void {
    this.#length += part.length
    // One that is cut out of a much larger buffer would keep all of that in memory.
    if (this.#length === part.length && part.buffer.byteLength <= part.length * MOST_KEPT) {
      this.#only = part
      return
    }
    if (this.#only !== undefined) this.#append(this.#only)
    this.#only = undefined
    this.#append(part)
  }

  /** Returns all bytes in one piece, and keeps none. */
  take(): Buffer {
    const only = this.#only
    if (only === undefined) this.#cut()
    const parts = only === undefined ? this.#parts : [only]
    this.clear()
    const [first] = parts
    return parts.length === 1 && Buffer.isBuffer(first) ? first : Buffer.concat(parts)
  }

  clear(): void {
    this.#parts = []
    this.#only = undefined
    this.#block = Buffer.alloc(0)
    this.#from = this.#used = 0
    this.#length = 0
  }

  #append(part: Uint8Array): void {
    if (part.length >= LARGE) {
      this.#cut()
      this.#parts.push(part)
      return
    }
    if (this.#used + part.length > this.#block.length) this.#openBlock(part.length)
    this.#block.set(part, this.#used)
    this.#used += part.length
  }

  #openBlock(least: number): void {
    this.#cut()
    const size = Math.min(LAST_BLOCK, Math.max(FIRST_BLOCK, this.#block.length * 2))
    this.#block = Buffer.allocUnsafeSlow(Math.max(size, least))
    this.#from = this.#used = 0
  }

  /** Ends the current part of the block; the rest of the block remains in use. */
  #cut(): void {
    if (this.#used > this.#from) this.#parts.push(this.#block.subarray(this.#from, this.#used))
    this.#from = this.#used
  }
}
