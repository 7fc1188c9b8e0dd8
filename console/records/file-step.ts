// A file of a record, as a step that can be undone. A caller may name a file again that no value names any more only by
// a restore, so undo is one. Contract 3 §1, 4 §2.
import type { Scope } from '../../src/core/scopes/scope.ts'
import { Refusal } from '../api/failures.ts'
import { isSameValue, storedValue } from '../grid/cell-value.ts'
import type { Console } from '../state/console.ts'
import type { Step } from '../state/undo.ts'

interface FileChange {
  readonly recordId: string
  readonly alias: string
  readonly scope: Scope
  /** The stored value; null: none. */
  readonly before: unknown
  readonly after: unknown
  /** The version of the record with the value `before`. */
  readonly version: number
}

/** @param onDone called after each write */
export function fileStep({ call, offline }: Console, change: FileChange, name: string, onDone: () => void): Step {
  const { recordId: id, alias, scope, before, after, version } = change
  const redo = async (): Promise<void> => {
    const body = {
      values: { [alias]: [{ scope, value: after }] },
      expect: [{ attributeAlias: alias, scope, value: before }],
    }
    await offline.write(() => call('PATCH /api/v1/records/:id', { params: { id }, body }))
    onDone()
  }
  const undo = async (): Promise<void> => {
    const { body: record, etag } = await call('GET /api/v1/records/:id', { params: { id } })
    const now = storedValue(record.values, alias, scope) ?? null
    if (!isSameValue(now, after) || etag === undefined)
      throw new Refusal({ code: 'PRECONDITION_FAILED', message: '', status: 412, requestId: '' })
    const body = { version, attributeAliases: [alias], scopes: [scope] }
    await call('POST /api/v1/records/:id/restore', { params: { id }, body, ifMatch: etag })
    onDone()
  }
  return { name, undo, redo }
}
