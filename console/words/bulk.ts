// The words of bulk jobs, loaded with it.
import { bulkWords as de } from './de/bulk.ts'
import { bulkWords as en } from './en/bulk.ts'
import { wordsOf } from './words.ts'

export const t = wordsOf({ en, de })
