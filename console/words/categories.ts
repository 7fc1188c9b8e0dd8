// The words of categories, loaded with it.
import { categoriesWords as de } from './de/categories.ts'
import { categoriesWords as en } from './en/categories.ts'
import { wordsOf } from './words.ts'

export const t = wordsOf({ en, de })
