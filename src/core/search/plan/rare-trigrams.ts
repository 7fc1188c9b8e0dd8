// Chooses the trigrams by which a text is searched. A trigram index reads the whole list of each requested trigram, and
// lists of frequent trigrams are long. If a text has rare trigrams, only these are requested, and the few records with
// all of them are inspected.
import type { Needle } from './sets.ts'

const TRIGRAM = 3

/** Most rare trigrams requested. With a smaller number, some texts leave too many records to inspect. */
const MAX_ASKED = 3
/** Inspecting a record takes as long as reading this many list entries. */
const ENTRIES_PER_LOOK = 300

/** Returns the frequency of each trigram; a missing entry means that no counted record has the trigram. */
export type CountTrigrams = (trigrams: readonly string[]) => ReadonlyMap<string, number>

/** Returns the distinct trigrams of the text as FTS5 makes them. */
export function trigramsOf(text: string): string[] {
  const characters = Array.from(text)
  const trigrams = new Set<string>()
  for (let at = 0; at + TRIGRAM <= characters.length; at += 1)
    trigrams.add(characters[at]! + characters[at + 1]! + characters[at + 2]!)
  return [...trigrams]
}

/** True if any text has a trigram. Shorter texts are searched in every record. */
export function hasTrigrams(needles: readonly Needle[]): boolean {
  return needles.some(({ text }) => trigramsOf(text).length > 0)
}

/** Returns the trigrams to request, if they cost less in the worst case than requesting all texts. */
export function rareTrigrams(texts: readonly string[], count: CountTrigrams): string[] | undefined {
  const trigrams = [...new Set(texts.flatMap(trigramsOf))]
  if (trigrams.length <= MAX_ASKED) return undefined
  const counts = count(trigrams)
  const countOf = (trigram: string): number => counts.get(trigram) ?? 0
  const byCount = trigrams.toSorted((a, b) => countOf(a) - countOf(b))
  // In the worst case, all records with the rarest trigram also have the other requested ones.
  const looks = countOf(byCount[0]!)
  const spared = byCount.slice(MAX_ASKED).reduce((sum, trigram) => sum + countOf(trigram), 0)
  return looks * ENTRIES_PER_LOOK <= spared ? byCount.slice(0, MAX_ASKED) : undefined
}

/** Returns the frequency of the rarest trigram of the texts; undefined: the texts have none. */
export function rarestCount(texts: readonly string[], count: CountTrigrams): number | undefined {
  const trigrams = [...new Set(texts.flatMap(trigramsOf))]
  if (trigrams.length === 0) return undefined
  const counts = count(trigrams)
  return Math.min(...trigrams.map((trigram) => counts.get(trigram) ?? 0))
}
