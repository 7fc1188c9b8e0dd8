// One run of a transaction: what it has written, in layers, over what its batch has.
import type { FeedEvent } from '../../domain/events/feed-entry.ts'
import { PimletError } from '../../domain/errors.ts'
import type { NewAuditEntry } from '../audit-port.ts'
import type { Batch } from './batch.ts'
import { countKey, keyOf, Layer } from './layer.ts'
import type { ModelState, ModelTable } from './model-state.ts'
import type { Counter, Load, PlacedRow, Session, UniquePlace, Writer } from './session.ts'
import { Watch } from './watch.ts'

/** Thrown where a transaction that runs beside others needs what only one that runs alone can have. */
class NeedsToBeAlone extends Error {
  override readonly name = 'NeedsToBeAlone'
}

/** What is held back is sent from this size on where a transaction pauses. */
const MOST_HELD = 500
/** Under which the model is read and written, as a whole. */
const MODEL = 'model'

export class Transacting implements Session, Writer {
  readonly writer: Writer = this
  /** What it has read and written, by key. */
  readonly read = new Set<string>()
  readonly written = new Set<string>()
  readonly versions: number[] = []
  /** It counts for nothing: it has to be run again, alone. */
  needsToBeAlone = false
  readonly #batch: Batch
  readonly #isAlone: boolean
  readonly #layers = [new Layer()]
  readonly #watch = new Watch()
  /** The database takes nothing more of it, or of its step. */
  #failed: unknown

  constructor(batch: Batch, isAlone: boolean) {
    this.#batch = batch
    this.#isAlone = isAlone
  }

  get layer(): Layer {
    return this.#layers[0]!
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#watch.run(work)
  }

  rows<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.#ask(() => this.#batch.connection.rows<Row>(sql, parameters))
  }

  hold(sql: string, ...parameters: unknown[]): void {
    this.#top.unsent.statements.push({ sql, parameters })
  }

  async look<Value>(kind: string, ids: readonly string[], load: Load<Value>): Promise<ReadonlyMap<string, Value>> {
    const found = new Map<string, Value>()
    const missing: string[] = []
    for (const id of new Set(ids)) {
      const key = keyOf(kind, id)
      this.read.add(key)
      const layer = this.#allLayers().find(({ values }) => values.has(key))
      if (layer === undefined) missing.push(id)
      else if (layer.values.get(key) !== undefined) found.set(id, layer.values.get(key) as Value)
    }
    if (missing.length === 0) return found
    for (const [id, value] of await this.#watch.wait(this.#batch.load(kind, missing, load))) found.set(id, value)
    return found
  }

  async model(): Promise<ModelState> {
    this.read.add(MODEL)
    return this.#allLayers().find(({ model }) => model !== undefined)?.model ?? this.#batch.model
  }

  run_: never = undefined as never

  put(kind: string, id: string, value: unknown): void {
    const key = keyOf(kind, id)
    this.written.add(key)
    this.#top.values.set(key, value)
  }

  get #top(): Layer {
    return this.#layers.at(-1)!
  }
}
