// French: the words of the first screen, and the words that all places share. One file when built.
import type { words as english } from '../en/start.ts'
import { commonWords } from './common.ts'
import { shellWords } from './shell.ts'
import { homeWords } from './home.ts'
import type { Word } from '../languages.ts'

export const words = {
  ...commonWords,
  ...shellWords,
  ...homeWords,
} satisfies Record<keyof typeof english, Word>
