// The words of subscriptions, loaded with them.
import { eventsWords as de } from './de/events.ts'
import { eventsWords as en } from './en/events.ts'
import { wordsOf } from './words.ts'

export const t = wordsOf({ en, de })
