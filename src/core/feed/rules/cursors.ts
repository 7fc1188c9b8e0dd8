// Cursors in the order of the audit trail: a place between two entries, opaque for clients. Contract 2 §4.
import { invalid } from '../../../kernel/errors.ts'

/** Returns the place directly after the entry with this sequence; 0: before all entries. */
export function writeCursor(sequence: number): string {
  return Buffer.from(`after:${sequence}`).toString('base64url')
}

/**
 * @param parameter names the cursor in the message
 * @throws VALIDATION_ERROR for text that `writeCursor` did not write
 */
export function readCursor(cursor: string, parameter: string): number {
  const sequence = Number(/^after:(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1])
  if (!Number.isSafeInteger(sequence) || writeCursor(sequence) !== cursor)
    throw invalid(`${parameter} must be a cursor that this endpoint returned`)
  return sequence
}
