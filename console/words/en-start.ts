// English: the words of the first screen, and the words that all places share. One file when built.
import { commonWords } from './en/common.ts'
import { shellWords } from './en/shell.ts'
import { homeWords } from './en/home.ts'

export const words = {
  ...commonWords,
  ...shellWords,
  ...homeWords,
}
