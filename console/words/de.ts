// German, loaded when it is chosen.
import { accountWords } from './de/account.ts'
import { bulkWords } from './de/bulk.ts'
import { categoriesWords } from './de/categories.ts'
import { commonWords } from './de/common.ts'
import { exportsWords } from './de/exports.ts'
import { formWords } from './de/forms.ts'
import { homeWords } from './de/home.ts'
import { importsWords } from './de/imports.ts'
import { modelWords } from './de/model.ts'
import { peopleWords } from './de/people.ts'
import { recordWords } from './de/record.ts'
import { recordsWords } from './de/records.ts'
import { shellWords } from './de/shell.ts'
import type { Words } from './word-types.ts'

export const de: Words = {
  ...commonWords,
  ...shellWords,
  ...homeWords,
  ...accountWords,
  ...formWords,
  ...exportsWords,
  ...importsWords,
  ...modelWords,
  ...peopleWords,
  ...recordsWords,
  ...categoriesWords,
  ...bulkWords,
  ...recordWords,
}
