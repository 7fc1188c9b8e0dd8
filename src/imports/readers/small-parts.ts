// Reads a small part of a zip at once: yauzl reads 64 KiB at a time, and of one part at a time.
import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

/** Sizes and method in an entry of the directory of a zip. */
interface PackedPart {
  readonly compressedSize: number
  readonly uncompressedSize: number
  readonly compressionMethod: number
}

/** Packed and unpacked bytes. */
const SMALL = 1024 ** 2
const STORED = 0
const inflate = promisify(inflateRaw)

export function isSmall({ compressedSize, uncompressedSize }: PackedPart): boolean {
  return Math.max(compressedSize, uncompressedSize) <= SMALL
}

/** The unpacked bytes. @param start where the packed bytes begin. @throws an error for a damaged part, the system's error */
export async function readSmallPart(file: FileHandle, start: number, part: PackedPart): Promise<Buffer> {
  const packed = Buffer.allocUnsafeSlow(part.compressedSize)
  for (let at = 0; at < packed.length;) {
    const { bytesRead } = await file.read(packed, at, packed.length - at, start + at)
    if (bytesRead === 0) throw new Error('the part ends before its last byte')
    at += bytesRead
  }
  if (part.compressionMethod === STORED) return packed
  const bytes = await inflate(packed, { maxOutputLength: Math.max(1, part.uncompressedSize) })
  if (bytes.length !== part.uncompressedSize) throw new Error('the part has another size than the directory says')
  return bytes
}
