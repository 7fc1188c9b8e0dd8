// English: the words of the places behind the first screen. One file when built.
import { accountWords } from './en/account.ts'
import { activityWords } from './en/activity.ts'
import { bulkWords } from './en/bulk.ts'
import { categoriesWords } from './en/categories.ts'
import { eventsWords } from './en/events.ts'
import { exportsWords } from './en/exports.ts'
import { formWords } from './en/forms.ts'
import { importsWords } from './en/imports.ts'
import { modelWords } from './en/model.ts'
import { peopleWords } from './en/people.ts'
import { recordWords } from './en/record.ts'
import { recordsWords } from './en/records.ts'
import { talkWords } from './en/talk.ts'

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
}
