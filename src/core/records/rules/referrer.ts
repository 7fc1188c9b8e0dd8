// A value that names a record, and its position among all such values as text: the cursor of a page.
import * as v from 'valibot'
import type { OutputOf } from '../../../kernel/input/validation.ts'
import { invalid } from '../../../kernel/errors.ts'
import { LimitQuery, Cursor } from '../../../kernel/input/common-shapes.ts'
import { readCursor, writeCursor } from '../../../kernel/input/cursors.ts'
import { exactObject } from '../../../kernel/input/exact-object.ts'

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

export const ReferrersQuery = exactObject({
  ...LimitQuery.entries,
  /** The cursor of the page before. */
  after: v.optional(Cursor),
  attributeAlias: v.optional(v.pipe(v.string(), v.description('Only values of attributes with this alias.'))),
})
export type ReferrersPage = OutputOf<typeof ReferrersQuery>

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
