// Cursors of lists: the place of the last item as text.
import { invalid } from '../../kernel/errors.ts'
import { readCursor } from '../../kernel/input/cursors.ts'

type Part = string | number

/**
 * @param types of the parts
 * @throws VALIDATION_ERROR for text that `writeCursor` did not write
 */
export function readPlace(cursor: string, types: readonly ('string' | 'number')[]): readonly Part[] {
  const parts = readCursor(cursor)
  const isPlace = parts.length === types.length && types.every((type, index) => isPart(parts[index], type))
  if (!isPlace) throw invalid('after is not a cursor of this list')
  return parts as Part[]
}

function isPart(part: unknown, type: 'string' | 'number'): boolean {
  return type === 'string' ? typeof part === 'string' && part.length <= 200 : Number.isSafeInteger(part)
}
