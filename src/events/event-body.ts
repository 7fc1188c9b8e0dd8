// The body of a request that delivers events. It may be large, so it consists of small pieces. Contract 3 §6.
import { writeCursor } from '../core/feed/rules/cursors.ts'
import type { ReadEvent } from '../store/subscription-port.ts'

interface ToldEvent {
  readonly type: string
  readonly timestamp: string
  readonly cursor: string
  /** JSON, as bytes. */
  readonly data: Uint8Array
}

/** Bytes of a piece, at most. */
const PIECE = 128 * 1024

/** `isList`: an array, also of one. */
export function toBody(events: readonly ToldEvent[], isList: boolean): Uint8Array[] {
  const parts = events.flatMap(({ data, ...event }, index) => {
    const before = index > 0 ? ',' : isList ? '[' : ''
    const after = isList && index === events.length - 1 ? '}]' : '}'
    return [Buffer.from(`${before}${JSON.stringify(event).slice(0, -1)},"data":`), data, Buffer.from(after)]
  })
  return inPieces(parts)
}

/** Small parts together, large ones cut where they are. */
function inPieces(parts: readonly Uint8Array[]): Uint8Array[] {
  const pieces: Uint8Array[] = []
  let [held, size]: [Uint8Array[], number] = [[], 0]
  const flush = (): void => {
    if (size > 0) pieces.push(held.length === 1 ? held[0]! : Buffer.concat(held))
    ;[held, size] = [[], 0]
  }
  for (const part of parts)
    for (let at = 0; at < part.length; at += PIECE) {
      const slice = part.subarray(at, at + PIECE)
      if (size + slice.length > PIECE) flush()
      held.push(slice)
      size += slice.length
    }
  flush()
  return pieces
}

/** The members in the order in which they are sent. */
export function asTold({ type, timestamp, sequence, data }: ReadEvent): ToldEvent {
  return { type, timestamp, cursor: writeCursor(sequence), data }
}
