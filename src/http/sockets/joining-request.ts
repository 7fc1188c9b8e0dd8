// A request that joins very small chunks of its body. Every chunk costs some 200 bytes of memory, however short it is. So chunks
// are joined if they arrive together, or while nobody reads them. All readers of bodies profit.
import { IncomingMessage } from 'node:http'
import { GatheredBytes } from '../../kernel/json/gathered-bytes.ts'

/** Bytes below which a chunk is small. */
const SMALL = 1024
/** Bytes held back for a reader that has not taken the earlier ones. */
const MOST_HELD = 16 * 1024

export class JoiningRequest extends IncomingMessage {
  /** Most requests have no small chunks. */
  #held: GatheredBytes | undefined
  #isScheduled = false

  /** Node's parser calls this for each chunk, and with null at the end. */
  override push(chunk: Buffer | null): boolean {
    if (chunk === null || chunk.length >= SMALL) {
      this.#give()
      return super.push(chunk)
    }
    const held = (this.#held ??= new GatheredBytes())
    held.add(chunk)
    if (held.length >= MOST_HELD) return this.#give()
    if (!this.#isScheduled) process.nextTick(this.#giveWhatIsWanted)
    this.#isScheduled = true
    return true
  }

  override read(size?: number): unknown {
    if (this.readableLength === 0) this.#give()
    return super.read(size)
  }

  readonly #giveWhatIsWanted = (): void => {
    this.#isScheduled = false
    if (this.readableFlowing === true || this.readableLength === 0) this.#give()
  }

  /** Whether more is wanted. */
  #give(): boolean {
    const held = this.#held
    return held === undefined || held.length === 0 || this.destroyed || super.push(held.take())
  }
}
