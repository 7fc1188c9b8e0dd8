// The words of the account, loaded with it.
import { accountWords as de } from './de/account.ts'
import { accountWords as en } from './en/account.ts'
import { wordsOf } from './words.ts'

export const t = wordsOf({ en, de })
