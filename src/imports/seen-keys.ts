// Which line of a file had a key: hashes in tables of numbers, since a file may have millions of rows. A million keys take 16 to 32 MB.
// Contract 3 §12.
import { hash } from 'node:crypto'
import { PimletError } from '../kernel/errors.ts'

/** A table that grows is made anew: small ones let nobody wait for it. */
const TABLES = 1024
const FIRST_SLOTS = 8
/** Two halves of the hash, and the line: 0 where there is none. */
const SLOT = 3
const MAX_KEYS = 40_000_000

interface Table {
  slots: Uint32Array
  used: number
}

export class SeenKeys {
  readonly #tables: (Table | undefined)[] = []
  #size = 0

  /** The line that is kept for the key; undefined: there is none. */
  get(key: string): number | undefined {
    const [high, low] = hashOf(key)
    const slots = this.#tables[high % TABLES]?.slots
    if (slots === undefined) return undefined
    return slots[find(slots, high, low) + 2] || undefined
  }

  /** @throws LIMIT_EXCEEDED */
  set(key: string, line: number): void {
    const [high, low] = hashOf(key)
    const table = (this.#tables[high % TABLES] ??= { slots: new Uint32Array(FIRST_SLOTS * SLOT), used: 0 })
    const at = find(table.slots, high, low)
    const isNew = table.slots[at + 2] === 0
    table.slots.set([high, low, line], at)
    if (!isNew) return
    this.#size += 1
    if (this.#size > MAX_KEYS) throw new PimletError('LIMIT_EXCEEDED', `One file may have ${MAX_KEYS} keys at most`)
    table.used += 1
    if (table.used * 4 > (table.slots.length / SLOT) * 3) grow(table)
  }
}

/** 64 bits: among 10 million keys two are taken for one in 3 of a million files. */
function hashOf(key: string): [high: number, low: number] {
  const digest = hash('sha1', key, 'buffer')
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)]
}

/** Where the slot of the hash begins, or a free one. */
function find(slots: Uint32Array, high: number, low: number): number {
  const count = slots.length / SLOT
  for (let index = low % count; ; index = (index + 1) % count) {
    const at = index * SLOT
    if (slots[at + 2] === 0 || (slots[at] === high && slots[at + 1] === low)) return at
  }
}

function grow(table: Table): void {
  const before = table.slots
  table.slots = new Uint32Array(before.length * 2)
  for (let at = 0; at < before.length; at += SLOT)
    if (before[at + 2] !== 0)
      table.slots.set(before.subarray(at, at + SLOT), find(table.slots, before[at]!, before[at + 1]!))
}
