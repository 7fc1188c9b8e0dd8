// The words of activity, loaded with it.
import { activityWords as de } from './de/activity.ts'
import { activityWords as en } from './en/activity.ts'
import { wordsOf } from './words.ts'

export const t = wordsOf({ en, de })
