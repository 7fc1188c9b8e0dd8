// Sends a large answer piece by piece, at the speed of the client. So the amount that the client has taken is known.
import { endOfPart } from '../../kernel/text.ts'
import { ClientGone } from '../bodies/body.ts'
import type { Packing } from './gzip.ts'
import type { Exchange } from '../pipeline/exchange.ts'

/** Bytes of an answer that are sent at once: less than a client must take within the window of `UnsentLimits`. */
export const AT_ONCE = 131_072
/** UTF-16 units. */
const SLICE = 65_536

/** Ends the response with `text`, of `length` bytes, or when the client leaves. Then `packing` is closed. */
export function sendInSlices(exchange: Exchange, text: string, length: number, packing?: Packing): void {
  const { response } = exchange
  writeInSlices(exchange, text, length, packing)
    .then(async () => response.end(await packing?.end()))
    .catch(() => response.destroy())
    .finally(() => packing?.close())
}

/** Resolves when the system has taken all of `text`, of `length` bytes, for the client. @throws ClientGone */
export function writeInSlices(exchange: Exchange, text: string, length: number, packing?: Packing): Promise<void> {
  return writePieces(exchange, piecesOf(text), length, packing)
}

/** The same of bytes. */
export function writeBytes(exchange: Exchange, bytes: Uint8Array): Promise<void> {
  return writePieces(exchange, slicesOf(bytes), bytes.length)
}

function* piecesOf(text: string): Generator<Uint8Array, void> {
  for (let from = 0, end = 0; from < text.length; from = end) {
    end = endOfPart(text, from + SLICE)
    // Piece by piece, too: a large answer is not in memory twice.
    yield Buffer.from(text.slice(from, end))
  }
}

function* slicesOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let from = 0; from < bytes.length; from += SLICE) yield bytes.subarray(from, from + SLICE)
}

async function writePieces(
  { response, unsent }: Exchange,
  pieces: Iterable<Uint8Array>,
  length: number,
  packing?: Packing,
): Promise<void> {
  if (response.destroyed) throw new ClientGone()
  unsent.hold(length)
  let reject = (_error: Error): void => undefined
  const leave = (): void => reject(new ClientGone())
  response.once('close', leave)
  for (const slice of pieces) {
    if (response.destroyed) break
    const bytes =
      packing === undefined ? slice : await packing.add(Buffer.from(slice.buffer, slice.byteOffset, slice.length))
    if (response.destroyed) break
    if (bytes.length > 0) {
      const taken = Promise.withResolvers<void>()
      reject = taken.reject
      response.write(bytes, (error) => (error ? leave() : taken.resolve()))
      await taken.promise
    }
    unsent.release(slice.length)
  }
  response.off('close', leave)
  if (response.destroyed) throw new ClientGone()
}

/** Counts bytes that remain unsent after the end of a response; usually there are none. */
export function noteUnsent({ response, unsent }: Exchange): void {
  const left = response.writableLength
  if (left === 0) return
  unsent.hold(left)
  response.once('close', () => unsent.release(left))
}
