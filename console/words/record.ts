// The words of one record, loaded with it.
import { recordWords as de } from './de/record.ts'
import { recordWords as en } from './en/record.ts'
import { wordsOf } from './words.ts'

export const t = wordsOf({ en, de })
