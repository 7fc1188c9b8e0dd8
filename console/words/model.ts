// The words of the model, loaded with it.
import { modelWords as de } from './de/model.ts'
import { modelWords as en } from './en/model.ts'
import { wordsOf } from './words.ts'

export const t = wordsOf({ en, de })
