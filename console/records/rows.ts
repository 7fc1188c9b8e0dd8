// The records of the sheet with what is under way in them. Rows are replaced, never changed: what is the same is not drawn anew.
import { cellScope, cellValue, storedValue, withValue } from '../grid/cell-value.ts'
import { scopeKey, type Scope } from '../../src/core/scopes/scope.ts'
import type { Endpoints } from '../api/types.ts'
import type { RecordList } from '../state/panels.ts'
import type { SheetColumn } from './columns.ts'
import type { CellEdit } from './edits.ts'

export type FoundRecord = Endpoints['POST /api/v1/search']['reply'][number]

export type CellMark =
  | { readonly kind: 'saving' }
  /** `text`: what was typed; it stays until somebody gives it up. */
  | { readonly kind: 'refused'; readonly text: string; readonly message: string }

export interface RecordRow {
  readonly record: FoundRecord
  /** By `markKey`. */
  readonly marks: ReadonlyMap<string, CellMark>
  /** gone: it answers the question no more, and stays until the sheet is renewed (G4). */
  readonly state: 'gone' | 'deleted' | undefined
}

const NO_MARKS: ReadonlyMap<string, CellMark> = new Map()

export function rowOf(record: FoundRecord): RecordRow {
  return { record, marks: NO_MARKS, state: undefined }
}

/** Records that are kept of a list beside an address. */
const LISTED = 400

/** Those before and behind the row `at` that have been read, without a gap. @param rowAt undefined: not read */
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

/** Of the cell that an attribute has in a scope. */
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

/** With the values of the edits, and a mark on each. */
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

/** As the server has it now; what is being saved or was refused stays marked. */
export function withRecord(row: RecordRow, record: FoundRecord): RecordRow {
  return { ...row, record, state: row.state === 'deleted' ? undefined : row.state }
}
