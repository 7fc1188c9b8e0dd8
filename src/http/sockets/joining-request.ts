// A request whose body may come in very small chunks. To keep a chunk takes some 200 bytes of memory, however short it is: so chunks that
// arrive at once, or while nobody takes them, are joined. This holds for all readers of bodies.
import { IncomingMessage } from 'node:http'
import { GatheredBytes } from '../../kernel/json/gathered-bytes.ts'

/** Bytes below which a chunk is small. */
const SMALL = 1024
/** Bytes that are held back for a reader who has not taken those before. */
const MOST_HELD = 16 * 1024

export class JoiningRequest extends IncomingMessage {
  readonly #held = new GatheredBytes()
  #isScheduled = false

  /** Node's parser calls it for each chunk, and with null at the end. */
  override push(chunk: Buffer | null): boolean {
    if (chunk === null || chunk.length >= SMALL) {
      this.#give()
      return super.push(chunk)
    }
    this.#held.add(chunk)
    if (this.#held.length >= MOST_HELD) return this.#give()
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
    return this.#held.length === 0 || this.destroyed || super.push(this.#held.take())
  }
}
