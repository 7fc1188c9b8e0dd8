// An overlay over storage for dry runs: the real code writes records into the overlay, and nothing reaches storage.
// Later records of the same dry run see the writes of earlier records. Contract 2 §7, 3 §2.
import { alreadyExists, conflict } from '../../kernel/errors.ts'
import type { Reads } from '../../store/port.ts'
import type { Referrer } from './rules/referrer.ts'
import type { RecordReads, RecordWrites, ReferrersAsked, StoredRecord } from '../../store/record-port.ts'
import { describeTaken, type UniqueKey, uniqueKeys } from '../values/values.ts'
import type { AssigningTransaction } from './record-categories.ts'
import type { CategoryPlace } from './rules/changes.ts'
import { notesKept } from '../model/rules/model-change.ts'
import { parseValues } from './rules/record.ts'

/** The most records, unique values and categories of records in memory. Beyond this number, storage alone decides. */
const MAX_REMEMBERED = 200_000
/** The most characters of values in memory. */
const MAX_CHARACTERS = 16 * 1024 ** 2

/** The part of a transaction that changing and deleting records needs. */
export type ChangingTransaction = AssigningTransaction & {
  readonly records: Pick<RecordReads & RecordWrites, 'getMany' | 'variantIdsOf' | 'referrers' | 'delete'>
}

/** The part of storage that a dry run reads. */
export interface RehearsedReads extends Pick<Reads, 'model' | 'records' | 'files'> {
  readonly categories: Pick<Reads['categories'], 'assignmentsOf' | 'existing' | 'named'>
}

export class Rehearsal {
  readonly #base: Rehearsal | undefined
  readonly #onlyParents: boolean
  /** null: the record is deleted. */
  readonly #records = new Map<string, StoredRecord | null>()
  /** Unique value → ID of its holder; null: the holder in storage has released the value. */
  readonly #holders = new Map<string, string | null>()
  readonly #places = new Map<string, readonly CategoryPlace[]>()
  /** IDs of records that storage does not have. */
  readonly #inserted = new Set<string>()
  #characters = 0
  #placesHeld = 0

  /**
   * @param onlyParents true: each record is changed once, so only variants read written records, which are their
   * parents
   */
  constructor({ onlyParents = false }: { readonly onlyParents?: boolean } = {}, base?: Rehearsal) {
    this.#onlyParents = onlyParents
    this.#base = base
  }

  /** Returns an overlay over this overlay. Its writes are lost unless `keep` takes them. */
  branch(): Rehearsal {
    return new Rehearsal({ onlyParents: this.#onlyParents }, this)
  }

  keep(branch: Rehearsal): void {
    for (const [id, record] of branch.#records) this.#remember(id, record, branch.#inserted.has(id))
    for (const [key, holder] of branch.#holders)
      if (this.#holders.size < MAX_REMEMBERED || this.#holders.has(key)) this.#holders.set(key, holder)
    for (const [id, places] of branch.#places) this.#rememberPlaces(id, places)
  }

  /** Keeps the writes of the last branch that `run` requests, because storage may run a transaction several times. */
  async keepLast<Result>(run: (branch: () => Rehearsal) => Promise<Result>): Promise<Result> {
    let last = this.branch()
    const result = await run(() => (last = this.branch()))
    this.keep(last)
    return result
  }

  /** Resolves to the result of `work`. The overlay keeps the writes of `work`, or none of them if `work` throws. */
  async attempt<Result>(reads: RehearsedReads, work: (tx: ChangingTransaction) => Promise<Result>): Promise<Result> {
    const branch = this.branch()
    const result = await work(branch.#over(reads))
    this.keep(branch)
    return result
  }

  isDeleted(id: string): boolean {
    return this.#find(id) === null
  }

  #over(reads: RehearsedReads): ChangingTransaction {
    const { categories } = reads
    return {
      model: () => reads.model(),
      newVersion: () => 0,
      audit: { append: () => undefined },
      files: reads.files,
      categories: {
        assignmentsOf: async (id) =>
          this.#findPlaces(id)?.map((place) => ({ entityId: id, ...place })) ?? categories.assignmentsOf(id),
        existing: (ids) => categories.existing(ids),
        named: (name, below, limit) => categories.named(name, below, limit),
        setAssignments: async (id, places) => {
          if (!this.#onlyParents) this.#places.set(id, places)
        },
      },
      records: this.#recordsOver(reads),
    }
  }

  #recordsOver(reads: RehearsedReads): ChangingTransaction['records'] {
    const { records } = reads
    const get = async (id: string): Promise<StoredRecord | undefined> => {
      const found = this.#find(id)
      return found === undefined ? records.get(id) : (found ?? undefined)
    }
    return {
      get,
      getMany: async (ids) => {
        const found = await Promise.all(ids.map(get))
        return new Map(found.flatMap((record) => (record === undefined ? [] : [[record.id, record]])))
      },
      existing: (ids) => this.#existing(reads, ids),
      variantIdsOf: async (id) => (await records.variantIdsOf(id)).filter((variant) => !this.isDeleted(variant)),
      referrers: (asked) => this.#referrers(reads, asked),
      holderOf: (schemaId, key) => this.#holderOf(reads, schemaId, key),
      // The caller compares the number of records with the limit at the end.
      reserve: async () => undefined,
      insert: async (record) => {
        if ((await this.#existing(reads, [record.id])).size > 0) throw alreadyExists('Record', record.id)
        this.#records.set(record.id, record)
        this.#inserted.add(record.id)
      },
      update: async (_before, record) => {
        if (this.#onlyParents && (record.parentId !== null || (await records.variantIdsOf(record.id)).length === 0))
          return
        this.#records.set(record.id, record)
      },
      delete: async (id) => {
        const record = await get(id)
        if (record !== undefined) await this.#releaseKeys(reads, record)
        this.#records.set(id, null)
      },
      setReferences: async () => undefined,
      setUniqueKeys: (record, before, after) => this.#setUniqueKeys(reads, record, before, after),
    }
  }

  async #existing({ records }: RehearsedReads, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const stored = await records.existing(ids)
    const schemaOf = (id: string): string | undefined => {
      const found = this.#find(id)
      return found === undefined ? stored.get(id) : found?.schemaId
    }
    return new Map(
      ids.flatMap((id) => {
        const schemaId = schemaOf(id)
        return schemaId === undefined ? [] : [[id, schemaId]]
      }),
    )
  }

  /**
   * Returns references of records that are not deleted. No dry run both deletes records and adds references to other
   * records.
   */
  async #referrers({ records }: RehearsedReads, asked: ReferrersAsked): Promise<Referrer[]> {
    const found: Referrer[] = []
    let { after } = asked
    for (;;) {
      const page = await records.referrers({ ...asked, after })
      found.push(...page.filter(({ recordId }) => !this.isDeleted(recordId)))
      if (found.length >= asked.limit || page.length < asked.limit) return found.slice(0, asked.limit)
      after = page.at(-1)
    }
  }

  async #holderOf({ records }: RehearsedReads, schemaId: string, key: UniqueKey): Promise<string | undefined> {
    const holder = this.#findHolder(textOf(key, schemaId))
    return holder === undefined ? records.holderOf(schemaId, key) : (holder ?? undefined)
  }

  async #setUniqueKeys(
    reads: RehearsedReads,
    { id, schemaId }: Pick<StoredRecord, 'id' | 'schemaId'>,
    before: readonly UniqueKey[],
    after: readonly UniqueKey[],
  ): Promise<void> {
    const held = new Set(before.map((key) => textOf(key, schemaId)))
    const wanted = new Set(after.map((key) => textOf(key, schemaId)))
    for (const key of after) {
      if (held.has(textOf(key, schemaId))) continue
      const holder = await this.#holderOf(reads, schemaId, key)
      if (holder !== undefined && holder !== id) throw conflict(describeTaken(key))
    }
    for (const text of held) if (!wanted.has(text)) this.#holders.set(text, null)
    for (const text of wanted) this.#holders.set(text, id)
  }

  async #releaseKeys(reads: RehearsedReads, record: StoredRecord): Promise<void> {
    const model = await reads.model()
    const keys = notesKept(uniqueKeys, parseValues(record), model.schemas.get(record.schemaId)!, model)
    for (const key of keys) this.#holders.set(textOf(key, record.schemaId), null)
  }

  #find(id: string): StoredRecord | null | undefined {
    const own = this.#records.get(id)
    return own !== undefined || this.#base === undefined ? own : this.#base.#find(id)
  }

  #findPlaces(id: string): readonly CategoryPlace[] | undefined {
    const own = this.#places.get(id)
    return own !== undefined || this.#base === undefined ? own : this.#base.#findPlaces(id)
  }

  #findHolder(text: string): string | null | undefined {
    const own = this.#holders.get(text)
    return own !== undefined || this.#base === undefined ? own : this.#base.#findHolder(text)
  }

  #remember(id: string, record: StoredRecord | null, isInserted: boolean): void {
    const known = this.#records.get(id)
    if (known === undefined && this.#records.size >= MAX_REMEMBERED) return
    const characters = this.#characters - (known?.valuesJson.length ?? 0) + (record?.valuesJson.length ?? 0)
    if (characters <= MAX_CHARACTERS) {
      this.#characters = characters
      this.#records.set(id, record)
      // Storage has no record with this ID, so the overlay remembers the ID without the values.
    } else if (known === undefined && isInserted) this.#records.set(id, { ...record!, valuesJson: '{}' })
    if (isInserted && this.#base !== undefined) this.#inserted.add(id)
  }

  #rememberPlaces(id: string, places: readonly CategoryPlace[]): void {
    // A record without categories counts, too.
    const held = this.#placesHeld + places.length + 1
    if (held > MAX_REMEMBERED) return
    this.#placesHeld = held
    this.#places.set(id, places)
  }
}

function textOf({ alias, scope, key }: UniqueKey, schemaId: string): string {
  return JSON.stringify([schemaId, alias, scope, key])
}
