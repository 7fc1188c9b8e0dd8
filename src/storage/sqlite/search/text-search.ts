// From text to a question to the trigram index. The index intersects the lists of a text's trigrams and reads each of
// them to its end, and the list of a frequent trigram is long: so where a text has rare ones, only these are asked for,
// and the few records that have them all are looked at.
import { foldForIndex, hasMark } from '../search-index/index-text.ts'
import { type CountTrigrams, TRIGRAM, trigramsOf } from '../search-index/trigram-counts.ts'
import { NO_RANGE, type RecordSet } from './record-sets.ts'

/** More characters than this narrow nothing down any further. */
const MAX_NEEDLE = 64
/** What a question to the trigram index may cost, in scans. */
const TRIGRAM_SCAN = 0.05
/** Trigrams that are asked for where they are rare: with fewer, some texts leave too many records to look at. */
const MAX_ASKED = 3
/** To look at a record takes as long as to read so many entries of lists. */
const ENTRIES_PER_LOOK = 300

/** Records with any text that contains `text` (not yet folded). */
export function compileText(text: string, count: CountTrigrams): RecordSet {
  const needle = foldForIndex(text)
  const characters = Array.from(needle)
  const isExact = characters.length <= MAX_NEEDLE && !hasMark(needle)
  if (characters.length < TRIGRAM) {
    const sql = 'SELECT id AS record FROM idx.text_content WHERE instr(c0, ?) > 0'
    return { sql, parameters: [needle], isExact, rank: 5, scans: 1, ...NO_RANGE }
  }
  const asked = characters.slice(0, MAX_NEEDLE).join('')
  const rare = rareTrigrams(asked, count)
  const found = 'SELECT rowid AS record FROM idx.text WHERE text MATCH ?'
  const question =
    rare === undefined
      ? { sql: found, parameters: [phrase(asked)] }
      : { sql: `${found} AND instr(folded, ?) > 0`, parameters: [rare.map(phrase).join(' AND '), asked] }
  return { ...question, isExact, rank: 2, scans: TRIGRAM_SCAN, ...NO_RANGE }
}

/** The trigrams to ask for where that takes less, in the worst case, than to ask for all of the text. */
export function rareTrigrams(text: string, count: CountTrigrams): string[] | undefined {
  const trigrams = trigramsOf(text)
  if (trigrams.length <= MAX_ASKED) return undefined
  const counts = count(trigrams)
  const countOf = (trigram: string): number => counts.get(trigram) ?? 0
  const byCount = trigrams.toSorted((a, b) => countOf(a) - countOf(b))
  // In the worst case all records with the rarest one have the others that are asked for as well.
  const looks = countOf(byCount[0]!)
  const spared = byCount.slice(MAX_ASKED).reduce((sum, trigram) => sum + countOf(trigram), 0)
  return looks * ENTRIES_PER_LOOK <= spared ? byCount.slice(0, MAX_ASKED) : undefined
}

/** As one string of FTS5's language, in which nothing has a meaning. */
function phrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
