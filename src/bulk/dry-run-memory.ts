// What a dry run remembers of the records that it has judged, because it writes nothing: which would be gone, what variants would
// inherit, and who would hold which unique value. Contract 3 §2.
import { conflict } from '../kernel/errors.ts'
import { type UniqueKeyChange, uniqueKeysNoted } from '../core/model/rules/model-change.ts'
import type { Values } from '../core/records/rules/record.ts'
import { describeTaken, type UniqueKey } from '../core/values/values.ts'
import type { Transaction } from '../store/port.ts'
import type { StoredRecord } from '../store/record-port.ts'
import { parseValues } from '../core/records/readable-records.ts'
import type { PlanReads, RecordPlan } from './record-actions.ts'

/** It has to have an end: what comes later is judged by the workspace alone. */
const MAX_REMEMBERED = 200_000
/** Characters of values. */
const MAX_CHARACTERS = 16 * 1024 ** 2

export class DryRunMemory {
  /** What was known before; nothing is added to it until `keep`. */
  readonly #base: DryRunMemory | undefined
  readonly #gone = new Set<string>()
  /** Records that have variants, as they would be. */
  readonly #parents = new Map<string, StoredRecord>()
  /** Unique value → the record that would hold it; null: whoever holds it in the workspace would have given it up. */
  readonly #holders = new Map<string, string | null>()
  #characters = 0

  constructor(base?: DryRunMemory) {
    this.#base = base
  }

  /** What is added from now on may be dropped: by forgetting the result. */
  branch(): DryRunMemory {
    return new DryRunMemory(this)
  }

  /** Takes over what was added in a branch. */
  keep(branch: DryRunMemory): void {
    for (const id of branch.#gone) if (this.#gone.size < MAX_REMEMBERED) this.#gone.add(id)
    for (const [key, holder] of branch.#holders)
      if (this.#holders.size < MAX_REMEMBERED || this.#holders.has(key)) this.#holders.set(key, holder)
    for (const [id, record] of branch.#parents) {
      if (this.#characters + record.valuesJson.length > MAX_CHARACTERS) continue
      this.#characters += record.valuesJson.length
      this.#parents.set(id, record)
    }
  }

  isGone(id: string): boolean {
    return this.#gone.has(id) || this.#base?.isGone(id) === true
  }

  /** The workspace as the records judged before would have left it. */
  over(tx: PlanReads): PlanReads {
    const { records } = tx
    return {
      model: () => tx.model(),
      categories: tx.categories,
      records: {
        get: async (id) => (this.isGone(id) ? undefined : (this.#parent(id) ?? (await records.get(id)))),
        existing: async (ids) => new Set([...(await records.existing(ids))].filter((id) => !this.isGone(id))),
      },
    }
  }

  /** @throws CONFLICT for a unique value that another record would hold */
  async note(tx: Transaction, { record, update, isDeleted }: RecordPlan): Promise<void> {
    if (isDeleted) {
      for (const id of await tx.records.variantIdsOf(record.id)) {
        const variant = await tx.records.get(id)
        if (variant !== undefined) await this.#remove(tx, variant)
      }
      await this.#remove(tx, record)
      return
    }
    if (update === undefined) return
    if (update.uniqueKeys !== undefined) await this.#hold(tx, record, update.uniqueKeys)
    if (record.parentId === null && (await tx.records.variantIdsOf(record.id)).length > 0)
      this.#parents.set(record.id, { ...record, valuesJson: update.valuesJson })
  }

  async #remove(tx: Transaction, record: StoredRecord): Promise<void> {
    const model = await tx.model()
    const values: Values = parseValues(record)
    const keys = uniqueKeysNoted(values, model.schemas.get(record.schemaId)!, model)
    for (const key of keys) this.#holders.set(textOf(key, record.schemaId), null)
    this.#gone.add(record.id)
  }

  async #hold(tx: Transaction, record: StoredRecord, { before, after }: UniqueKeyChange): Promise<void> {
    const held = new Set(before.map((key) => textOf(key, record.schemaId)))
    const wanted = new Set(after.map((key) => textOf(key, record.schemaId)))
    for (const key of after) {
      const text = textOf(key, record.schemaId)
      if (held.has(text)) continue
      const holder = this.#holder(text)
      const isTaken =
        holder === undefined
          ? (await tx.records.takenUniqueKeys(record, [key])).length > 0
          : holder !== null && holder !== record.id
      if (isTaken) throw conflict(describeTaken(key))
    }
    for (const text of held) if (!wanted.has(text)) this.#holders.set(text, null)
    for (const text of wanted) this.#holders.set(text, record.id)
  }

  #holder(text: string): string | null | undefined {
    const own = this.#holders.get(text)
    return own !== undefined || this.#base === undefined ? own : this.#base.#holder(text)
  }

  #parent(id: string): StoredRecord | undefined {
    const own = this.#parents.get(id)
    return own !== undefined || this.#base === undefined ? own : this.#base.#parent(id)
  }
}

function textOf({ alias, scope, key }: UniqueKey, schemaId: string): string {
  return JSON.stringify([schemaId, alias, scope, key])
}
