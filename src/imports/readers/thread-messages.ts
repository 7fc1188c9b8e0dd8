// What the thread that reads a file and the main thread say to each other.
import type { ErrorCode } from '../../kernel/errors.ts'
import type { ImportLine } from '../rules/import-outcome.ts'

export type FileQuestion =
  | { readonly kind: 'rows'; readonly sheet: string | undefined; readonly maxPart: number; readonly maxValues: number }
  | { readonly kind: 'sheets' }

export interface ImportThreadData {
  readonly role: 'import'
  readonly file: string
  readonly question: FileQuestion
}

/** The next lines are made when they are asked for. */
export type ToImportThread = { readonly kind: 'next' }

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

export type FromImportThread =
  | { readonly kind: 'lines'; readonly lines: readonly SentLine[] }
  | { readonly kind: 'sheets'; readonly names: readonly string[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
