// What stands for the key of a unique value where keys may be too long to be compared.
import { createHash } from 'node:crypto'

/** By its UTF-16 units: UTF-8 has one character for all halves of pairs. */
export function digestOfKey(key: string): Buffer {
  return createHash('sha256').update(Buffer.from(key, 'utf16le')).digest()
}
