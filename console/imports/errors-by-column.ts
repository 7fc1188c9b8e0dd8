// Groups the errors of rows by the column that their messages name. Pure.
import { shorten } from '../../src/kernel/errors.ts'
import type { JobError } from '../jobs/differences.tsx'
import type { MappingDraft } from './mapping.ts'

export interface ColumnErrors {
  /** The header; '': errors of the row as a whole. */
  readonly header: string
  readonly errors: readonly JobError[]
}

/** The column with the most errors first. */
export function errorsByColumn(
  errors: readonly JobError[],
  headers: readonly string[],
  columns: MappingDraft['columns'],
): ColumnErrors[] {
  const found = Map.groupBy(errors, ({ message }) => headerIn(message, headers, columns))
  return [...found]
    .map(([header, ofColumn]) => ({ header, errors: ofColumn }))
    .toSorted((one, other) => other.errors.length - one.errors.length)
}

function headerIn(message: string, headers: readonly string[], columns: MappingDraft['columns']): string {
  // Headers may contain quotes, and the server shortens long headers.
  const named = headers.find((header) => message.startsWith(`The column '${shorten(header)}'`))
  if (named !== undefined) return named
  const [, alias = ''] = /values\.([A-Za-z0-9_]+)/.exec(message) ?? /attribute '([^']+)'/.exec(message) ?? []
  const index = columns.findIndex(({ to }) => to !== null && 'attributeAlias' in to && to.attributeAlias === alias)
  return headers[index] ?? ''
}
