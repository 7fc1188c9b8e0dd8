// Any JSON, compared as a whole.
import { withNearestNumbers } from '../../kernel/json/lost-numbers.ts'
import { canonicalJson, hasInfinity, hasMoreBytes, isNestedDeeper } from '../../kernel/text.ts'
import { faultOf } from '../values/value-fault.ts'
import { type DataType, singleValue } from './data-type.ts'

const MAX_JSON_BYTES = 65_536
/** SQLite reads at most 1,000 levels of JSON. */
export const MAX_JSON_DEPTH = 500
const TOO_DEEP = `must not nest deeper than ${MAX_JSON_DEPTH} levels`

export const json: DataType = {
  ...singleValue,
  form: 'any',
  // Its numbers are not ours to judge.
  read: withNearestNumbers,
  findFault: (value) => {
    if (isNestedDeeper(value, MAX_JSON_DEPTH)) return faultOf('type', TOO_DEEP)
    if (hasInfinity(value)) return faultOf('type', 'must not hold a number that is too large to be kept')
    const isLarge = hasMoreBytes(JSON.stringify(value), MAX_JSON_BYTES)
    return isLarge ? faultOf('length', 'must be at most 64 KiB of JSON') : undefined
  },
  isEmpty: (value) => value === '' || (Array.isArray(value) && value.length === 0),
  equalityKeys: (value) => [canonicalJson(value)],
  parseKey: (text) => {
    try {
      const value: unknown = JSON.parse(text)
      return isNestedDeeper(value, MAX_JSON_DEPTH) || hasInfinity(value) ? undefined : canonicalJson(value)
    } catch {
      return undefined
    }
  },
  // The empty text is `""`, the empty list `[]`.
  areKeysExact: false,
  toCell: (value) => JSON.stringify(value),
  fromCell: (text) => {
    try {
      const value: unknown = JSON.parse(text)
      if (isNestedDeeper(value, MAX_JSON_DEPTH)) return { problem: TOO_DEEP }
      return isWellFormed(value) ? { value } : { problem: 'contains a lone surrogate, which is not a character' }
    } catch {
      return { problem: 'must be JSON' }
    }
  },
  mayBeEmptyText: false,
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, member]) => key.isWellFormed() && isWellFormed(member))
}
