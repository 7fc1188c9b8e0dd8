// Cursors of searches: an opaque position in the order of one search's results. Contract 3 §1, 3 §10.
import { hash } from 'node:crypto'
import { invalid } from '../../kernel/errors.ts'
import { readCursor, writeCursor } from '../../kernel/input/cursors.ts'
import type { Criteria } from './rules/criteria.ts'
import type { SearchPosition, SortKey } from './rules/sorting.ts'
import type { TextQuestion } from './rules/text-question.ts'

/** The parts of a search that decide its records and their order. */
interface OrderedSearch {
  readonly criteria: Criteria
  readonly text?: TextQuestion | undefined
  readonly sort: readonly SortKey[]
  readonly schemaId: string | undefined
}

/** Identifies a search: its cursors do not work for another search. */
export function fingerprintOf({
  criteria: { criteria, criteriaOperator },
  text,
  sort,
  schemaId,
}: OrderedSearch): string {
  return digestOf([criteria, criteriaOperator, text, sort, schemaId])
}

/** Identifies a list of a category's records. */
export function fingerprintOfCategory(categoryId: string, includeChildren: boolean): string {
  return digestOf(['category', categoryId, includeChildren])
}

/** The latest digest: pages are often read one after another, and most lists have no filter. */
let newest = { parts: '', digest: '' }

function digestOf(asked: readonly unknown[]): string {
  const parts = JSON.stringify(asked)
  if (parts !== newest.parts) newest = { parts, digest: hash('sha256', parts, 'base64url').slice(0, 12) }
  return newest.digest
}

export function writePosition({ record, values }: SearchPosition, fingerprint: string): string {
  return writeCursor([fingerprint, record, ...values.map((value) => value ?? null)])
}

/** @throws VALIDATION_ERROR for a cursor that `writePosition` did not write for this search */
export function readPosition(cursor: string, fingerprint: string, sorts: number): SearchPosition {
  const [of, record, ...values] = readCursor(cursor)
  const isPlace =
    of === fingerprint &&
    Number.isSafeInteger(record) &&
    values.length === sorts &&
    values.every((value) => value === null || typeof value === 'string' || Number.isFinite(value))
  if (!isPlace) throw invalid('after must be a cursor that this search returned, in X-Next-Cursor')
  return { record: record as number, values: values.map((value) => (value as number | string | null) ?? undefined) }
}
