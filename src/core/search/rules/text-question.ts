// The text of a full-text search: one phrase, or words.
import { foldText } from '../../../kernel/text.ts'
import { matchesText } from './criteria.ts'
import type { SearchedRecord, SearchWorld } from './searched-record.ts'

export const TEXT_MODES = ['phrase', 'words'] as const
export type TextMode = (typeof TEXT_MODES)[number]

/** Most words of a search; more words would only cost time. */
export const MAX_WORDS = 50

export interface TextQuestion {
  readonly text: string
  /** `phrase`: one text contains the phrase; `words`: some text contains the word, or the ID begins with the word. */
  readonly mode: TextMode
}

/** Returns the unfolded parts of the text; in the mode `words`, each word or quoted phrase. */
export function needlesOf({ text, mode }: TextQuestion): string[] {
  if (mode === 'phrase') return [text]
  const words = [...text.matchAll(/"([^"]*)"?|[^\s"]+/g)].map(([word, phrase]) => phrase ?? word)
  return [...new Set(words.filter((word) => word.trim() !== ''))]
}

export function matchesQuestion(question: TextQuestion, record: SearchedRecord, { model, role }: SearchWorld): boolean {
  return needlesOf(question).every((needle) => {
    const folded = foldText(needle)
    if (question.mode === 'words' && foldText(record.id).startsWith(folded)) return true
    return matchesText(folded, record.layers, record.schema, role, model)
  })
}
