// Digests for moving: of keys that may be too long to compare, and of all rows of a table.
import { createHash, hash } from 'node:crypto'
import type { MovedRow } from './tables.ts'

/** Digests the UTF-16 units of a key: UTF-8 has the same character for all unpaired surrogates. */
export function digestOfKey(key: string): Buffer {
  return createHash('sha256').update(Buffer.from(key, 'utf16le')).digest()
}

const BITS = 128

export class Checksum {
  #rows = 0
  #sum = 0n

  add(rows: readonly MovedRow[]): void {
    this.#rows += rows.length
    for (const row of rows) this.#sum += digestOf(row)
  }

  get rows(): number {
    return this.#rows
  }

  /** In hexadecimal digits. */
  get sum(): string {
    return BigInt.asUintN(BITS, this.#sum)
      .toString(16)
      .padStart(BITS / 4, '0')
  }
}

function digestOf(row: MovedRow): bigint {
  const text = JSON.stringify(row.map((cell) => (Buffer.isBuffer(cell) ? cell.toString('base64') : cell)))
  const digest = hash('sha256', text, 'buffer')
  return (digest.readBigUInt64BE(0) << 64n) | digest.readBigUInt64BE(8)
}
