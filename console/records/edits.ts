// Changes of cells as one batch: the operations, the meaning of the answers, and undo. Pure. G6.
import { scopeKey, type Scope } from '../../src/core/scopes/scope.ts'

export interface CellEdit {
  readonly recordId: string
  readonly alias: string
  readonly scope: Scope
  /** The value stored in exactly this scope; null: none. */
  readonly before: unknown
  readonly after: unknown
  /** The scope of the cell, if the value was written to a wider scope. */
  readonly at?: Scope | undefined
  /** The typed text. */
  readonly text?: string | undefined
}

/** An operation of a batch; `edits` are the cell changes in the operation. */
interface PatchOperation {
  readonly op: 'patch'
  readonly id: string
  readonly values: Readonly<Record<string, readonly { readonly scope: Scope; readonly value: unknown }[]>>
  readonly expect: readonly { readonly attributeAlias: string; readonly scope: Scope; readonly value: unknown }[]
}

export interface EditedRecord {
  readonly operation: PatchOperation
  readonly edits: readonly CellEdit[]
}

/** The most operations in one batch. */
export const MAX_OPERATIONS = 1000

/** Makes one operation per record with all its cells, so that the record's history gets one entry. */
export function toOperations(edits: readonly CellEdit[]): EditedRecord[] {
  const byRecord = Map.groupBy(edits, ({ recordId }) => recordId)
  return [...byRecord.values()].map((ofRecord) => ({ operation: toOperation(ofRecord), edits: ofRecord }))
}

/** Makes one operation per cell: if one cell of a record is refused, the other cells are saved. */
export function toSingleOperations(edits: readonly CellEdit[]): EditedRecord[] {
  return edits.map((edit) => ({ operation: toOperation([edit]), edits: [edit] }))
}

function toOperation(edits: readonly CellEdit[]): PatchOperation {
  const values: Record<string, { scope: Scope; value: unknown }[]> = {}
  for (const { alias, scope, after } of edits) {
    const scoped = Object.hasOwn(values, alias) ? values[alias]! : []
    Object.defineProperty(values, alias, {
      value: [...scoped, { scope, value: after }],
      enumerable: true,
      configurable: true,
    })
  }
  const expect = edits.map(({ alias, scope, before }) => ({ attributeAlias: alias, scope, value: before }))
  return { op: 'patch', id: edits[0]!.recordId, values, expect }
}

/** Merges edits of the same cell: the later value, with the value before both. */
export function mergeEdits(edits: readonly CellEdit[]): CellEdit[] {
  const byCell = new Map<string, CellEdit>()
  for (const edit of edits) {
    const key = `${edit.recordId} ${edit.alias} ${scopeKey(edit.scope)}`
    byCell.set(key, { ...edit, before: byCell.has(key) ? byCell.get(key)!.before : edit.before })
  }
  return [...byCell.values()]
}

export function reversed(edits: readonly CellEdit[]): CellEdit[] {
  return edits.map((edit) => ({ ...edit, before: edit.after, after: edit.before }))
}

export interface RefusedEdit {
  readonly edit: CellEdit
  readonly status: number
  readonly message: string
}

interface OperationAnswer {
  readonly index: number
  readonly status: number
  readonly message?: string | undefined
}

interface BatchOutcome {
  readonly done: readonly CellEdit[]
  readonly refused: readonly RefusedEdit[]
  /** Cells of a refused record for which the answer names no faulty cell: each is sent alone. */
  readonly unclear: readonly CellEdit[]
}

export function outcomeOf(sent: readonly EditedRecord[], answers: readonly OperationAnswer[]): BatchOutcome {
  const done: CellEdit[] = []
  const refused: RefusedEdit[] = []
  const unclear: CellEdit[] = []
  for (const { index, status, message = '' } of answers) {
    const edits = sent[index]?.edits ?? []
    if (status < 300) done.push(...edits)
    else if (edits.length > 1) unclear.push(...edits)
    else refused.push(...edits.map((edit) => ({ edit, status, message })))
  }
  return { done, refused, unclear }
}

export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}
