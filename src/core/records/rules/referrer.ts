// A value that names a record, and its position among all such values as text: the cursor of a page.
import { invalid } from '../../../kernel/errors.ts'
import { readCursor, writeCursor } from '../../../kernel/input/cursors.ts'

/** An attribute of a schema. */
export interface AttributeOfSchema {
  readonly schemaId: string
  readonly alias: string
}

/** A value that names a record. */
export interface Referrer extends AttributeOfSchema {
  /** The named record, which need not exist. */
  readonly targetId: string
  /** The record with the value. */
  readonly recordId: string
  /** `scopeKey` form. */
  readonly scope: string
}

export function writeReferrerCursor({ schemaId, alias, recordId, scope }: Referrer): string {
  return writeCursor([schemaId, alias, recordId, scope])
}

/** @throws VALIDATION_ERROR for text that `writeReferrerCursor` did not write */
export function readReferrerCursor(cursor: string, targetId: string): Referrer {
  const parts = readCursor(cursor)
  const isPlace = parts.length === 4 && parts.every((part) => typeof part === 'string')
  if (!isPlace) throw invalid('after is not a cursor of this list')
  const [schemaId, alias, recordId, scope] = parts as readonly [string, string, string, string]
  return { targetId, schemaId, alias, recordId, scope }
}
