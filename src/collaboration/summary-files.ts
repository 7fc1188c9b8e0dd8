// Reads the words of summaries.
import { readPages } from '../kernel/executable/assets.ts'
import { type SummaryWords, summaryWordsOf } from './rules/summary-words.ts'

let words: ReadonlyMap<string, SummaryWords> | undefined

/** By language: a file of `pages/summaries/` is a language, read for the first message. @throws VALIDATION_ERROR where a word is missing */
export function readSummaryWords(): ReadonlyMap<string, SummaryWords> {
  words ??= summaryWordsOf(readPages('summaries'))
  return words
}
