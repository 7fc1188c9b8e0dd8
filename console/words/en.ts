// English, the language that types all others. A file for each place; a word's name begins with its place.
import { accountWords } from './en/account.ts'
import { bulkWords } from './en/bulk.ts'
import { categoriesWords } from './en/categories.ts'
import { commonWords } from './en/common.ts'
import { exportsWords } from './en/exports.ts'
import { formWords } from './en/forms.ts'
import { homeWords } from './en/home.ts'
import { importsWords } from './en/imports.ts'
import { modelWords } from './en/model.ts'
import { peopleWords } from './en/people.ts'
import { recordWords } from './en/record.ts'
import { recordsWords } from './en/records.ts'
import { shellWords } from './en/shell.ts'

export const en = {
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
} as const
