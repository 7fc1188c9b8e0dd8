// How frequent each trigram is, estimated from a sample of the records: a search then asks for the rarest ones.
import type { CountTrigrams } from '../../core/search/plan/rare-trigrams.ts'
import { trigramsOf } from '../../core/search/plan/rare-trigrams.ts'
import type { Asked } from '../../store/rows/session.ts'

/** One record in so many is counted; by its number, so that it is counted once. */
export const SAMPLED = 64

/** UTF-16 units of a record's texts that are counted: of a large one every trigram would be a string of its own. */
const COUNTED = 100_000

/** In how many sampled records each of the trigrams is. */
export async function trigramCounts(trigrams: readonly string[], from: Asked): Promise<CountTrigrams> {
  if (trigrams.length === 0) return () => new Map()
  const sql = 'SELECT t, n FROM trigram WHERE t = ANY ($1::text[])'
  const rows = await from.rows<{ t: string; n: number }>(sql, [trigrams])
  const counts = new Map(rows.map(({ t, n }) => [t, n]))
  return () => counts
}

/** The trigrams to be counted of a record that was not indexed before; none where it is not one of the sample. */
export function sampledTrigrams(record: number, folded: string): readonly string[] {
  return record % SAMPLED === 0 ? trigramsOf(folded.slice(0, COUNTED).toWellFormed()) : []
}
