// The words of the start, loaded with it.
import { homeWords as de } from './de/home.ts'
import { homeWords as en } from './en/home.ts'
import { wordsOf } from './words.ts'

export const t = wordsOf({ en, de })
