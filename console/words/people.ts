// The words of people, loaded with it.
import { peopleWords as de } from './de/people.ts'
import { peopleWords as en } from './en/people.ts'
import { wordsOf } from './words.ts'

export const t = wordsOf({ en, de })
