// The words of exports, loaded with it.
import { exportsWords as de } from './de/exports.ts'
import { exportsWords as en } from './en/exports.ts'
import { wordsOf } from './words.ts'

export const t = wordsOf({ en, de })
