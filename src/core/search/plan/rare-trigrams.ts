// Which trigrams a text is asked for by. An index of trigrams intersects the lists of those that it is asked for and reads
// each of them to its end, and the list of a frequent trigram is long: so where texts have rare ones, only these are asked
// for, and the few records that have them all are looked at.
import type { Needle } from './sets.ts'

const TRIGRAM = 3

/** Trigrams that are asked for where they are rare: with fewer, some texts leave too many records to look at. */
const MAX_ASKED = 3
/** To look at a record takes as long as to read so many entries of lists. */
const ENTRIES_PER_LOOK = 300

/** How frequent each of the trigrams is; those without an entry are in no record that was counted. */
export type CountTrigrams = (trigrams: readonly string[]) => ReadonlyMap<string, number>

/** The trigrams of the text as FTS5 makes them, each once. */
export function trigramsOf(text: string): string[] {
  const characters = Array.from(text)
  const trigrams = new Set<string>()
  for (let at = 0; at + TRIGRAM <= characters.length; at += 1)
    trigrams.add(characters[at]! + characters[at + 1]! + characters[at + 2]!)
  return [...trigrams]
}

/** Whether there are trigrams to ask for: shorter texts are looked for in every record. */
export function hasTrigrams(needles: readonly Needle[]): boolean {
  return needles.some(({ text }) => trigramsOf(text).length > 0)
}

/** The trigrams to ask for where that takes less, in the worst case, than to ask for all of the texts. */
export function rareTrigrams(texts: readonly string[], count: CountTrigrams): string[] | undefined {
  const trigrams = [...new Set(texts.flatMap(trigramsOf))]
  if (trigrams.length <= MAX_ASKED) return undefined
  const counts = count(trigrams)
  const countOf = (trigram: string): number => counts.get(trigram) ?? 0
  const byCount = trigrams.toSorted((a, b) => countOf(a) - countOf(b))
  // In the worst case all records with the rarest one have the others that are asked for as well.
  const looks = countOf(byCount[0]!)
  const spared = byCount.slice(MAX_ASKED).reduce((sum, trigram) => sum + countOf(trigram), 0)
  return looks * ENTRIES_PER_LOOK <= spared ? byCount.slice(0, MAX_ASKED) : undefined
}

/** How frequent the rarest trigram of the texts is; undefined where they have none. */
export function rarestCount(texts: readonly string[], count: CountTrigrams): number | undefined {
  const trigrams = [...new Set(texts.flatMap(trigramsOf))]
  if (trigrams.length === 0) return undefined
  const counts = count(trigrams)
  return Math.min(...trigrams.map((trigram) => counts.get(trigram) ?? 0))
}
