// One run of a transaction: its reads and writes. The run has a layer, each step has one more, and all lie above the
// layer of the batch. While other transactions run, this run may only look values up. Alone, it may send any statement,
// after its held writes.
import { PimletError } from '../kernel/errors.ts'
import { allOf, type BatchState, savepointOf, sendAll, takenRoom } from './batch-state.ts'
import type { NewAuditEntry } from '../store/audit-port.ts'
import { POSTGRES } from './dialect.ts'
import { keyOf, Layer } from './layer.ts'
import type { FeedEvent } from '../core/feed/rules/feed-entry.ts'
import type { ModelState, ModelTable } from './model-state.ts'
import { readRecordsAhead, readTrailsAhead } from './read-ahead.ts'
import type { Load } from '../store/rows/session.ts'
import type { Counter, IndexChange, PlacedRow, Session, TrailAhead, UniquePlace, Writer } from './session.ts'
import { TransactionGuard } from '../store/transactions.ts'

/** The most unsent values of a long transaction. With more of them, it sends its writes and forgets the values. */
const MOST_HELD = 500
/** The key of the model, which is read and written as a whole. */
const MODEL = 'model'
/** Milliseconds that a long transaction runs before it lets other work run. */
const TURN_MILLISECONDS = 3

export class Transacting implements Session, Writer {
  readonly dialect = POSTGRES
  readonly writer: Writer = this
  /** True: this run is discarded, and the transaction runs again, alone. */
  needsToBeAlone = false
  readonly isAlone: boolean
  /** The keys that the transaction has read and written. */
  readonly read = new Set<string>()
  readonly written = new Set<string>()
  readonly versions: number[] = []
  /** The transaction's layer, and above it the layer of the current step. */
  readonly #layers = [new Layer()]
  readonly #batch: BatchState
  readonly #guard = new TransactionGuard(TURN_MILLISECONDS)
  /** Checks of assumptions, which `perform` awaits at the end. */
  readonly #assumed: Promise<void>[] = []
  /** Trails that were read ahead, by record ID. */
  #trails = new Map<string, TrailAhead>()
  /** The number of versions that the run has taken; undefined: the run is under way. */
  #taken: number | undefined
  #end = (): void => undefined

  constructor(batch: BatchState, isAlone: boolean) {
    this.#batch = batch
    this.isAlone = isAlone
  }

  /** Runs work that awaits only methods of the transaction. */
  async perform<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await this.#guard.run(async () => {
        try {
          return await work()
        } finally {
          // This also happens after a failure, because a wrong assumption may have caused the failure.
          await this.#guard.wait(Promise.all(this.#assumed))
        }
      })
      this.#taken = this.versions.length
      return result
    } finally {
      this.#taken ??= 0
      this.#end()
    }
  }

  /** Sets a function that is called when the run has ended, or is abandoned while its work continues. */
  onEnd(end: () => void): void {
    this.#end = end
  }

  /** The transaction's writes, for the batch. */
  get layer(): Layer {
    return this.#layers[0]!
  }

  hold(sql: string, ...parameters: unknown[]): void {
    this.#top.unsent.statements.push({ sql, parameters })
  }

  holdRow(sql: string, ...row: unknown[]): void {
    this.#top.unsent.holdRow(sql, row)
  }

  put(kind: string, id: string, value: unknown): void {
    const key = keyOf(kind, id)
    this.written.add(key)
    this.#top.values.set(key, value)
  }

  async model(): Promise<ModelState> {
    this.read.add(MODEL)
    return this.#modelNow()
  }

  putModel(table: ModelTable, id: string, document: string | undefined): void {
    this.written.add(MODEL)
    this.#top.model = this.#modelNow().with(table, id, document)
    this.add('model', 1)
  }

  add(counter: Counter, by: number): void {
    this.#top.added[counter] += by
  }

  putRecord(id: string, before: PlacedRow | undefined, after: PlacedRow | undefined): void {
    this.put('record', id, after)
    this.#top.putRecord(id, before, after)
  }

  putUnique(id: string, place: UniquePlace, before: string | undefined, after: string | undefined): void {
    this.#top.unsent.putUnique(id, { place, before, after })
    this.put('unique', id, after)
    if (after !== undefined) this.#top.noteUnique(after, id)
    for (const holder of [before, after]) if (holder !== undefined) this.written.add(keyOf('uniques of', holder))
  }

  uniquesOf(recordId: string): readonly string[] {
    return this.#allLayers().flatMap(({ uniquesOf }) => [...(uniquesOf.get(recordId) ?? [])])
  }

  audit(entry: NewAuditEntry): void {
    this.#trails.delete(entry.entityId)
    this.#top.unsent.audit.push(entry)
  }

  event(event: FeedEvent): void {
    this.#top.unsent.events.push([this.newVersion(), event])
  }

  index(change: IndexChange): void {
    this.#top.unsent.index(change)
  }

  get #top(): Layer {
    return this.#layers.at(-1)!
  }

  /** All layers of the run, the latest first, then the layer of the batch. */
  #allLayers(): Layer[] {
    return [...this.#layers.toReversed(), this.#batch.layer]
  }

  #modelNow(): ModelState {
    return this.#allLayers().find(({ model }) => model !== undefined)?.model ?? this.#batch.model
  }

  rows<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.#ask(() => this.#batch.connection.rows<Row>(sql, parameters))
  }

  run(sql: string, ...parameters: unknown[]): Promise<number> {
    return this.#ask(() => this.#batch.connection.run(sql, parameters))
  }

  async look<Value>(kind: string, ids: readonly string[], load: Load<Value>): Promise<ReadonlyMap<string, Value>> {
    const found = new Map<string, Value>()
    const layers = this.#allLayers()
    const missing = [...new Set(ids)].filter((id) => {
      const key = keyOf(kind, id)
      this.read.add(key)
      const layer = layers.find(({ values }) => values.has(key))
      const value = layer?.values.get(key) as Value | undefined
      if (value !== undefined) found.set(id, value)
      return layer === undefined
    })
    if (missing.length === 0) return found
    for (const [id, value] of await this.#guard.wait(this.#batch.load(kind, missing, load))) found.set(id, value)
    return found
  }

  async assume<Value>(
    kind: string,
    ids: readonly string[],
    load: Load<Value>,
    judge: (found: ReadonlyMap<string, Value>) => void,
  ): Promise<void> {
    const judging = this.look(kind, ids, load).then(judge)
    if (this.isAlone) await judging
    else this.#assumed.push(judging.catch(() => void (this.needsToBeAlone = true)))
  }

  nextN(): number {
    return this.#batch.numbers.nextN()
  }

  newVersion(): number {
    const version = this.isAlone ? this.#batch.numbers.newVersion() : this.#expectVersion()
    this.versions.push(version)
    return version
  }

  /** The number of versions that the run takes. While the run is under way, this is a guess: at least one. */
  get expectedVersions(): number {
    return this.#taken ?? Math.max(1, this.versions.length)
  }

  /**
   * Returns the version after those of earlier runs, even if this run ends first. If the earlier runs take more or
   * fewer versions than expected, this run is repeated.
   */
  #expectVersion(): number {
    const { numbers, together } = this.#batch
    let last = this.versions.at(-1)
    if (last !== undefined) return last + 1
    last = numbers.version
    for (const run of together) {
      if (run === this) break
      last += run.expectedVersions
    }
    return last + 1
  }

  nextFeed(): number {
    return this.#batch.numbers.nextFeed()
  }

  async counter(counter: Counter): Promise<number> {
    if (counter === MODEL) this.read.add(MODEL)
    return this.#allLayers().reduce((sum, { added }) => sum + added[counter], this.#batch.numbers.row[counter])
  }

  async reserve(max: number): Promise<void> {
    const others = this.isAlone ? [] : [...this.#batch.together].flatMap((one) => (one === this ? [] : one.layer))
    if (takenRoom(this.#batch, this.#layers, others) >= max) {
      // Nobody knows yet whether the other transactions use the room they reserved.
      if (others.length > 0) this.#needToBeAlone()
      throw new PimletError('LIMIT_EXCEEDED', `There is no room for another record: at most ${max}`)
    }
    this.#top.reserved += 1
  }

  /** Only for a long transaction. */
  async pause(): Promise<void> {
    if (this.#top.values.size > MOST_HELD) {
      await this.#guard.wait(this.#send())
      for (const layer of this.#allLayers()) layer.forget()
      this.#batch.forget()
    }
    await this.#guard.pause()
  }

  /** Only for a long transaction. The layers contain its own writes, so a trail with own entries is not read ahead. */
  async readAhead(recordIds: readonly string[], { withTrail } = { withTrail: false }): Promise<void> {
    const { connection } = this.#batch
    const layers = this.#allLayers()
    const isStored = (id: string): boolean => !layers.some(({ values }) => values.has(keyOf('record', id)))
    const held = new Set(layers.flatMap(({ unsent }) => unsent.audit.map(({ entityId }) => entityId)))
    const withoutHeld = withTrail ? recordIds.filter((id) => !held.has(id)) : []
    const [records, trails] = await this.#guard.wait(
      Promise.all([readRecordsAhead(recordIds.filter(isStored), connection), readTrailsAhead(withoutHeld, connection)]),
    )
    for (const [id, record] of records) this.#batch.know('record', id, record)
    this.#trails = trails
  }

  trailAhead(recordId: string): TrailAhead | undefined {
    return this.#trails.get(recordId)
  }

  /** Only for a long transaction. */
  async attempt<Result>(step: () => Promise<Result>): Promise<Result> {
    const undo = this.#batch.numbers.mark()
    this.#layers.push(new Layer())
    try {
      const result = await step()
      const [layer, depth] = [this.#top, this.#layers.length - 1]
      await this.#guard.wait(this.#keep(layer, depth))
      this.#layers.pop()
      this.#top.take(layer)
      return result
    } catch (error) {
      undo()
      const layer = this.#layers.pop()!
      await this.#guard.wait(this.#drop(layer, this.#layers.length))
      throw error
    }
  }

  /** Adds the writes of a successful run to the batch. */
  async succeed(): Promise<void> {
    await this.#keep(this.layer, 0)
    this.layer.reserved = 0
    this.#batch.layer.take(this.layer)
  }

  /** Discards the writes of a failed run. */
  fail(): Promise<void> {
    return this.#drop(this.layer, 0)
  }

  async #keep({ hasSavepoint }: Layer, depth: number): Promise<void> {
    if (hasSavepoint) await this.#batch.connection.run(`RELEASE SAVEPOINT ${savepointOf(depth)}`)
  }

  async #drop({ hasSavepoint }: Layer, depth: number): Promise<void> {
    if (!hasSavepoint) return
    this.#batch.forget()
    await this.#batch.connection.script(
      `ROLLBACK TO SAVEPOINT ${savepointOf(depth)}; RELEASE SAVEPOINT ${savepointOf(depth)}`,
    )
  }

  async #ask<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (!this.isAlone) return this.#needToBeAlone()
    const sent = this.#send()
    // This query is sent without waiting for the answers to the held writes.
    const answer = ask()
    answer.catch(() => undefined)
    return this.#guard.wait(sent.then(() => answer))
  }

  /** Sends the held writes, the oldest first, each layer after its savepoint. */
  #send(): Promise<void> {
    const { connection, layer } = this.#batch
    const answers = sendAll(this.#batch, layer)
    for (const [depth, own] of this.#layers.entries()) {
      if (!own.hasSavepoint) answers.push(connection.run(`SAVEPOINT ${savepointOf(depth)}`))
      own.hasSavepoint = true
      answers.push(...sendAll(this.#batch, own))
    }
    return allOf(answers)
  }

  #needToBeAlone(): never {
    this.needsToBeAlone = true
    throw new Error('Only a transaction that runs alone can have this')
  }
}
