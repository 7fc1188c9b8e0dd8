// German: the words of the places behind the first screen. One file when built.
import type { words as english } from './en-places.ts'
import { accountWords } from './de/account.ts'
import { activityWords } from './de/activity.ts'
import { bulkWords } from './de/bulk.ts'
import { categoriesWords } from './de/categories.ts'
import { eventsWords } from './de/events.ts'
import { exportsWords } from './de/exports.ts'
import { formWords } from './de/forms.ts'
import { importsWords } from './de/imports.ts'
import { modelWords } from './de/model.ts'
import { peopleWords } from './de/people.ts'
import { recordWords } from './de/record.ts'
import { recordsWords } from './de/records.ts'
import { talkWords } from './de/talk.ts'
import type { Word } from './languages.ts'

export const words = {
  ...accountWords,
  ...activityWords,
  ...bulkWords,
  ...categoriesWords,
  ...eventsWords,
  ...exportsWords,
  ...formWords,
  ...importsWords,
  ...modelWords,
  ...peopleWords,
  ...recordWords,
  ...recordsWords,
  ...talkWords,
} satisfies Record<keyof typeof english, Word>
