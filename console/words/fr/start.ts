// French: the words of the first screen, and the words that all places share. One file when built.
import type { problemWords as problems } from '../en/problems.ts'
import type { words as english } from '../en/start.ts'
import { commonWords } from './common.ts'
import { shellWords } from './shell.ts'
import { homeWords } from './home.ts'
import { problemWords } from './problems.ts'
import type { Word } from '../languages.ts'

export const words = {
  ...commonWords,
  ...shellWords,
  ...homeWords,
  ...problemWords,
} satisfies Record<keyof typeof english | keyof typeof problems, Word>
