// The records that the rows of an export refer to. They are looked up for many rows at once. Contract 4 §4.
import type { Model } from '../../core/model/rules/model.ts'
import type { ValueLayers, Values } from '../../core/records/rules/record.ts'
import type { LinkedSnapshot, SnapshotRecord } from '../../store/snapshot-port.ts'
import type { Holder } from '../rules/column-sources.ts'

/** Records that one query reads. */
const AT_ONCE = 100
/** Records that are kept for later rows: products often share pictures. */
const KEPT = 2000

interface Reading {
  readonly model: Model
  readonly layersOf: (record: SnapshotRecord) => ValueLayers
  /** The attributes that columns read; other values are not kept. */
  readonly aliases: ReadonlySet<string>
}

export class LinkedRecords {
  readonly #find: LinkedSnapshot['linked']
  readonly #reading: Reading
  readonly #known = new Map<string, Holder | undefined>()

  constructor(find: LinkedSnapshot['linked'], reading: Reading) {
    this.#find = find
    this.#reading = reading
  }

  /** Undefined: the record does not exist, or was not loaded. */
  get(id: string): Holder | undefined {
    return this.#known.get(id)
  }

  /** Loads the records of the next rows; records of earlier rows may be dropped. */
  async load(ids: readonly string[]): Promise<void> {
    if (this.#known.size > KEPT) this.#known.clear()
    const missing = [...new Set(ids)].filter((id) => !this.#known.has(id))
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      const asked = missing.slice(at, at + AT_ONCE)
      for (const id of asked) this.#known.set(id, undefined)
      for (const record of await this.#find(asked)) this.#known.set(record.id, this.#holderOf(record))
    }
  }

  #holderOf(record: SnapshotRecord): Holder {
    const { model, layersOf } = this.#reading
    const { own, inherited } = layersOf(record)
    const layers = { own: this.#picked(own), inherited: inherited && this.#picked(inherited) }
    return { schema: model.schemas.get(record.schemaId), layers }
  }

  #picked(values: Values): Values {
    return Object.fromEntries(Object.entries(values).filter(([alias]) => this.#reading.aliases.has(alias)))
  }
}
