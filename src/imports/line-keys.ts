// Remembers the key by which each line of a file finds its record. A key may stand in the file once. Contract 3 §12.
import type { Model } from '../core/model/rules/model.ts'
import { conflict, PimletError, shorten } from '../kernel/errors.ts'
import { headOf, type Importer } from './import-line.ts'
import { matchKeysOf } from './matching.ts'
import type { FileLine, RecordLine } from './rules/import-outcome.ts'
import type { ImportSetting } from './rules/import-setting.ts'

type KeySetting = Pick<ImportSetting, 'mode' | 'matchBy' | 'schemaId' | 'duplicates'>

export class LineKeys {
  readonly #setting: KeySetting
  readonly #seen = new SeenKeys()

  constructor(setting: KeySetting) {
    this.#setting = setting
  }

  /**
   * Notes the keys of a line; new lines come in order. Returns why the line cannot be imported: it cannot be read, or
   * another line has its key.
   */
  refusalOf(line: FileLine, header: Importer['header'], model: Model): PimletError | undefined {
    if (line.kind === 'fault') return line.error
    const isFirstTaken = this.#setting.duplicates === 'fail'
    for (const { key, name } of this.#keysOf(line, header, model)) {
      const other = this.#seen.get(key)
      if (isFirstTaken && other !== undefined && other < line.line)
        return conflict(`${name()} is in line ${other} of the file already; duplicates=last takes the last line`)
      // The line has waited, and a later line with its key is written.
      if (!isFirstTaken && other !== undefined && other > line.line)
        return conflict(`${name()} is already in line ${other} of the file, which is imported`)
      if (other !== line.line) this.#seen.set(key, line.line)
    }
    return undefined
  }

  /** Returns no keys for an unreadable line: the line fails for that reason. */
  #keysOf(
    line: RecordLine,
    header: Importer['header'],
    model: Model,
  ): { readonly key: string; readonly name: () => string }[] {
    const { mode, matchBy, schemaId } = this.#setting
    const { id, schemaId: given } = headOf(line, header)
    if (mode === 'create' || matchBy === undefined)
      return typeof id === 'string' ? [{ key: id, name: () => `The ID '${shorten(id, 128)}'` }] : []
    const named = given ?? schemaId
    const schema = typeof named === 'string' ? model.schemas.get(named) : undefined
    if (schema === undefined) return []
    try {
      const { keys, asked } = matchKeysOf(model, { schema, matchBy, header }, line)
      const name = () => `The ${matchBy} '${shorten(asked, 128)}'`
      return keys.map(({ alias, scope, key }) => ({ key: JSON.stringify([schema.id, alias, scope, key]), name }))
    } catch (error) {
      if (error instanceof PimletError) return []
      throw error
    }
  }
}

/** Number of tables. A full table is copied to grow, and copying a small one blocks nobody. */
const TABLES = 1024
const FIRST_SLOTS = 8
/** Words of a slot: two halves of the hash, and the line number (0: free slot). */
const SLOT = 3
const MAX_KEYS = 40_000_000

interface Table {
  slots: Uint32Array
  used: number
}

export class SeenKeys {
  readonly #tables: (Table | undefined)[] = []
  #size = 0

  /** Returns the line that is kept for the key; undefined: none. */
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
    table.slots[at] = high
    table.slots[at + 1] = low
    table.slots[at + 2] = line
    if (!isNew) return
    this.#size += 1
    if (this.#size > MAX_KEYS) throw new PimletError('LIMIT_EXCEEDED', `One file may have ${MAX_KEYS} keys at most`)
    table.used += 1
    if (table.used * 4 > (table.slots.length / SLOT) * 3) grow(table)
  }
}

/** Returns a hash of 64 bits as two halves. With 10 million keys, 3 in a million files have two keys with the same hash. */
function hashOf(key: string): [high: number, low: number] {
  let [high, low] = [0x9e3779b9, 0x7f4a7c16]
  for (let index = 0; index < key.length; index += 1) {
    const code = key.charCodeAt(index)
    high = Math.imul(high ^ code, 0x85ebca77)
    low = Math.imul(low ^ code, 0xc2b2ae3d)
    // A multiplication moves bits only upwards. The shifts bring them down again.
    high ^= high >>> 15
    low ^= low >>> 13
  }
  return [mixed(high, low), mixed(low, high)]
}

/** The last steps of MurmurHash3. */
function mixed(one: number, other: number): number {
  let bits = Math.imul(one ^ (one >>> 16), 0x85ebca6b)
  bits ^= Math.imul(other ^ (other >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** Finds where the slot of the hash begins, or a free slot. */
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
