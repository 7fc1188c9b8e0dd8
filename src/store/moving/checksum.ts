// What tells whether two tables hold the same rows: how many they are, and a sum over their digests, which says nothing of their order.
import { hash } from 'node:crypto'
import type { MovedRow } from './tables.ts'

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
