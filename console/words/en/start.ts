// English: the words of the first screen, and the words that all places share. One file when built.
import { commonWords } from './common.ts'
import { shellWords } from './shell.ts'
import { homeWords } from './home.ts'

export const words = {
  ...commonWords,
  ...shellWords,
  ...homeWords,
}
