// Cursors of lists: the place of the last item as text.
import { invalid } from '../../kernel/errors.ts'

type Part = string | number

export function writePlace(parts: readonly Part[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/**
 * @param types of the parts
 * @throws VALIDATION_ERROR for text that `writePlace` did not write
 */
export function readPlace(cursor: string, types: readonly ('string' | 'number')[]): readonly Part[] {
  const parts = parse(cursor)
  const isPlace =
    Array.isArray(parts) && parts.length === types.length && types.every((type, index) => isPart(parts[index], type))
  if (!isPlace) throw invalid('after is not a cursor of this list')
  return parts as Part[]
}

function isPart(part: unknown, type: 'string' | 'number'): boolean {
  return type === 'string' ? typeof part === 'string' && part.length <= 200 : Number.isSafeInteger(part)
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}
