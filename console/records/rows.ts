// The records of the sheet with their running changes. Rows are replaced, never mutated: an identical row is not drawn
// again.
import { cellScope, cellValue, storedValue, withValue } from '../grid/cell-value.ts'
import { scopeKey, type Scope } from '../../src/core/scopes/scope.ts'
import type { Endpoints } from '../api/types.ts'
import type { RecordList } from '../state/panel-props.ts'
import type { RowStore } from '../grid/page-store.ts'
import type { RowState } from '../grid/row.tsx'
import type { SheetColumn } from './columns.ts'
import type { CellEdit } from './edits.ts'

export type FoundRecord = Endpoints['POST /api/v1/search']['reply'][number]

export type CellMark =
  | { readonly kind: 'saving' }
  /** `text`: the typed text, kept until the user discards it. */
  | { readonly kind: 'refused'; readonly text: string; readonly message: string }

export interface RecordRow {
  readonly record: FoundRecord
  /** Marks by `markKey`. */
  readonly marks: ReadonlyMap<string, CellMark>
  /** The values with open threads, by `markKey`. */
  readonly threads?: ReadonlySet<string> | undefined
  /**
   * gone: the record no longer matches the query, and stays until the sheet is renewed (G4); moving: the record goes to
   * another group when the cursor leaves it
   */
  readonly state: RowState | undefined
}

/** Marks a row as moving, after its writes are saved. */
export function withMoving(row: RecordRow, isMoving: boolean): RecordRow {
  const isSaved = [...row.marks.values()].every(({ kind }) => kind !== 'saving')
  if (isMoving && isSaved && row.state === undefined) return { ...row, state: 'moving' }
  return !isMoving && row.state === 'moving' ? { ...row, state: undefined } : row
}

const NO_MARKS: ReadonlyMap<string, CellMark> = new Map()

export function rowOf(record: FoundRecord): RecordRow {
  return { record, marks: NO_MARKS, state: undefined }
}

/** The most records in the list beside an open record. */
const LISTED = 400

/** The gapless run of loaded rows around the row `at`. @param rowAt undefined: not loaded */
export function listAround(at: number, total: number, rowAt: (index: number) => RecordRow | undefined): RecordList {
  let first = at
  while (first > 0 && at - first < LISTED && rowAt(first - 1) !== undefined) first -= 1
  const ids: string[] = []
  for (let index = first; index - at < LISTED; index += 1) {
    const row = rowAt(index)
    if (row === undefined) break
    ids.push(row.record.id)
  }
  return { ids, first, total }
}

/** Returns the texts of refused cells. */
export function refusedTexts(store: RowStore<RecordRow>): string[] {
  return [...store.entries()].flatMap(([, { marks }]) =>
    [...marks.values()].flatMap((mark) => (mark.kind === 'refused' ? [mark.text] : [])),
  )
}

/** The key of a mark: an attribute in a scope. */
export function markKey(alias: string, scope: Scope): string {
  return `${alias} ${scopeKey(scope)}`
}

type AttributeColumn = Extract<SheetColumn, { readonly kind: 'attribute' }>

export function scopeOfCell({ attribute, scope }: AttributeColumn, bar: Scope): Scope {
  return cellScope(bar, scope, attribute)
}

export function valueOfCell({ record }: RecordRow, column: AttributeColumn, bar: Scope) {
  const { alias } = column.attribute
  return cellValue(record, alias, scopeOfCell(column, bar), column.attribute)
}

export function storedInCell({ record }: RecordRow, alias: string, scope: Scope): unknown {
  return storedValue(record.values, alias, scope) ?? null
}

/** Applies the values of the edits, and marks each edited cell. */
export function withEdits(row: RecordRow, edits: readonly CellEdit[], mark: CellMark | undefined): RecordRow {
  let { values } = row.record
  const marks = new Map(row.marks)
  for (const { alias, scope, after, at = scope } of edits) {
    values = withValue(values, alias, scope, after)
    if (mark === undefined) marks.delete(markKey(alias, at))
    else marks.set(markKey(alias, at), mark)
  }
  return { ...row, record: { ...row.record, values }, marks }
}

export function withMark(row: RecordRow, key: string, mark: CellMark | undefined): RecordRow {
  const marks = new Map(row.marks)
  if (mark === undefined) marks.delete(key)
  else marks.set(key, mark)
  return { ...row, marks }
}

/** Replaces the record by the server's version; saving and refused cells stay marked. */
export function withRecord(row: RecordRow, record: FoundRecord): RecordRow {
  return { ...row, record, state: row.state === 'deleted' ? undefined : row.state }
}
