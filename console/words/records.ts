// The words of the sheet of records, loaded with it.
import { recordsWords as de } from './de/records.ts'
import { recordsWords as en } from './en/records.ts'
import { wordsOf } from './words.ts'

export const t = wordsOf({ en, de })
