// A dry run's stand-in for a transaction: checks what writing would check, and writes nothing. It remembers what earlier
// lines of the same import would have made, so that a variant finds a parent from the same file. Contract 2 §7.
import { alreadyExists, conflict } from '../kernel/errors.ts'
import { uniqueKeysNoted } from '../core/model/rules/model-change.ts'
import { describeScope, type UniqueKey } from '../core/values/values.ts'
import type { Store, Transaction } from '../store/port.ts'
import type { RecordIdentity, StoredRecord } from '../store/record-port.ts'
import type { AssigningTransaction } from '../core/records/record-categories.ts'
import { parseValues } from '../core/records/readable-records.ts'

/** What is remembered of a file has to have an end: later lines are judged by the workspace alone. */
const MAX_REMEMBERED = 200_000
/** Characters of values that are remembered; without them a record that is changed again counts as changed. */
const MAX_CHARACTERS = 16 * 1024 ** 2

interface Tried<Result> {
  readonly result: Result
  /** Remembers it. */
  readonly keep: () => void
}

/** Ends each transaction, so that nothing of it is kept. One for all: making an error costs a stack trace. */
const ROLL_BACK = new Error('A dry run keeps nothing')

export class DryRun {
  /** As earlier lines would have left them. */
  readonly #records = new Map<string, StoredRecord>()
  /** Unique value → the record that would hold it. */
  readonly #holders = new Map<string, string>()
  /** Record → the unique values that it would hold. */
  readonly #held = new Map<string, readonly string[]>()
  /** Unique value → the record that holds it in the workspace, and would no longer. */
  readonly #released = new Map<string, string>()
  #characters = 0

  /** Resolves to what `work` does, of which nothing is kept. Throws what it throws. One after another: the next line relies on it. */
  async run<Result>(store: Store, work: (tx: AssigningTransaction) => Promise<Result>): Promise<Result> {
    let tried: Tried<Result> | undefined
    await store
      .transaction(async (tx) => {
        tried = await this.try(tx, work)
        throw ROLL_BACK
      })
      .catch((error: unknown) => {
        if (error !== ROLL_BACK) throw error
      })
    tried!.keep()
    return tried!.result
  }

  /** The same within a transaction, of which nothing may be kept. */
  async try<Result>(tx: Transaction, work: (tx: AssigningTransaction) => Promise<Result>): Promise<Tried<Result>> {
    const staged: (() => void)[] = []
    const result = await work(this.#over(tx, (step) => staged.push(step)))
    return {
      result,
      keep: () => {
        for (const step of staged) step()
      },
    }
  }

  /** `later` gets what is to be remembered if the line turns out well. */
  #over(tx: Transaction, later: (step: () => void) => void): AssigningTransaction {
    const existing = async (ids: readonly string[]): Promise<ReadonlySet<string>> =>
      (await tx.records.existing(ids)).union(new Set(ids.filter((id) => this.#records.has(id))))
    return {
      model: () => tx.model(),
      newVersion: () => 0,
      audit: { append: () => undefined },
      categories: {
        assignmentsOf: (id) => tx.categories.assignmentsOf(id),
        existing: (ids) => tx.categories.existing(ids),
        named: (name, parentId, limit) => tx.categories.named(name, parentId, limit),
        setAssignments: async () => undefined,
      },
      records: {
        existing,
        get: async (id) => this.#records.get(id) ?? (await tx.records.get(id)),
        holderOf: async (schemaId, key) => {
          const text = textOf(key, schemaId)
          const holder = this.#holders.get(text)
          if (holder !== undefined) return holder
          return this.#released.has(text) ? undefined : tx.records.holderOf(schemaId, key)
        },
        // How many there would be is told when all lines are tried.
        reserve: async () => undefined,
        insert: async (record) => {
          if ((await existing([record.id])).size > 0) throw alreadyExists('Record', record.id)
          later(() => {
            // That there is one is remembered in any case.
            if (this.#records.size < MAX_REMEMBERED) this.#records.set(record.id, { ...record, valuesJson: '{}' })
            this.#remember(record)
          })
        },
        update: async (_before, record) => later(() => this.#remember(record)),
        setUniqueKeys: async (record, _before, keys) => {
          const texts = keys.map((key) => textOf(key, record.schemaId))
          for (const holder of new Set(texts.map((text) => this.#released.get(text)))) {
            if (holder === undefined) continue
            const other = { ...record, id: holder }
            await tx.records.setUniqueKeys(other, await keysInWorkspace(tx, other), [])
          }
          const stored = await keysInWorkspace(tx, record)
          await tx.records.setUniqueKeys(record, stored, keys)
          for (const [index, text] of texts.entries()) this.#assertFree(text, keys[index]!, record.id)
          const storedTexts = stored.map((key) => textOf(key, record.schemaId))
          later(() => this.#hold(record.id, texts, storedTexts))
        },
      },
    }
  }

  #remember(record: StoredRecord): void {
    const known = this.#records.get(record.id)
    if (known === undefined && this.#records.size >= MAX_REMEMBERED) return
    const characters = this.#characters - (known?.valuesJson.length ?? 0) + record.valuesJson.length
    if (characters > MAX_CHARACTERS) return
    this.#characters = characters
    this.#records.set(record.id, record)
  }

  #assertFree(text: string, { alias, scope }: UniqueKey, recordId: string): void {
    const holder = this.#holders.get(text)
    if (holder === undefined || holder === recordId) return
    throw conflict(`values.${alias} must be unique: '${holder}' of this file holds it in scope ${describeScope(scope)}`)
  }

  /** `stored`: what the record holds in the workspace. */
  #hold(recordId: string, texts: readonly string[], stored: readonly string[]): void {
    if (this.#holders.size >= MAX_REMEMBERED) return
    for (const text of this.#held.get(recordId) ?? []) this.#holders.delete(text)
    for (const text of texts) this.#holders.set(text, recordId)
    this.#held.set(recordId, texts)
    for (const text of stored)
      if (texts.includes(text)) this.#released.delete(text)
      else this.#released.set(text, recordId)
  }
}

function textOf({ alias, scope, key }: UniqueKey, schemaId: string): string {
  return JSON.stringify([schemaId, alias, scope, key])
}

/** None for a record that is new. */
async function keysInWorkspace(
  tx: Pick<Transaction, 'records' | 'model'>,
  { id, schemaId }: RecordIdentity,
): Promise<UniqueKey[]> {
  const [record, model] = [await tx.records.get(id), await tx.model()]
  const schema = model.schemas.get(schemaId)
  if (record === undefined || schema === undefined) return []
  return uniqueKeysNoted(parseValues(record), schema, model)
}
