// The writes of a transaction that need no answer: they go into its topmost layer. Reads search that layer, then those
// below.
import type { FeedEvent } from '../core/feed/rules/feed-entry.ts'
import type { NewAuditEntry } from '../store/audit-port.ts'
import type { BatchState } from './batch-state.ts'
import { keyOf, Layer } from './layer.ts'
import type { ModelState, ModelTable } from './model-state.ts'
import type { Counter, IndexChange, PlacedRow, UniquePlace } from './session.ts'

/** Under which the model is read and written, as a whole. */
export const MODEL = 'model'

export abstract class Layered {
  /** The keys that it has read and written. */
  readonly read = new Set<string>()
  readonly written = new Set<string>()
  readonly versions: number[] = []
  /** Its own, and above it that of the step that it takes. */
  protected readonly layers = [new Layer()]
  readonly #batch: BatchState

  constructor(batch: BatchState) {
    this.#batch = batch
  }

  abstract newVersion(): number

  /** The transaction's writes, for the batch. */
  get layer(): Layer {
    return this.layers[0]!
  }

  hold(sql: string, ...parameters: unknown[]): void {
    this.top.unsent.statements.push({ sql, parameters })
  }

  holdRow(sql: string, ...row: unknown[]): void {
    this.top.unsent.holdRow(sql, row)
  }

  put(kind: string, id: string, value: unknown): void {
    const key = keyOf(kind, id)
    this.written.add(key)
    this.top.values.set(key, value)
  }

  async model(): Promise<ModelState> {
    this.read.add(MODEL)
    return this.#modelNow()
  }

  putModel(table: ModelTable, id: string, document: string | undefined): void {
    this.written.add(MODEL)
    this.top.model = this.#modelNow().with(table, id, document)
    this.add('model', 1)
  }

  add(counter: Counter, by: number): void {
    this.top.added[counter] += by
  }

  putRecord(id: string, before: PlacedRow | undefined, after: PlacedRow | undefined): void {
    this.put('record', id, after)
    this.top.putRecord(id, before, after)
  }

  putUnique(id: string, place: UniquePlace, before: string | undefined, after: string | undefined): void {
    this.top.unsent.putUnique(id, { place, before, after })
    this.put('unique', id, after)
    if (after !== undefined) this.top.noteUnique(after, id)
    for (const holder of [before, after]) if (holder !== undefined) this.written.add(keyOf('uniques of', holder))
  }

  uniquesOf(recordId: string): readonly string[] {
    return this.allLayers().flatMap(({ uniquesOf }) => [...(uniquesOf.get(recordId) ?? [])])
  }

  audit(entry: NewAuditEntry): void {
    this.top.unsent.audit.push(entry)
  }

  event(event: FeedEvent): void {
    this.top.unsent.events.push([this.newVersion(), event])
  }

  index(change: IndexChange): void {
    this.top.unsent.index(change)
  }

  protected get top(): Layer {
    return this.layers.at(-1)!
  }

  /** The latest first. */
  protected allLayers(): Layer[] {
    return [...this.layers.toReversed(), this.#batch.layer]
  }

  #modelNow(): ModelState {
    return this.allLayers().find(({ model }) => model !== undefined)?.model ?? this.#batch.model
  }
}
