// The words of imports, loaded with it.
import { importsWords as de } from './de/imports.ts'
import { importsWords as en } from './en/imports.ts'
import { wordsOf } from './words.ts'

export const t = wordsOf({ en, de })
