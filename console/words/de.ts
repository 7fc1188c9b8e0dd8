// German, loaded when it is chosen.
import { accountWords } from './de/account.ts'
import { commonWords } from './de/common.ts'
import { homeWords } from './de/home.ts'
import { shellWords } from './de/shell.ts'
import type { Words } from './word-types.ts'

export const de: Words = { ...commonWords, ...shellWords, ...homeWords, ...accountWords }
