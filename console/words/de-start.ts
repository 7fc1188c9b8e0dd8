// German: the words of the first screen, and the words that all places share. One file when built.
import type { problemWords as problems } from './en/problems.ts'
import type { words as english } from './en-start.ts'
import { commonWords } from './de/common.ts'
import { shellWords } from './de/shell.ts'
import { homeWords } from './de/home.ts'
import { problemWords } from './de/problems.ts'
import type { Word } from './languages.ts'

export const words = {
  ...commonWords,
  ...shellWords,
  ...homeWords,
  ...problemWords,
} satisfies Record<keyof typeof english | keyof typeof problems, Word>
