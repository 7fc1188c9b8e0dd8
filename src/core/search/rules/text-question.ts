// The text of a full-text search: one substring, or words. Contract 1 §4.2, 3 §1, 3 §10.
import { foldText } from '../../../kernel/text.ts'
import { matchesText } from './criteria.ts'
import type { SearchedRecord, SearchWorld } from './searched-record.ts'

export const TEXT_MODES = ['phrase', 'words'] as const
export type TextMode = (typeof TEXT_MODES)[number]

/** More words than this only take time. */
export const MAX_WORDS = 50

export interface TextQuestion {
  readonly text: string
  /** `phrase`: one text has it as it is; `words`: each word is in some text, or the ID begins with it. */
  readonly mode: TextMode
}

/** The parts of the text, not folded: in the mode `words`, each word or quoted phrase. */
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
