// Messages between the main thread and the thread that reads a file.
import type { ErrorCode } from '../../kernel/errors.ts'
import type { ImportLine } from '../rules/import-outcome.ts'
import type { PlacedCells } from '../rules/placed-cells.ts'

export interface ImportThreadData {
  readonly role: 'import'
  readonly file: string
}

export type FileTask =
  | { readonly kind: 'rows'; readonly sheet: string | undefined; readonly maxPart: number; readonly maxValues: number }
  | { readonly kind: 'sheets' }

/** Parts that a task of each kind yields: batches of lines, or names of sheets. */
export interface FileParts {
  readonly rows: readonly SentLine[]
  readonly sheets: readonly string[]
}

/** A thread cannot send an error as such. */
export type SentLine =
  | Exclude<ImportLine, { kind: 'fault' }>
  | {
      readonly line: number
      readonly size: number
      readonly kind: 'fault'
      readonly code: ErrorCode
      readonly message: string
      readonly cells: PlacedCells | undefined
    }
