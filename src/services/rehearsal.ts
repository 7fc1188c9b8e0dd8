// A dry run's stand-in for a transaction: checks what writing would check, and writes nothing. It remembers what earlier
// lines of the same import would have made, so that a variant finds a parent from the same file. Decisions §7.
import { alreadyExists, conflict } from '../domain/errors.ts'
import type { RecordFilter, RecordTransaction, Store, StoredRecord } from '../storage/port.ts'
import { describeScope, type UniqueKey } from '../domain/values.ts'

/** What is remembered of a file has to have an end: later lines are judged by the workspace alone. */
const MAX_REMEMBERED = 200_000

/** Ends each transaction, so that nothing of it is kept. One for all: making an error costs a stack trace. */
const ROLL_BACK = new Error('A dry run keeps nothing')

export class Rehearsal {
  readonly #made = new Map<string, StoredRecord>()
  /** Unique value → the record that would hold it. */
  readonly #holders = new Map<string, string>()
  #count = 0

  /** Resolves to what `work` does, of which nothing is kept. Throws what it throws. */
  async run<Result>(store: Store, work: (tx: RecordTransaction) => Promise<Result>): Promise<Result> {
    let result: Result | undefined
    await store
      .transaction(async (tx) => {
        const staged: (() => void)[] = []
        result = await work(this.#over(tx, (step) => staged.push(step)))
        for (const step of staged) step()
        throw ROLL_BACK
      })
      .catch((error: unknown) => {
        if (error !== ROLL_BACK) throw error
      })
    return result as Result
  }

  /** `later` gets what is to be remembered if the line turns out well. */
  #over(tx: RecordTransaction, later: (step: () => void) => void): RecordTransaction {
    const exists = async (id: string): Promise<boolean> => this.#made.has(id) || (await tx.records.exists(id))
    return {
      model: () => tx.model(),
      audit: { append: async () => 0 },
      records: {
        exists,
        get: async (id) => this.#made.get(id) ?? (await tx.records.get(id)),
        count: async (filter: RecordFilter) => (await tx.records.count(filter)) + this.#count,
        insert: async (record) => {
          if (await exists(record.id)) throw alreadyExists('Record', record.id)
          later(() => this.#remember(record))
        },
        update: async () => undefined,
        setUniqueKeys: async (recordId, schemaId, keys) => {
          await tx.records.setUniqueKeys(recordId, schemaId, keys)
          for (const key of keys) this.#assertFree(key, schemaId, recordId)
          later(() => this.#hold(keys, schemaId, recordId))
        },
      },
    }
  }

  #remember(record: StoredRecord): void {
    this.#count += 1
    // Without its values: what a later line would change of them is not asked.
    if (this.#made.size < MAX_REMEMBERED) this.#made.set(record.id, { ...record, valuesJson: '{}' })
  }

  #assertFree({ alias, scope, key }: UniqueKey, schemaId: string, recordId: string): void {
    const holder = this.#holders.get(JSON.stringify([schemaId, alias, scope, key]))
    if (holder === undefined || holder === recordId) return
    throw conflict(`values.${alias} must be unique: '${holder}' of this file holds it in scope ${describeScope(scope)}`)
  }

  #hold(keys: readonly UniqueKey[], schemaId: string, recordId: string): void {
    for (const { alias, scope, key } of keys)
      if (this.#holders.size < MAX_REMEMBERED)
        this.#holders.set(JSON.stringify([schemaId, alias, scope, key]), recordId)
  }
}
