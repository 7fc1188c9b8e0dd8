// What the main thread and the thread that reads a file say to each other.
import type { ErrorCode } from '../../kernel/errors.ts'
import type { ImportLine } from '../rules/import-outcome.ts'

export interface ImportThreadData {
  readonly role: 'import'
  readonly file: string
}

export type FileTask =
  | { readonly kind: 'rows'; readonly sheet: string | undefined; readonly maxPart: number; readonly maxValues: number }
  | { readonly kind: 'sheets' }

/** What tasks of each kind bring: some lines at a time, or the names of the sheets. */
export interface FileParts {
  readonly rows: readonly SentLine[]
  readonly sheets: readonly string[]
}

/** An error does not cross as one. */
export type SentLine =
  | Exclude<ImportLine, { kind: 'fault' }>
  | {
      readonly line: number
      readonly size: number
      readonly kind: 'fault'
      readonly code: ErrorCode
      readonly message: string
    }
