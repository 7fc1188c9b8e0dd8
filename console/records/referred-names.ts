// Names of the people and records that cells of the sheet refer to. They are read for the rows in view, many at a time.
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { CallOptions } from '../api/call.ts'
import type { Span } from '../grid/window.ts'
import type { Console } from '../state/console.ts'
import { labelOf } from '../state/labels.ts'
import type { SheetColumn } from './columns.ts'
import { type RecordRow, valueOfCell } from './rows.ts'

type SearchBody = NonNullable<CallOptions<'POST /api/v1/search'>['body']>

/** The most records of one request, and the milliseconds in which the rows in view may still change. */
const AT_ONCE = 100
const SETTLING = 80
/** Names in memory. Beyond this number, names of rows in view are read again. */
const MOST_KEPT = 5000

interface NamesHost {
  readonly console: Console
  readonly columns: ReadonlySignal<readonly SheetColumn[]>
  readonly scope: ReadonlySignal<Scope>
  readonly store: { readonly row: (index: number) => RecordRow | undefined }
}

export class ReferredNames {
  readonly #records: NamesHost
  /** Requested IDs: each is requested once, even if the record does not exist. */
  readonly #asked = new Set<string>()
  #waiting: string[] = []
  #stop: (() => void) | undefined
  #scope: Scope | undefined
  /** Names by ID. */
  readonly known = signal<ReadonlyMap<string, string>>(new Map())

  constructor(records: NamesHost) {
    this.#records = records
  }

  /** Notes that the rows are in view. */
  want({ first, last }: Span): void {
    const bar = this.#records.scope.peek()
    const isFull = this.#asked.size > MOST_KEPT
    if (isFull) this.known.value = new Map()
    // Names are in the language of the bar.
    if (isFull || bar !== this.#scope) this.#asked.clear()
    this.#scope = bar
    const all = this.#records.columns.peek()
    if (all.some(isOfPeople)) this.#readPeople()
    const columns = all.filter(refers)
    if (columns.length === 0) return
    for (let at = first; at <= last; at += 1) {
      const row = this.#records.store.row(at)
      for (const column of row === undefined ? [] : columns)
        for (const id of [valueOfCell(row!, column, bar).value].flat()) if (typeof id === 'string') this.#note(id)
    }
    if (this.#waiting.length > 0)
      this.#stop ??= this.#records.console.browser.after(SETTLING, () => void this.#readAll())
  }

  #readPeople(): void {
    const { call, model } = this.#records.console
    if (this.#asked.has(PEOPLE) || !model.may('audit.read')) return
    this.#asked.add(PEOPLE)
    call('GET /api/v1/people', {}).then(
      ({ body }) => this.#add(body.map(({ id, name }) => [id, name])),
      () => undefined,
    )
  }

  #add(names: readonly (readonly [id: string, name: string])[]): void {
    this.known.value = new Map([...this.known.peek(), ...names])
  }

  close(): void {
    this.#stop?.()
  }

  #note(id: string): void {
    if (this.#asked.has(id)) return
    this.#asked.add(id)
    this.#waiting.push(id)
  }

  async #readAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const ids = this.#waiting.splice(0, AT_ONCE)
      // Cells show IDs if names cannot be read.
      this.#add(await this.#read(ids).catch(() => []))
    }
    this.#stop = undefined
  }

  async #read(ids: readonly string[]): Promise<readonly (readonly [id: string, name: string])[]> {
    const { call, model } = this.#records.console
    const criteria = [{ field: 'id', operator: 'in', value: ids }]
    const body = { criteria, criteriaOperator: 'and', limit: ids.length, total: false } as unknown as SearchBody
    const { body: found } = await call('POST /api/v1/search', { body })
    const scope = this.#records.scope.peek()
    return found.map((record) => [record.id, labelOf(record, model.schema(record.schemaId), scope)])
  }
}

/** No ID of a record. */
const PEOPLE = ' people'

type AttributeColumn = Extract<SheetColumn, { readonly kind: 'attribute' }>

function refers(column: SheetColumn): column is AttributeColumn {
  return column.kind === 'attribute' && /^references?$/.test(column.attribute.dataType)
}

function isOfPeople(column: SheetColumn): boolean {
  return column.kind === 'field' && (column.field === 'createdBy' || column.field === 'updatedBy')
}
