// Reads the words of summaries.
import { readPages } from '../kernel/executable/assets.ts'
import { type SummaryWords, summaryWordsOf } from './rules/summary-words.ts'

/** By language: a file of `pages/summaries/` is a language. @throws VALIDATION_ERROR where a word is missing */
export function readSummaryWords(): ReadonlyMap<string, SummaryWords> {
  return summaryWordsOf(readPages('summaries'))
}
