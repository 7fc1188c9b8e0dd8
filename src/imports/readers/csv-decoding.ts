// Converts the bytes of a csv from any supported encoding to UTF-8 as they arrive. Contract 3 §4.
import { isAscii, isUtf8 } from 'node:buffer'
import type { Encoding } from '../../core/csv/source-dialect.ts'
import { invalid } from '../../kernel/errors.ts'

/** Bytes at the beginning that are looked at together: the first chunk of a request can be a single byte. */
const ENOUGH_FOR_MARKS = 4

interface DecodedBytes {
  /** The bytes in UTF-8. Bytes that are mostly UTF-8, or were declared so, are unchanged. */
  readonly chunks: AsyncIterable<Buffer>
  /** The encoding as far as known: the first character beyond ASCII settles the encoding. */
  readonly encoding: () => Encoding
  readonly isKnown: () => boolean
}

/** @param asked undefined: the encoding is detected */
export function decodeBytes(source: AsyncIterable<Buffer>, asked: Encoding | undefined): DecodedBytes {
  let encoding: Encoding | undefined = asked
  let decoder: InstanceType<typeof TextDecoder> | undefined
  /** Bytes that may begin a character, and so settle nothing yet. */
  let held: Buffer = NOTHING
  const take = (chunk: Buffer): Buffer => {
    if (encoding === undefined || encoding === 'utf-8') return chunk
    decoder ??= new TextDecoder(encoding)
    return Buffer.from(decoder.decode(chunk, { stream: true }))
  }
  /** Returns the settled part of the bytes, and holds the rest. */
  const settle = (chunk: Buffer, isFirst: boolean): Buffer => {
    if (encoding === undefined && isFirst) encoding = encodingByMarks(chunk)
    if (encoding !== undefined || isAscii(chunk)) return chunk
    encoding = encodingOf(chunk)
    if (encoding !== undefined) return chunk
    held = chunk.subarray(asciiLength(chunk))
    return chunk.subarray(0, asciiLength(chunk))
  }
  async function* chunks(): AsyncGenerator<Buffer, void> {
    let isFirst = true
    for await (const arrived of source) {
      const chunk = held.length === 0 ? arrived : Buffer.concat([held, arrived])
      held = NOTHING
      if (isFirst && chunk.length < ENOUGH_FOR_MARKS) {
        held = chunk
        continue
      }
      yield take(settle(chunk, isFirst))
      isFirst = false
    }
    if (isFirst && held.length > 0) {
      const few = held
      held = NOTHING
      yield take(settle(few, true))
    }
    if (held.length > 0) encoding = 'windows-1252'
    if (held.length > 0) yield take(held)
    if (decoder !== undefined) yield Buffer.from(decoder.decode())
  }
  return { chunks: chunks(), encoding: () => encoding ?? 'utf-8', isKnown: () => encoding !== undefined }
}

const NOTHING = Buffer.alloc(0)

/** @throws VALIDATION_ERROR for an unsupported encoding */
function encodingByMarks(chunk: Buffer): Encoding | undefined {
  if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) return 'utf-8'
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le'
  if (chunk[0] === 0xfe && chunk[1] === 0xff)
    throw invalid('The file is UTF-16 with its bytes in big-endian order: save it as UTF-8')
  const pairs = Math.min(chunk.length, 1000) >> 1
  let zeros = 0
  for (let at = 0; at < pairs; at += 1) if (chunk[2 * at] !== 0 && chunk[2 * at + 1] === 0) zeros += 1
  return pairs > 0 && zeros > pairs / 2 ? 'utf-16le' : undefined
}

/**
 * Detects the encoding: windows-1252 text almost never forms valid UTF-8 characters, and damaged UTF-8 still has many.
 * Undefined: the only such character is incomplete at the end.
 */
function encodingOf(chunk: Buffer): Encoding | undefined {
  if (isUtf8(chunk)) return 'utf-8'
  let valid = 0
  let wrong = 0
  for (let at = 0; at < chunk.length;) {
    const length = lengthOf(chunk[at]!)
    if (length === 1) at += 1
    else if (length > 1 && isBegun(chunk.subarray(at), length)) break
    else if (length > 1 && isUtf8(chunk.subarray(at, at + length))) {
      valid += 1
      at += length
    } else {
      wrong += 1
      at += 1
    }
  }
  if (valid + wrong === 0) return undefined
  return valid >= wrong ? 'utf-8' : 'windows-1252'
}

/** Whether `rest` is only the first part of a character of `length` bytes. */
function isBegun(rest: Buffer, length: number): boolean {
  return rest.length < length && rest.subarray(1).every((byte) => byte >= 0x80 && byte < 0xc0)
}

function asciiLength(chunk: Buffer): number {
  return chunk.findIndex((byte) => byte >= 0x80)
}

/** Returns the bytes of the character that this byte begins; 0: the byte begins none. */
function lengthOf(byte: number): number {
  if (byte < 0x80) return 1
  if (byte < 0xc2 || byte > 0xf4) return 0
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
}
